import { whoAmI } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { UserRows, grantsOf } from './user-rows.js'

@Controller()
export class ShowPrincipal {
  constructor(private readonly users: UserRows) {}

  /** Reads the grants, since claims for a call without an organization contain none. */
  @Handle(whoAmI)
  async execute(_: Input<typeof whoAmI>, by: Principal): Promise<Output<typeof whoAmI>> {
    return by.kind === 'user' ? { ...by, ...grantsOf(await this.users.findGrants(by)) } : by
  }
}
