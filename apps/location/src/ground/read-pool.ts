import { Injectable } from '@nestjs/common'
import pg from 'pg'

/**
 * How long reading may take, in milliseconds. Together with the 2 s that a connection may take it is less than the 5 s
 * that callers wait, so that a database that hangs is told as such.
 */
export const READ_MS = 2_500

/** Addresses and cells are exact as numbers; as the texts that the driver makes they would be slow. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Reads for positions: from a replica where there is one, else from the database itself. */
@Injectable()
export class ReadPool {
  constructor(private readonly pool: pg.Pool) {}

  /**
   * Rows as tuples: faster than as objects.
   *
   * @param name of the prepared statement, one for each text
   * @throws the driver's error where the database does not answer in time
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
      types,
      query_timeout: READ_MS,
    }
    return (await this.pool.query<Row>(query)).rows
  }
}
