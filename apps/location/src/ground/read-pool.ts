import { Injectable } from '@nestjs/common'
import type pg from 'pg'
import { readRows, type Columns, type RowOf, type Statement } from './read-rows.js'

/** Time-out of a read, in milliseconds. With 2 s to connect it is less than the 5 s that callers wait. */
export const READ_MS = 2_500

/** Reads for look-ups, from a replica if there is one. */
@Injectable()
export class ReadPool {
  constructor(private readonly pool: Pick<pg.Pool, 'query'>) {}

  /** @throws the driver's error if the database does not answer in time */
  rows<const Some extends Columns>(
    statement: Statement<Some>,
    values: readonly unknown[],
  ): Promise<RowOf<Some>[]> {
    return readRows(this.pool, { ...statement, query_timeout: READ_MS }, values)
  }
}
