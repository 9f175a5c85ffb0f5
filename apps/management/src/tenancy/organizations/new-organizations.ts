import type { createOrganization } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordAudit } from '../../ground/record-audit.js'
import { claimSlug } from '../slugs/claim-slug.js'
import { findUnavailableSlugs } from '../slugs/find-unavailable-slugs.js'
import { insertWithSlug } from '../slugs/insert-with-slug.js'
import { toOrganization } from './organization-row.js'

/** Creates organizations, for a user or by an operator. */
@Injectable()
export class NewOrganizations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Adds the admin first: after a crash in between there is a harmless grant for an organization that does not exist.
   *
   * @param addAdmin returns the id of the user
   */
  async create(
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
