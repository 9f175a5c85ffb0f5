import { showOrganizationDeletion } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class ShowOrganizationDeletion {
  constructor(private readonly deletions: Deletions) {}

  @Handle(showOrganizationDeletion)
  execute({
    organization_id: organizationId,
  }: Input<typeof showOrganizationDeletion>): Promise<Output<typeof showOrganizationDeletion>> {
    return this.deletions.show({ organizationId, projectId: null })
  }
}
