import { confirmPartnerLink } from '@bearing/contracts/identity/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { MembershipChanges, type Place } from '../../ground/events/membership-changes.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockUser } from '../../people/users/lock-user.js'
import { noLink, pendingLink } from './pending-link.js'

interface Linked {
  readonly teamId: string
  readonly userId: string
  readonly name: string
}

@Controller()
export class ConfirmPartnerLink {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: MembershipChanges,
  ) {}

  @Handle(confirmPartnerLink)
  async execute(
    { organization_id: organizationId, partner_link_id: id }: Input<typeof confirmPartnerLink>,
    by: Principal,
  ): Promise<Output<typeof confirmPartnerLink>> {
    const admin = callingUser(by).userId
    const change = await this.database.transaction(async (transaction) => {
      await this.lockRequester(transaction, id, organizationId)
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), admin, 'partner-link:manage')
      const { teamId, userId, name } = await this.linked(transaction, id, organizationId)
      const change = await this.join(transaction, by, { organizationId, userId })
      await this.audit.record(transaction, by, {
        action: 'partner_link.confirmed',
        target: ['partner_team', teamId],
        organizationId,
        details: { team: name, requested_by: userId },
      })
      return change
    })
    await this.changes.publish(change)
    return {}
  }

  /** Who asked joins: their account comes first, as everywhere. A request has one requester for as long as it has its id. */
  private async lockRequester(transaction: Transaction, id: string, organizationId: string): Promise<void> {
    const where = pendingLink(id, organizationId)
    const team = await transaction.partnerTeam.findFirst({ where, select: { requestedBy: true } })
    if (!team?.requestedBy || !(await lockUser(transaction, team.requestedBy))) throw noLink()
  }

  private async linked(transaction: Transaction, id: string, organizationId: string): Promise<Linked> {
    // What it was stays in `before`: an update gives back what it has become.
    const [linked] = await transaction.$queryRaw<Linked[]>`
      WITH before AS (
        SELECT id, requested_by FROM partner_teams
        WHERE coalesce(request_id, id) = ${id}::uuid AND organization_id IS NULL
          AND requested_organization_id = ${organizationId}::uuid
        FOR UPDATE
      )
      UPDATE partner_teams t
      SET organization_id = ${organizationId}::uuid,
          requested_organization_id = NULL, requested_by = NULL, requested_at = NULL, request_id = NULL
      FROM before WHERE t.id = before.id
      RETURNING t.id AS "teamId", before.requested_by AS "userId", t.name`
    if (!linked) throw noLink()
    return linked
  }

  /** Who asked is let in at once. The event reaches them in any case: their session knows of the organization now. */
  private async join(transaction: Transaction, by: Principal, place: Place) {
    const { count } = await transaction.membership.createMany({
      data: [{ ...place, role: 'member' }],
      skipDuplicates: true,
    })
    if (count > 0)
      await this.audit.record(transaction, by, {
        action: 'membership.granted',
        target: ['user', place.userId],
        organizationId: place.organizationId,
        details: { role: 'member' },
      })
    const where = { userId_organizationId: place }
    const { role } = await transaction.membership.findUniqueOrThrow({ where })
    return this.changes.record(transaction, place, role === 'admin' ? 'admin' : 'member')
  }
}
