import { addFirstAdmin } from '@bearing/contracts/identity/user'
import { createOrganization } from '@bearing/contracts/management/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
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
  ) {}

  /** Grants the role first: after a crash in between there is a harmless grant for an organization that does not exist. */
  @Handle(createOrganization)
  async execute(
    input: Input<typeof createOrganization>,
    by: Principal,
  ): Promise<Output<typeof createOrganization>> {
    const organization = {
      id: this.randomness.newId(),
      name: input.name,
      createdAt: this.clock.now(),
      createdBy: callingUser(by).userId,
    }
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
      before: () =>
        this.identity.call(
          addFirstAdmin,
          { founded_organization_id: organization.id },
          { claims: currentCall()?.claims },
        ),
      insert: (slug) => this.insert({ ...organization, slug }, by),
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
