import { isRangeWithin, normalizeRange } from '@bearing/access/address-ranges'
import { BOUND_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import type { Mistake } from '@bearing/contracts/errors'
import { MAX_CHAIN, type deriveOrganizationToken } from '@bearing/contracts/identity/tokens/derived-token'
import { TOKEN_DERIVE } from '@bearing/contracts/identity/tokens/token-presets'
import type { Input } from '@bearing/contracts/operation'
import { ancestorTokens, grantedPermissions, type OrganizationTokenRow } from './organization-token-row.js'

type Request = Input<typeof deriveOrganizationToken>

/** Returns the permissions that a derived token has without a choice. */
export function permissionsOf(parent: OrganizationTokenRow, isBound: boolean): string[] {
  return grantedPermissions(parent).filter(
    (name) => name !== TOKEN_DERIVE && (!isBound || BOUND_TOKEN_PERMISSIONS.some((one) => one === name)),
  )
}

/** Returns what a request asks for beyond the calling token. */
export function mistakesOf(input: Request, parent: OrganizationTokenRow): Mistake[] {
  const own = grantedPermissions(parent)
  const isLast = ancestorTokens(parent).length + 2 >= MAX_CHAIN
  const detail = (text: string) => `must be ${text} of the calling token: a derived token never has more`
  const beyond = (
    field: string,
    wanted: readonly string[] | undefined,
    isWithin: (one: string) => boolean,
    what: string,
  ) =>
    (wanted ?? []).flatMap((one, index) =>
      isWithin(one) ? [] : [{ pointer: `/${field}/${String(index)}`, detail: detail(what) }],
    )
  return [
    ...beyond('permissions', input.permissions, (name) => own.includes(name), 'a permission'),
    ...(isLast && input.permissions?.includes(TOKEN_DERIVE)
      ? [
          {
            pointer: '/permissions',
            detail: `must not contain ${TOKEN_DERIVE}: a chain of derivation has at most ${String(MAX_CHAIN)} tokens`,
          },
        ]
      : []),
    ...(parent.boundProjectIds.length > 0
      ? beyond('project_ids', input.project_ids, (id) => parent.boundProjectIds.includes(id), 'a project')
      : []),
    ...(parent.allowedAddresses.length > 0
      ? beyond(
          'allowed_addresses',
          input.allowed_addresses,
          (text) => {
            const range = normalizeRange(text)
            return range === undefined || isRangeWithin(range, parent.allowedAddresses)
          },
          'within the addresses',
        )
      : []),
  ]
}
