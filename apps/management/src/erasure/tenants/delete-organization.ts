import { deleteOrganization } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class DeleteOrganization {
  constructor(private readonly deletions: Deletions) {}

  @Handle(deleteOrganization)
  execute(
    input: Input<typeof deleteOrganization>,
    by: Principal,
  ): Promise<Output<typeof deleteOrganization>> {
    return this.deletions.delete({ organizationId: input.organization_id, projectId: null }, by)
  }
}
