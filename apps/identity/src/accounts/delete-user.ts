import { deleteUser } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AccountDeletion } from './account-deletion.js'

@Controller()
export class DeleteUser {
  constructor(private readonly accounts: AccountDeletion) {}

  @Handle(deleteUser)
  execute(input: Input<typeof deleteUser>, by: Principal): Promise<Output<typeof deleteUser>> {
    return this.accounts.delete(input, by)
  }
}
