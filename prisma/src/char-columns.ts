import type { EventEmitter } from 'node:events'
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import pg from 'pg'

const CHAR_TYPE = 18
const TEXT_TYPE = 25

/**
 * Adds the type `"char"` to Prisma's adapter, which Postgres's catalogs use: without it the engine cannot read
 * what tables there are (prisma/orm#27403). The adapter reads such columns as text, and the engine that they are
 * characters.
 *
 * Only for one query at a time, which is how the engine works.
 */
export function charColumns(): {
  readonly Client: typeof pg.Client
  readonly extend: (adapter: SqlDriverAdapter) => void
} {
  let columns = new Set<number>()
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // The connection reports the columns of a result, which its types lack.
      const { connection } = this as unknown as { connection: EventEmitter }
      connection.prependListener('rowDescription', ({ fields }: { fields: pg.FieldDef[] }) => {
        columns = new Set()
        for (const [index, field] of fields.entries()) {
          if (field.dataTypeID !== CHAR_TYPE) continue
          columns.add(index)
          field.dataTypeID = TEXT_TYPE
        }
      })
    }
  }
  const extend = (adapter: SqlDriverAdapter) => {
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query)
      const columnTypes = result.columnTypes.map((type, index) =>
        columns.has(index) ? ColumnTypeEnum.Character : type,
      )
      return { ...result, columnTypes }
    }
  }
  return { Client, extend }
}
