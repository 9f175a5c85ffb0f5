import { showSignInPolicy } from '@bearing/contracts/identity/sso/sign-in-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { toSignInPolicy } from './to-sign-in-policy.js'

@Controller()
export class ShowSignInPolicy {
  constructor(private readonly database: Database) {}

  @Handle(showSignInPolicy)
  async execute({
    organization_id,
  }: Input<typeof showSignInPolicy>): Promise<Output<typeof showSignInPolicy>> {
    const rule = await this.database.organizationRule.findUnique({
      where: { organizationId: organization_id },
      select: { ssoRequired: true, secondFactorRequired: true, secondFactorKind: true, deviceLogins: true },
    })
    return toSignInPolicy(rule)
  }
}
