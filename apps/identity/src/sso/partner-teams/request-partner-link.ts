import { OperationError } from '@bearing/contracts/errors'
import { askPartnerLink } from '@bearing/contracts/identity/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_PENDING_PARTNER_LINKS, refuseBeyond } from '@bearing/contracts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockCaller } from '../../people/users/lock-user.js'
import { FindTeam, toTeam } from './find-team.js'

const QUOTA = {
  ...{ resource: 'partner_links', limit: MAX_PENDING_PARTNER_LINKS, raised_by: 'nobody' as const },
  has: 'Too many teams wait for the organization to answer their request',
  remedy: 'Ask one of its admins to answer them',
}

@Controller()
export class AskPartnerLink {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly teams: FindTeam,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * It lets nobody in: that is for an admin of the organization to say. Nor is it in the organization's log, which anybody
   * who has come with a team could fill then; what its admins answer is. Asking for the same again changes nothing.
   */
  @Handle(askPartnerLink)
  async execute(
    { asked_organization_id }: Input<typeof askPartnerLink>,
    by: Principal,
  ): Promise<Output<typeof askPartnerLink>> {
    const { userId } = callingUser(by)
    return this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const team = await this.teams.lock(transaction, by)
      if (team.organizationId !== null)
        throw new OperationError('partner_team_linked', 'The team has an organization already.')
      if (team.requestedOrganizationId === asked_organization_id && team.requestedBy === userId)
        return toTeam(team)
      if (team.requestedOrganizationId !== asked_organization_id)
        await refuseAnother(transaction, asked_organization_id)
      const asked = await transaction.partnerTeam.update({
        where: { id: team.id },
        data: {
          requestedOrganizationId: asked_organization_id,
          requestedBy: userId,
          requestedAt: this.clock.now(),
          requestId: this.randomness.newId(),
        },
      })
      await this.audit.record(transaction, by, {
        action: 'partner_link.requested',
        target: ['partner_team', team.id],
        details: { team: team.name, organization_id: asked_organization_id },
      })
      return toTeam(asked)
    })
  }
}

/** One request after the other, so that they can be counted. */
async function refuseAnother(transaction: Transaction, requestedOrganizationId: string): Promise<void> {
  const lock = `partner-links:${requestedOrganizationId}`
  await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${lock}, 0))`
  const pending = await transaction.partnerTeam.count({
    where: { requestedOrganizationId, organizationId: null },
  })
  refuseBeyond(QUOTA, pending)
}
