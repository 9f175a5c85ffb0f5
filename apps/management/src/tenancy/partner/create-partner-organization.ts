import { foundPartnerTeam } from '@bearing/contracts/identity/partner'
import { createPartnerOrganization } from '@bearing/contracts/management/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { callingUser } from '../calling-user.js'
import { Database } from '../../ground/database.js'
import { SHOWN, toOrganization } from '../organizations/organization-row.js'
import { insertWithSlug } from '../slugs/insert-with-slug.js'

/** Name and slug of the project that it begins with. */
const FIRST_PROJECT = 'default'

interface NewOrganization {
  readonly id: string
  readonly projectId: string
  readonly name: string
}

@Controller()
export class CreatePartnerOrganization {
  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Identity first, which says what the ids are: whoever asks again, after a crash or at the same moment, gets the same ones
   * and finishes what is not there yet.
   */
  @Handle(createPartnerOrganization)
  async execute(
    _: Input<typeof createPartnerOrganization>,
    by: Principal,
  ): Promise<Output<typeof createPartnerOrganization>> {
    const { name, organization_id, project_id } = await this.identity.call(
      foundPartnerTeam,
      { founded_organization_id: this.randomness.newId(), founded_project_id: this.randomness.newId() },
      { claims: currentCall()?.claims },
    )
    const there = await this.find(organization_id)
    if (there) return there
    if (project_id === null) throw new Error('a team is linked with an organization that there is not')
    return this.create({ id: organization_id, projectId: project_id, name }, by)
  }

  private async create(
    organization: NewOrganization,
    by: Principal,
  ): Promise<Output<typeof createPartnerOrganization>> {
    try {
      return await insertWithSlug(
        { name: organization.name },
        {
          otherwise: 'organization',
          randomEnding: () => Buffer.from(this.randomness.bytes(4)).toString('hex'),
          taken: (slugs) => this.taken(slugs),
          before: () => Promise.resolve(),
          insert: (slug) => this.insert(organization, slug, by),
        },
      )
    } catch (error) {
      // Somebody else of the team has finished it meanwhile: under the same id, each slug is one too many.
      const there = await this.find(organization.id)
      if (there) return there
      throw error
    }
  }

  private async find(id: string): Promise<Output<typeof createPartnerOrganization> | undefined> {
    const row = await this.database.organization.findUnique({ where: { id }, select: SHOWN })
    return row ? toOrganization(row) : undefined
  }

  private async taken(slugs: readonly string[]): Promise<string[]> {
    const rows = await this.database.organization.findMany({
      where: { slug: { in: [...slugs] } },
      select: { slug: true },
    })
    return rows.map(({ slug }) => slug)
  }

  /** Organization and project at once: nobody sees the one without the other. */
  private async insert(
    { id, projectId, name }: NewOrganization,
    slug: string,
    by: Principal,
  ): Promise<Output<typeof createPartnerOrganization>> {
    const made = { createdAt: this.clock.now(), createdBy: callingUser(by).userId }
    const row = await this.database.transaction(async (transaction) => {
      const row = await transaction.organization.create({ data: { id, slug, name, ...made }, select: SHOWN })
      await transaction.project.create({
        data: { id: projectId, organizationId: id, slug: FIRST_PROJECT, name: FIRST_PROJECT, ...made },
      })
      await this.audit.record(transaction, by, {
        action: 'organization.created',
        target: ['organization', id],
        organizationId: id,
        details: { slug, name },
      })
      await this.audit.record(transaction, by, {
        action: 'project.created',
        target: ['project', projectId],
        organizationId: id,
        details: { slug: FIRST_PROJECT, name: FIRST_PROJECT },
      })
      return row
    })
    return toOrganization(row)
  }
}
