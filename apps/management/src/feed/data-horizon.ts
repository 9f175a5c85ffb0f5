import { Horizon } from '@bearing/service/store/horizon'
import { Injectable } from '@nestjs/common'
import { Database } from '../ground/database.js'

/** Knows up to which position the data of devices is complete. */
@Injectable()
export class DataHorizon extends Horizon {
  constructor(database: Database) {
    super(database, 'data_positions')
  }
}
