import { showClientKeys } from '@bearing/contracts/identity/sso/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { noConnection } from './connection-row.js'

@Controller()
export class ShowClientKeys {
  constructor(private readonly database: Database) {}

  @Handle(showClientKeys)
  async execute({ connection_id: id }: Input<typeof showClientKeys>): Promise<Output<typeof showClientKeys>> {
    const row = await this.database.ssoConnection.findUnique({ where: { id }, select: { publicJwk: true } })
    if (!row) throw noConnection()
    return showClientKeys.output.parse({ keys: row.publicJwk === null ? [] : [row.publicJwk] })
  }
}
