import { restoreOrganization } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class RestoreOrganization {
  constructor(private readonly deletions: Deletions) {}

  @Handle(restoreOrganization)
  async execute(
    { organization_id }: Input<typeof restoreOrganization>,
    by: Principal,
  ): Promise<Output<typeof restoreOrganization>> {
    const tenant = { organizationId: organization_id, projectId: null }
    const { slug, restoredAt } = await this.deletions.restore(tenant, by)
    return { organization_id, slug, restored_at: restoredAt.toISOString() }
  }
}
