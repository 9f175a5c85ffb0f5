import { assignPartnerOrganization } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { OrganizationRole, Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { newProjectKey } from '../../organizations/project-keys/project-key-row.js'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import type { Member } from '../../ground/locks.js'
import { refuseTooManyOrganizations } from '../../organizations/members/refuse-too-many-organizations.js'
import { refuseIfItHasMembers } from '../../organizations/organizations/refuse-if-it-has-members.js'
import { callingUser, lockCaller } from '../../people/users/calling-user.js'
import { lockCallingTeam } from './calling-team.js'
import { joinProject } from './join-project.js'

/**
 * Creates the roles and the project key of an organization and a project for a partner team, before management creates
 * both. The call is idempotent, so a crash in between is repaired by repeating it.
 */
@Controller()
export class AssignPartnerOrganization {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(assignPartnerOrganization)
  async execute(
    input: Input<typeof assignPartnerOrganization>,
    by: Principal,
  ): Promise<Output<typeof assignPartnerOrganization>> {
    const { userId } = callingUser(by)
    return this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const team = await lockCallingTeam(transaction, by)
      if (team.organizationId !== null) {
        await join(transaction, by, { organizationId: team.organizationId, userId }, 'member', team.id)
        return { name: team.name, organization_id: team.organizationId, project_id: team.projectId }
      }
      const { founded_organization_id: organizationId, founded_project_id: projectId } = input
      await refuseIfItHasMembers(transaction, organizationId)
      await refuseTooManyOrganizations(transaction, { organizationId, userId })
      const requested = {
        requestedOrganizationId: null,
        requestedBy: null,
        requestedAt: null,
        requestId: null,
      }
      const data = { organizationId, projectId, ...requested }
      await transaction.partnerTeam.update({ where: { id: team.id }, data })
      await this.createKey(transaction, by, organizationId, projectId)
      await join(transaction, by, { organizationId, userId }, 'admin', team.id)
      recordAudit(transaction, by, {
        action: 'partner_team.founded',
        target: ['partner_team', team.id],
        organizationId,
        details: { project_id: projectId },
      })
      return { name: team.name, organization_id: organizationId, project_id: projectId }
    })
  }

  private async createKey(
    transaction: Transaction,
    by: Principal,
    organizationId: string,
    projectId: string,
  ): Promise<void> {
    const id = this.randomness.newId()
    const key = newProjectKey(this.randomness.bytes)
    const createdAt = this.clock.now()
    await transaction.projectKey.create({ data: { id, organizationId, projectId, key, createdAt } })
    recordAudit(transaction, by, {
      action: 'project_key.created',
      target: ['project_key', id],
      organizationId,
      details: { project_id: projectId },
    })
  }
}

async function join(
  transaction: Transaction,
  by: Principal,
  member: Member,
  role: OrganizationRole,
  teamId: string,
): Promise<void> {
  const { count } = await transaction.membership.createMany({
    data: [{ ...member, role }],
    skipDuplicates: true,
  })
  if (count === 0) return
  recordAudit(transaction, by, {
    action: 'membership.granted',
    target: ['user', member.userId],
    organizationId: member.organizationId,
    details: { role },
  })
  // An admin is a manager of every project.
  if (role === 'member') await joinProject(transaction, by, member, teamId)
  recordMembershipChange(transaction, member, role)
}
