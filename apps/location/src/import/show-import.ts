import { showImport } from '@bearing/contracts/location/access-points/access-point-import'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { writableLayer } from '../ground/layer.js'
import { findImport, viewImport } from './import-view.js'

/** Shows the progress of an import to those who may write to its layer. */
@Controller()
export class ShowImport {
  constructor(private readonly database: Database) {}

  @Handle(showImport)
  async execute(input: Input<typeof showImport>, by: Principal): Promise<Output<typeof showImport>> {
    const layer = writableLayer(input.organization_id, by)
    return viewImport(this.database, await findImport(this.database, layer, input.import_id))
  }
}
