import { whoAmI } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'

@Controller()
export class ShowPrincipal {
  @Handle(whoAmI)
  execute(_: Input<typeof whoAmI>, by: Principal): Promise<Output<typeof whoAmI>> {
    return Promise.resolve(by)
  }
}
