import { formatToken } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import { rotateOrganizationToken } from '@bearing/contracts/identity/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { latestTokenEnd } from '../organization-token-policy/latest-token-end.js'
import { Randomness } from '@bearing/service/randomness'
import { earliest } from '../../ground/rules/earliest.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { tokenState } from '../../ground/rules/token-state.js'
import { callingUser } from '../../people/users/calling-user.js'
import {
  SHOWN,
  toOrganizationToken,
  tokenDetails,
  tokenNotFound,
  type OrganizationTokenRow,
} from './organization-token-row.js'
import { TokenQuota } from './token-quota.js'
import { narrowedReach } from './token-reach.js'
import { tokenAudit } from './token-audit.js'

/** Which token, and of which organization. */
interface Scope {
  readonly id: string
  readonly organizationId: string
}

@Controller()
export class RotateOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly quota: TokenQuota,
  ) {}

  /** Of several who rotate the same token at once one does, and the others hear that it was: two secrets would be one too many. */
  @Handle(rotateOrganizationToken)
  async execute(
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
    const { before, after, event } = await this.database.transaction(async (transaction) => {
      const admins = await lockAdmins(transaction, scope.organizationId)
      refuseUnlessAdmin(admins, userId, 'organization-token:rotate')
      const before = await takeLocked(transaction, scope, now)
      // Without a grace period as many work as before: a leaked token can always be replaced.
      if (graceEnd > now) await this.quota.refuseReplacement(transaction, scope.organizationId, now)
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
          allowedAddresses: before.allowedAddresses,
          ...this.peppers.hash(token),
          createdAt: now,
          createdBy: userId,
          expiresAt: earliest(before.expiresAt, await latestTokenEnd(transaction, scope.organizationId, now)),
          replaces: scope.id,
        },
        select: SHOWN,
      })
      const ended = await transaction.organizationToken.update({
        where: scope,
        data: { replacedBy: token.id, expiresAt: earliest(before.expiresAt, graceEnd) },
        select: SHOWN,
      })
      await this.record(transaction, by, scope, ended, after)
      return {
        before: ended,
        after,
        event: await this.changes.record(transaction, `credential:${scope.id}`),
      }
    })
    await this.changes.publish(event)
    return {
      ...toOrganizationToken(after, now),
      token: formatToken(token),
      replaced: toOrganizationToken(before, now),
    }
  }

  private async record(
    transaction: Transaction,
    by: Principal,
    { organizationId }: Scope,
    before: OrganizationTokenRow,
    after: OrganizationTokenRow,
  ): Promise<void> {
    await this.audit.record(transaction, by, {
      ...tokenAudit('rotated', before.id),
      organizationId,
      details: { replaced_by: after.id, expires_at: before.expiresAt?.toISOString() ?? null },
    })
    await this.audit.record(transaction, by, {
      ...tokenAudit('created', after.id),
      organizationId,
      details: { ...tokenDetails(after), replaces: before.id },
    })
  }
}

/**
 * The token to rotate, locked until the end of the transaction.
 *
 * @throws OperationError where there is none, or it can no longer be rotated
 */
async function takeLocked(transaction: Transaction, scope: Scope, now: Date): Promise<OrganizationTokenRow> {
  await transaction.$queryRaw`
    SELECT 1 FROM organization_tokens
    WHERE id = ${scope.id}::uuid AND organization_id = ${scope.organizationId}::uuid
    FOR UPDATE`
  const row = await transaction.organizationToken.findUnique({ where: scope, select: SHOWN })
  if (!row) throw tokenNotFound()
  const state = tokenState(row, now)
  // One that was rotated has expired because of that.
  const reason = row.replacedBy && state !== 'deleted' ? 'rotated' : state
  if (reason === 'active') return row
  throw new OperationError(
    'organization_token_conflict',
    `The auth token is ${reason}${row.replacedBy ? `: ${row.replacedBy} has replaced it` : ''}. Only one that is active and was not replaced can be rotated.`,
    { reason },
  )
}
