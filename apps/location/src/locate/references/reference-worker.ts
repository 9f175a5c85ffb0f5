import { randomInt } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { decodeReadings } from '@bearing/positioning/learning/evidence/contribution-codec'
import {
  buffersOf,
  referenceIndex,
  type ReferenceIndex,
  type ReferenceScan,
} from '@bearing/positioning/references/reference-index'
import type { Height } from '@bearing/positioning/earth/height'
import { toVector } from '@bearing/positioning/earth/sphere'
import pg from 'pg'
import { readRows, type RowOf } from '../../ground/read-rows.js'
import { READ_SCANS, readerSettings } from './read-scans.js'

/** Settings of a thread that indexes reference scans. */
export interface IndexingSettings {
  /** Of the database that positions are looked up in; secret. */
  readonly databaseUrl: string
  /** Time-out of reading, in milliseconds. */
  readonly readMs: number
}

/** The reference scans of a project, or the error of the driver. */
export type IndexAnswer =
  { readonly index: ReferenceIndex } | { readonly message: string; readonly code: string | undefined }

/** Bytes of a reading (`encodeReadings`). */
const READING_BYTES = 7
/** Of this thread: who contributes cannot choose addresses that take each other's place in the index. */
const SEED = randomInt(2 ** 32)

type ScanRow = RowOf<typeof READ_SCANS.columns>

const { databaseUrl, readMs } = workerData as IndexingSettings // its parent has given this
// A connection without work is closed by the pool.
const pool = new pg.Pool(readerSettings(databaseUrl, readMs))
pool.on('error', () => undefined)

parentPort?.on('message', (ids: readonly [projectId: string, organizationId: string]) => {
  void answer(ids)
})

async function answer(ids: readonly string[]): Promise<void> {
  try {
    const rows = await readRows(pool, READ_SCANS, ids)
    const readings = rows.reduce((sum, row) => sum + row[2].length / READING_BYTES, 0)
    const index = referenceIndex(scansOf(rows), { scans: rows.length, readings }, SEED)
    send({ index }, buffersOf(index))
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown } // the driver throws nothing else
    send({ message, code: typeof code === 'string' ? code : undefined }, [])
  }
}

function send(answer: IndexAnswer, transferred: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(answer, transferred)
}

function* scansOf(rows: readonly ScanRow[]): Generator<ReferenceScan> {
  for (const [lat, lon, readings, height] of rows)
    yield {
      place: toVector({ lat, lon }),
      readings: decodeReadings(readings),
      height: (height as Height | null) ?? undefined,
    } // as learning has stored them
}
