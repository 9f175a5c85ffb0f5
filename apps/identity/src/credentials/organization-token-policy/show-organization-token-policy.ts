import { showOrganizationTokenPolicy } from '@bearing/contracts/identity/tokens/organization-token-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toPolicy } from './policy-row.js'

@Controller()
export class ShowOrganizationTokenPolicy {
  constructor(private readonly database: Database) {}

  @Handle(showOrganizationTokenPolicy)
  async execute({
    organization_id: organizationId,
  }: Input<typeof showOrganizationTokenPolicy>): Promise<Output<typeof showOrganizationTokenPolicy>> {
    const rule = await this.database.organizationRule.findUnique({ where: { organizationId } })
    return toPolicy(rule)
  }
}
