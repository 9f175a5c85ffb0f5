import { allowLogin } from '@bearing/contracts/identity/people/login'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { DecideLogin } from './decide-login.js'

@Controller()
export class AllowLogin {
  constructor(private readonly logins: DecideLogin) {}

  @Handle(allowLogin)
  async execute({ user_code }: Input<typeof allowLogin>, by: Principal): Promise<Output<typeof allowLogin>> {
    await this.logins.decide(by, user_code, 'allowed')
    return {}
  }
}
