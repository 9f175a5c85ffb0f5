import { deleteOwnAccount } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { callingUser } from './calling-user.js'
import { EndAccount } from './end-account.js'

@Controller()
export class DeleteOwnAccount {
  constructor(private readonly accounts: EndAccount) {}

  @Handle(deleteOwnAccount)
  execute(_: Input<typeof deleteOwnAccount>, by: Principal): Promise<Output<typeof deleteOwnAccount>> {
    return this.accounts.end({ user_id: callingUser(by).userId }, by)
  }
}
