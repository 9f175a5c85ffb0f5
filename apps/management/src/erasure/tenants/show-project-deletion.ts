import { showProjectDeletion } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class ShowProjectDeletion {
  constructor(private readonly deletions: Deletions) {}

  @Handle(showProjectDeletion)
  async execute(input: Input<typeof showProjectDeletion>): Promise<Output<typeof showProjectDeletion>> {
    return this.deletions.show(await this.deletions.deletedProject(input.organization_id, input.project_slug))
  }
}
