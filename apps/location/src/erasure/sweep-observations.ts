import {
  decodeContribution,
  encodeContribution,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows, type RowOf } from '../ground/read-rows.js'
import type { Tombstones } from '../ground/tombstones.js'
import { PAGE, sweepPages, type Steps } from './pages.js'
import { mayContain, tombstonesOf, type ToSweep } from './to-sweep.js'

const columns = { id: 'uuid', contribution: 'bytea' } as const
const dated = { ...columns, received_at: 'timestamptz' } as const

/** Before every row. */
const FIRST = { received_at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
const NOTHING = new Uint8Array()

/**
 * Removes erased stations and areas from the contributions of an organization, in one pass.
 *
 * @param client in no transaction
 * @returns how many contributions cannot be read, and stay as they are
 */
export async function* sweepObservations(
  client: pg.ClientBase,
  layer: string,
  toSweep: ToSweep,
): Steps<number> {
  const tombstones = tombstonesOf(toSweep)
  const condition = mayContain(toSweep, 'contribution', 4)
  const text = `SELECT id, contribution, received_at FROM observations
    WHERE organization_id = $1 AND contribution IS NOT NULL
      AND received_at >= $2 AND (received_at, id) > ($2, $3::uuid) AND ${condition.text}
    ORDER BY received_at, id LIMIT ${String(PAGE)}`
  let unreadable = 0
  yield* sweepPages<RowOf<typeof dated>>(client, {
    read: (last) => {
      const { received_at, id } = last ?? FIRST
      return readRows(client, { text, columns: dated }, [layer, received_at, id, ...condition.values])
    },
    isChanged: ({ contribution }) => {
      const kept = keptIfReadable(contribution, tombstones)
      if (!kept) unreadable++
      return kept !== undefined && kept !== contribution
    },
    rewrite: (rows) =>
      rewrite(
        client,
        rows.map(({ id }) => id),
        tombstones,
      ),
  })
  return unreadable
}

/** Returns undefined if this version cannot read it: a newer one may have written it. */
function keptIfReadable(bytes: Buffer, tombstones: Tombstones): Uint8Array | undefined {
  try {
    return keptOf(bytes, tombstones)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function rewrite(client: pg.ClientBase, ids: readonly string[], tombstones: Tombstones): Promise<void> {
  const text = `SELECT id, contribution FROM observations WHERE id = ANY ($1::uuid[]) AND contribution IS NOT NULL
    ORDER BY id FOR NO KEY UPDATE`
  const rows = await readRows(client, { text, columns }, [ids])
  const { bytes, starts, lengths } = packBytes(rows.map((row) => keptOf(row.contribution, tombstones)))
  await client.query(
    `UPDATE observations AS stored SET contribution = CASE WHEN length > 0 THEN substr($1::bytea, start, length) END,
       height = CASE WHEN length > 0 THEN height END
     FROM unnest($2::uuid[], $3::int[], $4::int[]) AS given (id, start, length) WHERE stored.id = given.id`,
    [bytes, rows.map(({ id }) => id), starts, lengths],
  )
}

/** Returns what is left of a contribution: the same bytes if all of it is, none if nothing is. */
function keptOf(bytes: Buffer, tombstones: Tombstones): Uint8Array {
  const stored = decodeContribution(bytes)
  if (tombstones.hasPlace(stored.lat, stored.lon)) return NOTHING
  const kept = tombstones.removeFrom(stored)
  if (kept === stored) return bytes
  return kept.readings.length === 0 && (kept.cells?.length ?? 0) === 0 ? NOTHING : encodeContribution(kept)
}
