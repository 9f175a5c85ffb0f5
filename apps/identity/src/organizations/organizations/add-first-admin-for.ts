import { addFirstAdminFor } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { lockUserByEmail } from '../../ground/locks.js'
import { userNotFound } from '../../people/users/calling-user.js'
import { addAdmin } from './add-first-admin.js'

/** Like `addFirstAdmin`, for a user that an operator names. */
@Controller()
export class AddFirstAdminFor {
  constructor(private readonly database: Database) {}

  @Handle(addFirstAdminFor)
  async execute(
    { founded_organization_id: organizationId, email }: Input<typeof addFirstAdminFor>,
    by: Principal,
  ): Promise<Output<typeof addFirstAdminFor>> {
    return this.database.transaction(async (transaction) => {
      const user = await lockUserByEmail(transaction, email)
      if (!user) throw userNotFound()
      await addAdmin(transaction, { organizationId, userId: user.id }, by)
      return { user_id: user.id }
    })
  }
}
