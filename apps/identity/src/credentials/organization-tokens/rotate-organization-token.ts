import { formatToken } from '@bearing/access/token-format'
import { rotateOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { latestTokenEnd } from '../organization-token-policy/latest-token-end.js'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Randomness } from '@bearing/service/ground/randomness'
import { earliest } from '../../ground/rules/earliest.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { callingUser } from '../../people/users/calling-user.js'
import { endDerivedTokens } from './end-derived-tokens.js'
import {
  grantedPermissions,
  SHOWN,
  toOrganizationToken,
  tokenDetails,
  type OrganizationTokenRow,
} from './organization-token-row.js'
import { lockedToken } from './token-to-rotate.js'
import { TokenQuota } from './token-quota.js'
import { narrowedReach } from './token-reach.js'
import { tokenAudit } from './token-audit.js'

interface Scope {
  readonly id: string
  readonly organizationId: string
}

@Controller()
export class RotateOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly quota: TokenQuota,
    private readonly calls: IdempotentCalls,
  ) {}

  /** Of several concurrent rotations of a token one succeeds; the others fail with `organization_token_conflict`. */
  @Handle(rotateOrganizationToken)
  async execute(
    input: Input<typeof rotateOrganizationToken>,
    by: Principal,
  ): Promise<Output<typeof rotateOrganizationToken>> {
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, rotateOrganizationToken, input, by, () =>
        this.rotate(transaction, input, by),
      ),
    )
  }

  private async rotate(
    transaction: Transaction,
    input: Input<typeof rotateOrganizationToken>,
    by: Principal,
  ): Promise<Output<typeof rotateOrganizationToken>> {
    const { userId } = callingUser(by)
    const scope = { id: input.organization_token_id, organizationId: input.organization_id }
    const now = this.clock.now()
    const graceEnd = new Date(now.getTime() + input.grace_seconds * 1_000)
    const token = {
      kind: ORGANIZATION_TOKEN,
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    await requireAdmin(transaction, scope.organizationId, userId, 'organization-token:rotate')
    const before = await lockedToken(transaction, scope, now)
    // Without a grace period the number of active tokens stays: a leaked token can always be replaced.
    if (before.deletedAt) await this.quota.refuseAnother(transaction, scope.organizationId, now)
    else if (graceEnd > now) await this.quota.refuseReplacement(transaction, scope.organizationId, now)
    const reach = await narrowedReach(transaction, before, {
      organizationId: scope.organizationId,
      projectIds: input.project_ids,
    })
    const after = await transaction.organizationToken.create({
      data: {
        id: token.id,
        organizationId: scope.organizationId,
        description: before.description,
        ...reach,
        scimConnectionId: before.scimConnectionId,
        allowedAddresses: before.allowedAddresses,
        ...this.peppers.hash(token),
        createdAt: now,
        createdBy: userId,
        expiresAt: earliest(
          before.expiresAt,
          await latestTokenEnd(transaction, scope.organizationId, grantedPermissions(reach), now),
        ),
        replaces: scope.id,
      },
      select: SHOWN,
    })
    const ended = await transaction.organizationToken.update({
      where: scope,
      data: { replacedBy: token.id, expiresAt: earliest(before.expiresAt, graceEnd) },
      select: SHOWN,
    })
    record(transaction, by, scope, ended, after)
    recordCredentialChange(transaction, `credential:${scope.id}`)
    await endDerivedTokens(transaction, scope.id, graceEnd, false)
    return {
      ...toOrganizationToken(after, now),
      token: formatToken(token),
      replaced: toOrganizationToken(ended, now),
    }
  }
}

function record(
  transaction: Transaction,
  by: Principal,
  { organizationId }: Scope,
  before: OrganizationTokenRow,
  after: OrganizationTokenRow,
): void {
  recordAudit(transaction, by, {
    ...tokenAudit('rotated', before.id),
    organizationId,
    details: { replaced_by: after.id, expires_at: before.expiresAt?.toISOString() ?? null },
  })
  recordAudit(transaction, by, {
    ...tokenAudit('created', after.id),
    organizationId,
    details: { ...tokenDetails(after), replaces: before.id },
  })
}
