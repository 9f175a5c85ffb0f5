import { denyLogin } from '@bearing/contracts/identity/people/login'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { DecideLogin } from './decide-login.js'

@Controller()
export class DenyLogin {
  constructor(private readonly logins: DecideLogin) {}

  @Handle(denyLogin)
  async execute({ user_code }: Input<typeof denyLogin>, by: Principal): Promise<Output<typeof denyLogin>> {
    await this.logins.decide(by, user_code, 'denied')
    return {}
  }
}
