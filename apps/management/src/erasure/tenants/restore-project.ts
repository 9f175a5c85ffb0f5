import { restoreProject } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class RestoreProject {
  constructor(private readonly deletions: Deletions) {}

  @Handle(restoreProject)
  async execute(
    { organization_id, project_slug }: Input<typeof restoreProject>,
    by: Principal,
  ): Promise<Output<typeof restoreProject>> {
    const tenant = await this.deletions.deletedProject(organization_id, project_slug)
    const { slug, restoredAt } = await this.deletions.restore(tenant, by)
    return { organization_id, project_id: tenant.projectId, slug, restored_at: restoredAt.toISOString() }
  }
}
