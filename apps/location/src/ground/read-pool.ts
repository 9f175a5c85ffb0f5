import { Injectable } from '@nestjs/common'
import type pg from 'pg'
import { NUMBERS } from './packed-bytes.js'

/** Time-out of a read, in milliseconds. With 2 s to connect it is less than the 5 s that callers wait. */
export const READ_MS = 2_500

/** Reads for look-ups, from a replica if there is one. */
@Injectable()
export class ReadPool {
  constructor(private readonly pool: Pick<pg.Pool, 'query'>) {}

  /**
   * Returns rows as tuples, which is faster than as objects.
   *
   * @param name of the prepared statement, one per text
   * @throws the driver's error if the database does not answer in time
   */
  async tuples<Row extends unknown[]>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const query: pg.QueryArrayConfig & { query_timeout: number } = {
      name,
      text,
      values: [...values],
      rowMode: 'array',
      types: NUMBERS,
      query_timeout: READ_MS,
    }
    return (await this.pool.query<Row>(query)).rows
  }
}
