import { listOnboardingTokens } from '@bearing/contracts/identity/devices/onboarding-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toOnboardingToken } from './onboarding-token-row.js'

@Controller()
export class ListOnboardingTokens {
  constructor(private readonly database: Database) {}

  @Handle(listOnboardingTokens)
  async execute(input: Input<typeof listOnboardingTokens>): Promise<Output<typeof listOnboardingTokens>> {
    const where = { organizationId: input.organization_id, projectId: input.project_id }
    const rows = await this.database.onboardingToken.findMany({ where, orderBy: { id: 'desc' } })
    const start = (input.page - 1) * input.per_page
    return page(rows.slice(start, start + input.per_page).map(toOnboardingToken), rows.length, input)
  }
}
