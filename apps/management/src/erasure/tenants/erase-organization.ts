import { eraseOrganization } from '@bearing/contracts/management/tenancy/deletion'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Deletions } from './deletions.js'

@Controller()
export class EraseOrganization {
  constructor(private readonly deletions: Deletions) {}

  @Handle(eraseOrganization)
  execute(input: Input<typeof eraseOrganization>, by: Principal): Promise<Output<typeof eraseOrganization>> {
    const tenant = { organizationId: input.organization_id, projectId: null }
    return this.deletions.eraseNow(tenant, input.slug, by)
  }
}
