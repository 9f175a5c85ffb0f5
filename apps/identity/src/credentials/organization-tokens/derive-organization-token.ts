import { normalizeRange } from '@bearing/access/address-ranges'
import { formatToken } from '@bearing/access/token-format'
import { refuseMistakes } from '@bearing/contracts/errors'
import { deriveOrganizationToken, MAX_DERIVED_TOKENS } from '@bearing/contracts/identity/tokens/derived-token'
import { TOKEN_DERIVE } from '@bearing/contracts/identity/tokens/token-presets'
import type { Input, Output } from '@bearing/contracts/operation'
import { isOrganizationToken, ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { holdToken, holdTrusts, lockToken } from '../../ground/locks.js'
import { earliest } from '../../ground/rules/earliest.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { tokenRequestMistakes } from '../../ground/rules/token-request.js'
import { tokenState } from '../../ground/rules/token-state.js'
import { permissionDenied } from '../../organizations/members/require-admin.js'
import { mistakesOf, permissionsOf } from './derived-token-request.js'
import {
  ancestorTokens,
  SHOWN,
  toOrganizationToken,
  tokenDetails,
  workloadOf,
  type OrganizationTokenRow,
} from './organization-token-row.js'
import { tokenAudit } from './token-audit.js'
import { newReach } from './token-reach.js'

type Request = Input<typeof deriveOrganizationToken>

@Controller()
export class DeriveOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(deriveOrganizationToken)
  async execute(input: Request, by: Principal): Promise<Output<typeof deriveOrganizationToken>> {
    if (!isOrganizationToken(by)) throw permissionDenied(TOKEN_DERIVE)
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, deriveOrganizationToken, input, by, () =>
        this.derive(transaction, input, by, by.credential_id),
      ),
    )
  }

  private async derive(
    transaction: Transaction,
    input: Request,
    by: Principal,
    parentId: string,
  ): Promise<Output<typeof deriveOrganizationToken>> {
    const { organization_id: organizationId } = input
    const now = this.clock.now()
    const parent = await this.parent(transaction, { id: parentId, organizationId }, now)
    const wanted = {
      permissions: input.permissions ?? permissionsOf(parent, input.project_ids !== undefined),
      projectIds: input.project_ids ?? (parent.boundProjectIds.length > 0 ? parent.boundProjectIds : null),
      addresses: input.allowed_addresses?.length ? input.allowed_addresses : parent.allowedAddresses,
    }
    refuseMistakes([...tokenRequestMistakes(input, now), ...mistakesOf(input, parent)])
    const token = {
      kind: ORGANIZATION_TOKEN,
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    const created = await transaction.organizationToken.create({
      data: {
        id: token.id,
        organizationId,
        description: input.description ?? parent.description,
        ...(await newReach(transaction, wanted.permissions, {
          organizationId,
          projectIds: wanted.projectIds,
        })),
        scimConnectionId: parent.scimConnectionId,
        allowedAddresses: wanted.addresses.flatMap((text) => normalizeRange(text) ?? []),
        ...this.peppers.hash(token),
        createdAt: now,
        createdBy: parent.createdBy,
        expiresAt: earliest(parent.expiresAt, new Date(now.getTime() + input.expires_in * 1_000)),
        ancestors: [...parent.ancestors, parentId],
        ...(parent.workload !== null && { workload: parent.workload }),
      },
      select: SHOWN,
    })
    recordAudit(transaction, by, {
      ...tokenAudit('derived', token.id),
      organizationId,
      details: { ...tokenDetails(created), derived_from: parentId },
    })
    return { ...toOrganizationToken(created, now), token: formatToken(token) }
  }

  /**
   * Returns the calling token, which does not end until the transaction does, nor do those that it comes from. The first of them is locked,
   * so that the number of its tokens does not race.
   */
  private async parent(
    transaction: Transaction,
    scope: { readonly id: string; readonly organizationId: string },
    now: Date,
  ): Promise<OrganizationTokenRow> {
    const row = await transaction.organizationToken.findUnique({ where: scope, select: SHOWN })
    if (!row) throw permissionDenied(TOKEN_DERIVE)
    const trustId = workloadOf(row)?.trust_id
    if (trustId !== undefined && (await holdTrusts(transaction, [trustId])).length === 0)
      throw permissionDenied(TOKEN_DERIVE)
    const tokens = [...ancestorTokens(row), scope.id]
    const rootId = tokens[0] ?? scope.id
    await lockToken(transaction, rootId)
    for (const id of tokens) if (!(await holdToken(transaction, id))) throw permissionDenied(TOKEN_DERIVE)
    const parent = await transaction.organizationToken.findUnique({ where: scope, select: SHOWN })
    if (!parent || tokenState(parent, now) !== 'active') throw permissionDenied(TOKEN_DERIVE)
    const active = { ancestors: { has: rootId }, deletedAt: null, expiresAt: { gt: now } }
    refuseBeyond(QUOTA, await transaction.organizationToken.count({ where: active }))
    return parent
  }
}

const QUOTA = {
  ...{ resource: 'derived_tokens', limit: MAX_DERIVED_TOKENS, raised_by: 'nobody' as const },
  has: 'Too many tokens that work were derived from this one',
  remedy: 'Wait until some expire, or derive them with a shorter life',
}
