import { deleteProject } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class DeleteProject {
  constructor(private readonly deletions: Deletions) {}

  @Handle(deleteProject)
  async execute(input: Input<typeof deleteProject>, by: Principal): Promise<Output<typeof deleteProject>> {
    return this.deletions.delete(await this.deletions.project(input.organization_id, input.project_slug), by)
  }
}
