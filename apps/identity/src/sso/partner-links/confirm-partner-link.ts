import { confirmPartnerLink } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { lockUser, type Member } from '../../ground/locks.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { callingUser } from '../../people/users/calling-user.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { joinProject } from '../partner-teams/join-project.js'
import { noLink, pendingLink } from './pending-link.js'

interface Linked {
  readonly teamId: string
  readonly userId: string
  readonly name: string
}

@Controller()
export class ConfirmPartnerLink {
  constructor(private readonly database: Database) {}

  @Handle(confirmPartnerLink)
  async execute(
    input: Input<typeof confirmPartnerLink>,
    by: Principal,
  ): Promise<Output<typeof confirmPartnerLink>> {
    const { organization_id: organizationId, partner_link_id: id, join_project_id: joins } = input
    const admin = callingUser(by).userId
    await this.database.transaction(async (transaction) => {
      await lockRequester(transaction, id, organizationId)
      await requireAdmin(transaction, organizationId, admin, 'partner-link:manage')
      if (joins !== undefined)
        await refuseForeignProject(transaction, { organization_id: organizationId, project_id: joins })
      const { teamId, userId, name } = await link(transaction, id, organizationId, joins ?? null)
      await join(transaction, by, { organizationId, userId }, teamId)
      recordAudit(transaction, by, {
        action: 'partner_link.confirmed',
        target: ['partner_team', teamId],
        organizationId,
        details: { team: name, requested_by: userId, join_project_id: joins ?? null },
      })
    })
    return {}
  }
}

/** Locks the account of the requesting user, who joins. The requester of a request never changes. */
async function lockRequester(transaction: Transaction, id: string, organizationId: string): Promise<void> {
  const where = pendingLink(id, organizationId)
  const team = await transaction.partnerTeam.findFirst({ where, select: { requestedBy: true } })
  if (!team?.requestedBy || !(await lockUser(transaction, team.requestedBy))) throw noLink()
}

async function link(
  transaction: Transaction,
  id: string,
  organizationId: string,
  joinProjectId: string | null,
): Promise<Linked> {
  // RETURNING has only new values, so the requester is read before.
  const [linked] = await transaction.$queryRaw<Linked[]>`
    WITH before AS (
      SELECT id, requested_by FROM partner_teams
      WHERE coalesce(request_id, id) = ${id}::uuid AND organization_id IS NULL
        AND requested_organization_id = ${organizationId}::uuid
      FOR UPDATE
    )
    UPDATE partner_teams t
    SET organization_id = ${organizationId}::uuid, join_project_id = ${joinProjectId}::uuid,
        requested_organization_id = NULL, requested_by = NULL, requested_at = NULL, request_id = NULL
    FROM before WHERE t.id = before.id
    RETURNING t.id AS "teamId", before.requested_by AS "userId", t.name`
  if (!linked) throw noLink()
  return linked
}

/** Makes the requesting user a member. Records the change in any case, since their session reaches the organization now. */
async function join(transaction: Transaction, by: Principal, member: Member, teamId: string): Promise<void> {
  const { count } = await transaction.membership.createMany({
    data: [{ ...member, role: 'member' }],
    skipDuplicates: true,
  })
  if (count > 0) {
    recordAudit(transaction, by, {
      action: 'membership.granted',
      target: ['user', member.userId],
      organizationId: member.organizationId,
      details: { role: 'member' },
    })
    await joinProject(transaction, by, member, teamId)
  }
  const where = { userId_organizationId: member }
  const { role } = await transaction.membership.findUniqueOrThrow({ where })
  recordMembershipChange(transaction, member, role === 'admin' ? 'admin' : 'member')
}
