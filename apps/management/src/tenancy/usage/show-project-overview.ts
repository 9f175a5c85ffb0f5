import { showProjectOverview } from '@bearing/contracts/management/tenancy/overview'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { projectNotFound } from '../projects/require-project.js'
import { OverviewReader } from './overview.js'

@Controller()
export class ShowProjectOverview {
  constructor(
    private readonly database: Database,
    private readonly overview: OverviewReader,
  ) {}

  @Handle(showProjectOverview)
  async execute(
    input: Input<typeof showProjectOverview>,
    by: Principal,
  ): Promise<Output<typeof showProjectOverview>> {
    const { organization_id, project_id, period } = input
    const project = await this.database.project.findUnique({
      where: { id: project_id, organizationId: organization_id, deletedAt: null },
      select: { id: true, slug: true, name: true },
    })
    if (!project) throw projectNotFound()
    return this.overview.read(by, organization_id, [project], period)
  }
}
