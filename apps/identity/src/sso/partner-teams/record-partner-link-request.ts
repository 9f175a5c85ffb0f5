import { OperationError } from '@bearing/contracts/errors'
import { recordPartnerLinkRequest } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_PENDING_PARTNER_LINKS, refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockPendingLinks } from '../../ground/locks.js'
import { callingUser, lockCaller } from '../../people/users/calling-user.js'
import { lockCallingTeam, toTeam } from './calling-team.js'

const QUOTA = {
  ...{ resource: 'partner_links', limit: MAX_PENDING_PARTNER_LINKS, raised_by: 'nobody' as const },
  has: 'Too many teams wait for the organization to answer their request',
  remedy: 'Ask one of its admins to answer them',
}

@Controller()
export class RecordPartnerLinkRequest {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Grants nothing: an admin of the organization decides. The request is not in the organization's audit log, which anyone
   * with a team could fill; the decision is. Repeating a request changes nothing.
   */
  @Handle(recordPartnerLinkRequest)
  async execute(
    { asked_organization_id: requestedOrganizationId }: Input<typeof recordPartnerLinkRequest>,
    by: Principal,
  ): Promise<Output<typeof recordPartnerLinkRequest>> {
    const { userId } = callingUser(by)
    return this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const team = await lockCallingTeam(transaction, by)
      if (team.organizationId !== null)
        throw new OperationError('partner_team_linked', 'The team has an organization already.')
      const isRepeated = team.requestedOrganizationId === requestedOrganizationId
      if (isRepeated && team.requestedBy === userId) return toTeam(team)
      if (!isRepeated) await refuseBeyondQuota(transaction, requestedOrganizationId)
      const requested = await transaction.partnerTeam.update({
        where: { id: team.id },
        data: {
          requestedOrganizationId,
          requestedBy: userId,
          requestedAt: this.clock.now(),
          requestId: this.randomness.newId(),
        },
      })
      recordAudit(transaction, by, {
        action: 'partner_link.requested',
        target: ['partner_team', team.id],
        details: { team: team.name, organization_id: requestedOrganizationId },
      })
      return toTeam(requested)
    })
  }
}

async function refuseBeyondQuota(transaction: Transaction, requestedOrganizationId: string): Promise<void> {
  await lockPendingLinks(transaction, requestedOrganizationId)
  const where = { requestedOrganizationId, organizationId: null }
  refuseBeyond(QUOTA, await transaction.partnerTeam.count({ where }))
}
