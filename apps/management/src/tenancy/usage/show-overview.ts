import { showOverview } from '@bearing/contracts/management/tenancy/overview'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { OverviewReader } from './overview.js'

@Controller()
export class ShowOverview {
  constructor(private readonly overview: OverviewReader) {}

  @Handle(showOverview)
  async execute(input: Input<typeof showOverview>, by: Principal): Promise<Output<typeof showOverview>> {
    const projects = await this.overview.projectsOf(by, input.organization_id)
    return this.overview.read(by, input.organization_id, projects, input.period)
  }
}
