import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import type { Input, Output } from '@bearing/contracts/operation'
import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { callingUser } from '../calling-user.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database, isMissingParent, type Transaction } from '../../ground/database.js'
import { lockOrganizations } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { Randomness } from '@bearing/service/ground/randomness'
import { organizationNotFound } from '../organizations/organization-row.js'
import { OrganizationLimits } from '../organizations/organization-limits.js'
import { claimSlug } from '../slugs/claim-slug.js'
import { findUnavailableSlugs } from '../slugs/find-unavailable-slugs.js'
import { insertWithSlug } from '../slugs/insert-with-slug.js'
import { toProject } from './project-row.js'

@Controller()
export class CreateProject {
  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly limits: OrganizationLimits,
  ) {}

  /** Creates the key first: after a crash in between there is a key that nobody has seen, of a project that does not exist. */
  @Handle(createProject)
  async execute(input: Input<typeof createProject>, by: Principal): Promise<Output<typeof createProject>> {
    const organizationId = input.organization_id
    await this.requireOrganization(organizationId)
    const project = {
      id: this.randomness.newId(),
      organizationId,
      name: input.name,
      createdAt: this.clock.now(),
      createdBy: creatorOf(by),
    }
    return insertWithSlug(input, {
      fallback: 'project',
      randomSuffix: () => Buffer.from(this.randomness.bytes(4)).toString('hex'),
      unavailable: (slugs) =>
        findUnavailableSlugs(
          this.database,
          { organizationId, projectId: project.id },
          slugs,
          project.createdAt,
        ),
      before: () =>
        this.identity.call(
          createProjectKey,
          { organization_id: organizationId, project_id: project.id },
          { claims: currentCall()?.claims },
        ),
      insert: (slug) => this.insert({ ...project, slug }, by),
    })
  }

  private async requireOrganization(
    id: string,
    database: Database | Transaction = this.database,
  ): Promise<void> {
    if (!(await database.organization.findUnique({ where: { id, deletedAt: null }, select: { id: true } })))
      throw organizationNotFound()
    // Before identity creates a key; the transaction checks again.
    this.limits.checkProjects(await database.project.count({ where: { organizationId: id } }))
  }

  private async insert(
    project: {
      id: string
      organizationId: string
      slug: string
      name: string
      createdAt: Date
      createdBy: string
    },
    by: Principal,
  ): Promise<Output<typeof createProject>> {
    try {
      const row = await this.database.transaction(async (transaction) => {
        const { organizationId } = project
        await lockOrganizations(transaction, [organizationId])
        await this.requireOrganization(organizationId, transaction)
        const created = await transaction.project.create({ data: project })
        await claimSlug(
          transaction,
          { organizationId, projectId: created.id },
          created.slug,
          created.createdAt,
        )
        recordAudit(transaction, by, {
          action: 'project.created',
          target: ['project', created.id],
          organizationId: project.organizationId,
          details: { slug: created.slug, name: created.name },
        })
        return created
      })
      return toProject(row)
    } catch (error) {
      if (isMissingParent(error)) throw organizationNotFound()
      throw error
    }
  }
}

function creatorOf(by: Principal): string {
  return isOrganizationToken(by) ? by.credential_id : callingUser(by).userId
}
