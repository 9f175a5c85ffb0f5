import { OperationError } from '@bearing/contracts/errors'
import { addFirstAdmin, addFirstAdminFor } from '@bearing/contracts/identity/people/user'
import { createOrganization, createOrganizationFor } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { SETTINGS } from '@bearing/service/runtime-module'
import { Controller, Inject } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { callingUser } from '../calling-user.js'
import { Clock } from '@bearing/service/clock'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { Randomness } from '@bearing/service/randomness'
import { claimSlug } from '../slugs/claim-slug.js'
import { findUnavailableSlugs } from '../slugs/find-unavailable-slugs.js'
import { insertWithSlug } from '../slugs/insert-with-slug.js'
import { toOrganization } from './organization-row.js'

@Controller()
export class CreateOrganization {
  constructor(
    private readonly database: Database,
    private readonly identity: NatsClient,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Handle(createOrganization)
  async execute(
    input: Input<typeof createOrganization>,
    by: Principal,
  ): Promise<Output<typeof createOrganization>> {
    const { userId } = callingUser(by)
    if (this.settings.ORGANIZATION_CREATION === 'operators')
      throw new OperationError(
        'permission_denied',
        'Only the operators of Bearing create organizations here. Ask them for one, or ask an admin of an organization for an invitation.',
      )
    return this.create(input, by, async (founded_organization_id, claims) => {
      await this.identity.call(addFirstAdmin, { founded_organization_id }, { claims })
      return userId
    })
  }

  @Handle(createOrganizationFor)
  async executeFor(
    { admin: email, ...input }: Input<typeof createOrganizationFor>,
    by: Principal,
  ): Promise<Output<typeof createOrganizationFor>> {
    return this.create(input, by, async (founded_organization_id, claims) => {
      const named = { founded_organization_id, email }
      const { user_id } = await this.identity.call(addFirstAdminFor, named, { claims })
      return user_id
    })
  }

  /**
   * Adds the admin first: after a crash in between there is a harmless grant for an organization that does not exist.
   *
   * @param addAdmin returns the id of the user
   */
  private async create(
    input: Input<typeof createOrganization>,
    by: Principal,
    addAdmin: (organizationId: string, claims: string | undefined) => Promise<string>,
  ): Promise<Output<typeof createOrganization>> {
    const organization = { id: this.randomness.newId(), name: input.name, createdAt: this.clock.now() }
    let createdBy = ''
    return insertWithSlug(input, {
      fallback: 'organization',
      randomSuffix: () => Buffer.from(this.randomness.bytes(4)).toString('hex'),
      unavailable: (slugs) =>
        findUnavailableSlugs(
          this.database,
          { organizationId: organization.id },
          slugs,
          organization.createdAt,
        ),
      before: async () => {
        createdBy = await addAdmin(organization.id, currentCall()?.claims)
      },
      insert: (slug) => this.insert({ ...organization, slug, createdBy }, by),
    })
  }

  private async insert(
    organization: { id: string; slug: string; name: string; createdAt: Date; createdBy: string },
    by: Principal,
  ): Promise<Output<typeof createOrganization>> {
    const row = await this.database.transaction(async (transaction) => {
      const created = await transaction.organization.create({ data: organization })
      await claimSlug(transaction, { organizationId: created.id }, created.slug, created.createdAt)
      recordAudit(transaction, by, {
        action: 'organization.created',
        target: ['organization', created.id],
        organizationId: created.id,
        details: { slug: created.slug, name: created.name },
      })
      return created
    })
    return toOrganization(row)
  }
}
