import { deletePartnerConnection } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { deleteConnection } from '../connections/delete-sso-connection.js'

@Controller()
export class DeletePartnerConnection {
  constructor(private readonly database: Database) {}

  @Handle(deletePartnerConnection)
  async execute(
    { connection_id: id }: Input<typeof deletePartnerConnection>,
    by: Principal,
  ): Promise<Output<typeof deletePartnerConnection>> {
    await this.database.transaction((transaction) => deleteConnection(transaction, by, id, null))
    return {}
  }
}
