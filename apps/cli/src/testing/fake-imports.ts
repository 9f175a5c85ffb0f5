import { OperationError } from '@bearing/contracts/errors'
import { unpackRows } from '@bearing/contracts/location/access-points/packed-rows'
import type { Import } from '../location/access-points/import-target.js'
import { CREATED_AT, id, type Answers } from './fake-gateway.js'

/** The location service, as far as imports go. */
export class FakeImports {
  state: Import = {
    ...{ id: id(20), content: 'observations', state: 'open', created_at: CREATED_AT, batches: 0, rows: 0 },
    ...{ next_batch: 0, next_row: 0 },
    ...{ added: null, updated: null, failure: null },
  }
  digest: string | undefined
  readonly batches = new Map<number, unknown[][]>()
  readonly answers: Answers = {
    beginImport: ({ content, digest }) => {
      this.digest = digest
      this.state = { ...this.state, content }
      return this.state
    },
    appendToImport: ({ batch, packed = '' }) => {
      const rows: unknown[][] = []
      unpackRows(Buffer.from(packed, 'base64'), (bssid, lat, lon, dbm) =>
        rows.push([bssid, lat, lon, dbm ?? null]),
      )
      this.batches.set(batch, rows)
      return { rows: rows.length }
    },
    commitImport: ({ batches, rows }) => {
      if (batches !== this.batches.size || rows !== this.rows.length)
        throw new OperationError('import_conflict', 'What was stored is not what was sent.')
      this.state = { ...this.state, state: 'committing' }
      return this.state
    },
    showImport: () => {
      const shown = this.state
      this.state = { ...shown, state: 'committed', added: this.rows.length, updated: 0 }
      return shown
    },
  }

  get rows(): unknown[][] {
    return [...this.batches].sort(([a], [b]) => a - b).flatMap(([, rows]) => rows)
  }
}
