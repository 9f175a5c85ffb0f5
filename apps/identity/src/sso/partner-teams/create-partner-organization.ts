import { foundPartnerTeam } from '@bearing/contracts/identity/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { OrganizationRole, Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import { MembershipChanges, type Place } from '../../ground/events/membership-changes.js'
import { refuseIfItHasMembers } from '../../organizations/organizations/refuse-if-it-has-members.js'
import { newProjectKey } from '../../credentials/project-keys/project-key-row.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockCaller } from '../../people/users/lock-user.js'
import { refuseTooManyOrganizations } from '../../organizations/members/refuse-too-many-organizations.js'
import { FindTeam, type Team } from './find-team.js'

type Founding = Input<typeof foundPartnerTeam>

@Controller()
export class FoundPartnerTeam {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly teams: FindTeam,
    private readonly changes: MembershipChanges,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Grants and key first: a crash after that leaves them of things that are not there yet, until somebody asks again. */
  @Handle(foundPartnerTeam)
  async execute(input: Founding, by: Principal): Promise<Output<typeof foundPartnerTeam>> {
    const { userId } = callingUser(by)
    const { output, change } = await this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const team = await this.teams.lock(transaction, by)
      const { name } = team
      const found = { organizationId: team.organizationId, projectId: team.projectId }
      if (found.organizationId === null) {
        const organizationId = input.founded_organization_id
        await refuseIfItHasMembers(transaction, organizationId)
        await refuseTooManyOrganizations(transaction, { organizationId, userId })
        await this.found(transaction, by, team, input)
        found.organizationId = organizationId
        found.projectId = input.founded_project_id
      }
      const { organizationId, projectId } = found
      const role = team.organizationId === null ? 'admin' : 'member'
      const change = await this.join(transaction, by, { organizationId, userId }, role)
      if (team.organizationId === null)
        await this.audit.record(transaction, by, {
          action: 'partner_team.founded',
          target: ['partner_team', team.id],
          organizationId,
          details: { project_id: projectId },
        })
      return { output: { name, organization_id: organizationId, project_id: projectId }, change }
    })
    await this.changes.publish(change)
    return output
  }

  private async found(transaction: Transaction, by: Principal, { id }: Team, input: Founding): Promise<void> {
    const organizationId = input.founded_organization_id
    const projectId = input.founded_project_id
    await transaction.partnerTeam.update({
      where: { id },
      data: {
        organizationId,
        projectId,
        requestedOrganizationId: null,
        requestedBy: null,
        requestedAt: null,
        requestId: null,
      },
    })
    const key = newProjectKey(this.randomness.bytes)
    const keyId = this.randomness.newId()
    const createdAt = this.clock.now()
    await transaction.projectKey.create({ data: { id: keyId, organizationId, projectId, key, createdAt } })
    await this.audit.record(transaction, by, {
      action: 'project_key.created',
      target: ['project_key', keyId],
      organizationId,
      details: { project_id: projectId },
    })
  }

  /** Who asks after the first one becomes a member, as everybody of the team who arrives later. */
  private async join(transaction: Transaction, by: Principal, place: Place, role: OrganizationRole) {
    const { count } = await transaction.membership.createMany({
      data: [{ ...place, role }],
      skipDuplicates: true,
    })
    if (count === 0) return undefined
    await this.audit.record(transaction, by, {
      action: 'membership.granted',
      target: ['user', place.userId],
      organizationId: place.organizationId,
      details: { role },
    })
    return this.changes.record(transaction, place, role)
  }
}
