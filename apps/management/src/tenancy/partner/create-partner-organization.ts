import { assignPartnerOrganization } from '@bearing/contracts/identity/sso/partner'
import { createPartnerOrganization } from '@bearing/contracts/management/tenancy/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { callingUser } from '../calling-user.js'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { SHOWN, toOrganization } from '../organizations/organization-row.js'
import { claimSlug } from '../slugs/claim-slug.js'
import { findUnavailableSlugs } from '../slugs/find-unavailable-slugs.js'
import { insertWithSlug } from '../slugs/insert-with-slug.js'

/** Name and slug of the first project. */
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
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Asks identity for the ids first: a repeated or concurrent call receives the same ids and completes what is missing.
   */
  @Handle(createPartnerOrganization)
  async execute(
    _: Input<typeof createPartnerOrganization>,
    by: Principal,
  ): Promise<Output<typeof createPartnerOrganization>> {
    const { name, organization_id, project_id } = await this.identity.call(
      assignPartnerOrganization,
      { founded_organization_id: this.randomness.newId(), founded_project_id: this.randomness.newId() },
      { claims: currentCall()?.claims },
    )
    const existing = await this.find(organization_id)
    if (existing) return existing
    if (project_id === null) throw new Error('a team is linked with an organization that does not exist')
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
          fallback: 'organization',
          randomSuffix: () => Buffer.from(this.randomness.bytes(4)).toString('hex'),
          unavailable: (slugs) =>
            findUnavailableSlugs(this.database, { organizationId: organization.id }, slugs, this.clock.now()),
          before: () => Promise.resolve(),
          insert: (slug) => this.insert(organization, slug, by),
        },
      )
    } catch (error) {
      // A concurrent call has created it: every insert with the same id fails, whatever its slug.
      const existing = await this.find(organization.id)
      if (existing) return existing
      throw error
    }
  }

  private async find(id: string): Promise<Output<typeof createPartnerOrganization> | undefined> {
    const row = await this.database.organization.findUnique({ where: { id }, select: SHOWN })
    return row ? toOrganization(row) : undefined
  }

  private async insert(
    { id, projectId, name }: NewOrganization,
    slug: string,
    by: Principal,
  ): Promise<Output<typeof createPartnerOrganization>> {
    const created = { createdAt: this.clock.now(), createdBy: callingUser(by).userId }
    const row = await this.database.transaction(async (transaction) => {
      const row = await transaction.organization.create({
        data: { id, slug, name, ...created },
        select: SHOWN,
      })
      await claimSlug(transaction, { organizationId: id }, slug, created.createdAt)
      await transaction.project.create({
        data: { id: projectId, organizationId: id, slug: FIRST_PROJECT, name: FIRST_PROJECT, ...created },
      })
      recordAudit(transaction, by, {
        action: 'organization.created',
        target: ['organization', id],
        organizationId: id,
        details: { slug, name },
      })
      recordAudit(transaction, by, {
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
