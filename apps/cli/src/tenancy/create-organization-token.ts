import { ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import type { CallOutput } from '@bearing/client/call-types'
import {
  DEFAULT_LIFETIME_DAYS,
  DEFAULT_PRESET,
  TOKEN_PRESET_NAMES,
} from '@bearing/contracts/identity/tokens/token-presets'
import { verb } from '../session/verb.js'
import { retryForSecret } from '@bearing/client/retry-transient'
import { futureMoment } from '../ground/times.js'
import { projectNames } from './projects.js'
import { tokenFields } from './organization-tokens.js'
import { boundProjects, refuseUnbound, expiryIn } from './bound-projects.js'
import { oneOf, repeated, required, someOf } from '../ground/arguments.js'

/** Single permissions. */
export const PERMISSIONS = {
  '--permission <permission>': {
    ...someOf(
      'permission, repeatable; in addition to those of --preset, if given',
      ORGANIZATION_TOKEN_PERMISSIONS,
    ),
    choices: ORGANIZATION_TOKEN_PERMISSIONS,
  },
} as const

/** Networks. */
export const ADDRESSES = {
  '--allow-from <cidr>': repeated(
    'IP address or range that may use it, repeatable (default: any)',
    (text) => text,
  ),
} as const

verb('org-tokens create', {
  about:
    'create a token; its secret is shown once; with --project, repeatable, it has access only to these projects',
  takes: {
    ...PERMISSIONS,
    ...ADDRESSES,
    '--description <text>': required('purpose'),
    '--preset <name>': oneOf(
      `set of permissions (default without --permission: ${DEFAULT_PRESET})`,
      TOKEN_PRESET_NAMES,
    ),
    '--scim-connection <id>':
      'with --permission scim:provision: push users and groups to this single sign-on connection only',
    '--expires-at <time>': `expiry: 2027-01-31 or 2027-01-31T09:00:00Z (default: after ${String(DEFAULT_LIFETIME_DAYS)} days, or as the policy says)`,
    '--expires-in <span>': { about: 'lifetime: 12h, 90d, 52w, or "never"', conflicts: ['expiresAt'] },
  },
  examples: [
    '--description CI --preset ci-uploads --expires-in 90d',
    '--description Terraform --preset administration --expires-in 30d',
  ],
  run: async (cli, { description, preset, permission, expiresAt, expiresIn, allowFrom, ...flags }) => {
    const expires_at = chosenEnd({ expiresAt, expiresIn }, cli.terminal.now())
    const session = await cli.session()
    const { client, organization } = session
    const project_ids = await boundProjects(session, cli.projectFlags)
    const created = await retryForSecret(cli.terminal.signal, client, 'createOrganizationToken', {
      organization,
      description,
      preset,
      permissions: permission,
      project_ids,
      scim_connection_id: flags.scimConnection,
      expires_at,
      allowed_addresses: allowFrom,
    })
    await refuseUnbound(session, project_ids, created)
    cli.output.done('Organization token created.')
    const fields = tokenFields(created, await projectNames(session, created.project_ids ?? []))
    cli.output.record({ Token: created.token, ...fields }, created)
    cli.output.notice('The token is shown only once. Store it in a safe place.')
    const unlimited = unlimitedIn(created, preset === undefined && permission === undefined)
    if (unlimited.length > 0)
      cli.output.notice(
        `It ${unlimited.join(' and ')}. --expires-in, --preset, --permission and --project limit a token.`,
      )
    if (created.administers)
      cli.output.notice('It can administer the organization. All admins receive a mail about it.')
    if (!project_ids && session.sources.project)
      cli.output.notice('It has access to all projects: only the flag --project limits a token.')
  },
})

/** Returns the end that the flags ask for. Null: never; undefined: the default of the server. */
function chosenEnd(
  { expiresAt, expiresIn }: Readonly<Record<'expiresAt' | 'expiresIn', string | undefined>>,
  nowMs: number,
): string | null | undefined {
  if (expiresAt !== undefined) return futureMoment(expiresAt, '--expires-at', nowMs)
  if (expiresIn === 'never') return null
  return expiresIn && expiryIn(expiresIn, nowMs)
}

/** Describes what nothing limits in a new token. */
function unlimitedIn(
  { expires_at, project_ids }: CallOutput<'createOrganizationToken'>,
  isDefault: boolean,
): string[] {
  return [
    ...(expires_at === null ? ['never expires'] : []),
    ...(isDefault ? [`can do all that a project manager can${project_ids ? '' : ', in all projects'}`] : []),
  ]
}
