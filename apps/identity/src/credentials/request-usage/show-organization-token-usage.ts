import { showOrganizationTokenUsage } from '@bearing/contracts/identity/tokens/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { tokenNotFound } from '../organization-tokens/organization-token-row.js'
import { requestsOf } from './requests-of.js'

@Controller()
export class ShowOrganizationTokenUsage {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(showOrganizationTokenUsage)
  async execute(
    input: Input<typeof showOrganizationTokenUsage>,
  ): Promise<Output<typeof showOrganizationTokenUsage>> {
    const { organization_id: organizationId, organization_token_id: id } = input
    const token = await this.database.organizationToken.findUnique({
      where: { id, organizationId },
      select: { id: true },
    })
    if (!token) throw tokenNotFound()
    const of = { organizationId, kind: ORGANIZATION_TOKEN, ids: [id] }
    return requestsOf(this.database, of, input.days, this.clock.now())
  }
}
