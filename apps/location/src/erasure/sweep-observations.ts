import {
  decodeContribution,
  encodeContribution,
  type StoredContribution,
} from '@bearing/positioning/learning/contribution-codec'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { untilDone } from './short-transaction.js'
import type { Forgotten } from '../ground/tombstones.js'
import { bytesToFind, forgottenOf, hasOneOf, type ToSweep } from './to-sweep.js'

/** Observations that are read at once: few enough that a look-up never waits for long. */
const PAGE = 500
/** Before every other. */
const FIRST = { received_at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }

interface Row {
  readonly id: string
  readonly received_at: Date
  readonly contribution: Buffer
}

/**
 * Takes what is to be forgotten out of what an organization has contributed: one pass, whatever there is to forget. It is read
 * without a lock; what changes is locked for a page, and read again.
 *
 * @param client in no transaction
 * @returns after each page: that others may have their turn; in the end how many cannot be read, and stay as they are
 */
export async function* sweepObservations(
  client: pg.ClientBase,
  layer: string,
  toSweep: ToSweep,
): AsyncGenerator<'blocked' | undefined, number, undefined> {
  const forgotten = forgottenOf(toSweep)
  const bytes = bytesToFind(toSweep)
  const statement = `SELECT id, received_at, contribution FROM observations
    WHERE organization_id = $1 AND contribution IS NOT NULL
      AND received_at >= $2 AND (received_at, id) > ($2, $3::uuid) AND ${hasOneOf('contribution', bytes, 4)}
    ORDER BY received_at, id LIMIT ${String(PAGE)}`
  let unreadable = 0
  for (let last: Omit<Row, 'contribution'> = FIRST; ;) {
    const { rows } = await client.query<Row>(statement, [layer, last.received_at, last.id, ...(bytes ?? [])])
    const found = rows.filter(({ contribution }) => {
      const kept = keptIfRead(contribution, forgotten)
      if (!kept) unreadable++
      return kept && kept !== contribution
    })
    if (found.length > 0)
      yield* untilDone(client, () =>
        rewrite(
          client,
          found.map(({ id }) => id),
          forgotten,
        ),
      )
    last = rows.at(-1) ?? last
    if (rows.length < PAGE) return unreadable
    yield undefined
  }
}

/** Undefined where this version cannot read it: a newer one may have written it. */
function keptIfRead(bytes: Buffer, forgotten: Forgotten): Uint8Array | undefined {
  try {
    return keptOf(bytes, forgotten)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** In the order of ids, which others who hold more than one of them skip (`forget-old.ts`). */
async function rewrite(client: pg.ClientBase, ids: readonly string[], forgotten: Forgotten): Promise<void> {
  const { rows } = await client.query<Omit<Row, 'received_at'>>(
    `SELECT id, contribution FROM observations WHERE id = ANY ($1::uuid[]) AND contribution IS NOT NULL
     ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  )
  const { bytes, starts, lengths } = packBytes(rows.map((row) => keptOf(row.contribution, forgotten)))
  await client.query(
    `UPDATE observations AS stored SET contribution = CASE WHEN length > 0 THEN substr($1::bytea, start, length) END
     FROM unnest($2::uuid[], $3::int[], $4::int[]) AS given (id, start, length) WHERE stored.id = given.id`,
    [bytes, rows.map(({ id }) => id), starts, lengths],
  )
}

const NOTHING = new Uint8Array()

/** What is left of a contribution: the same bytes where everything is, none where nothing is. */
function keptOf(bytes: Buffer, forgotten: Forgotten): Uint8Array {
  const stored = decodeContribution(bytes)
  const { lat, lon, readings, learned, cells = [] } = stored
  if (forgotten.hasPlace(lat, lon)) return NOTHING
  const kept: StoredContribution = {
    ...stored,
    readings: readings.filter(({ bssid }) => forgotten.keeps(bssid, lat, lon)),
    learned: learned.filter(({ bssid }) => forgotten.keeps(bssid, lat, lon)),
    cells: cells.filter((cell) => forgotten.keepsCell(cell, lat, lon)),
  }
  const keptCells = kept.cells?.length ?? 0
  if (kept.readings.length === readings.length && keptCells === cells.length) return bytes
  return kept.readings.length === 0 && keptCells === 0 ? NOTHING : encodeContribution(kept)
}
