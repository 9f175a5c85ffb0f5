import { eraseProject } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class EraseProject {
  constructor(private readonly deletions: Deletions) {}

  @Handle(eraseProject)
  async execute(input: Input<typeof eraseProject>, by: Principal): Promise<Output<typeof eraseProject>> {
    const tenant = await this.deletions.deletedProject(input.organization_id, input.project_slug)
    return this.deletions.eraseNow(tenant, input.slug, by)
  }
}
