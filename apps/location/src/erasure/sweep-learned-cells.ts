import type { CellKey } from '@bearing/contracts/location/cell-identity'
import {
  decodeRadioCell,
  encodeRadioCell,
  withoutArea,
  type RadioCellStatistics,
} from '@bearing/positioning/learning/radio-cell-statistics'
import {
  contributorsWithout,
  decodeContributors,
  RADIO_CELL_BOUNDS,
  type Contributors,
} from '@bearing/positioning/learning/contributors'
import { squaresOutside } from '@bearing/positioning/learning/squares-outside'
import type pg from 'pg'
import { CELL_COLUMNS, cellColumns, cellOfRow, type CellRow } from '../ground/stations/cell-columns.js'
import { lockLayers } from '../ground/locks.js'
import type { CellAddition } from '../learn/add-cell-statistics.js'
import { NUMBERS, packBytes, packContributors } from '../ground/packed-bytes.js'
import { untilDone } from './short-transaction.js'
import type { Area } from '../ground/tombstones.js'

/** Radio cells that are read at once: few enough that a look-up never waits for long. */
const PAGE = 500

const GIVEN = `unnest($2::smallint[], $3::smallint[], $4::smallint[], $5::int[], $6::bigint[])`
const SAME = `known.organization_id = $1 AND (known.radio, known.mcc, known.mnc, known.area, known.cell)
  = (given.radio, given.mcc, given.mnc, given.area, given.cell)`
/** Locked in the order of their identities, as by who learns: nothing can deadlock. */
const LOCK = `
  SELECT ${CELL_COLUMNS}, statistics, contributors FROM ${GIVEN} AS given (${CELL_COLUMNS}) JOIN learned_cells AS known USING (${CELL_COLUMNS})
  WHERE organization_id = $1 ORDER BY ${CELL_COLUMNS} FOR UPDATE OF known`

type Row = [...CellRow, statistics: Buffer, contributors: Buffer | null]

/**
 * Takes what was heard in areas out of what a layer has learned of radio cells.
 *
 * @param client in no transaction; whoever learns has seen the areas
 * @returns after each page: that others may have their turn
 */
export async function* sweepLearnedCells(
  client: pg.ClientBase,
  layer: string,
  areas: readonly Area[],
): AsyncGenerator<'blocked' | undefined, void, undefined> {
  const text = `SELECT ${CELL_COLUMNS}, statistics, NULL FROM learned_cells WHERE organization_id = $1
    AND (${CELL_COLUMNS}) > ($2, $3, $4, $5, $6) ORDER BY ${CELL_COLUMNS} LIMIT ${String(PAGE)}`
  for (let last = [0, 0, 0, 0, 0]; ;) {
    const values = [layer, ...last]
    const { rows } = await client.query<Row>({ text, values, rowMode: 'array', types: NUMBERS })
    const found = rows.filter((row) => {
      const statistics = decodeRadioCell(row[5])
      return leftOf(statistics, areas) !== statistics
    })
    if (found.length > 0) yield* untilDone(client, () => rewrite(client, layer, found.map(cellOfRow), areas))
    last = rows.at(-1)?.slice(0, 5).map(Number) ?? last
    if (rows.length < PAGE) return
    yield undefined
  }
}

/**
 * Takes radio cells out of what a layer has learned.
 *
 * @param client in no transaction; whoever learns has seen that they were forgotten
 */
export async function* removeLearnedCells(
  client: pg.ClientBase,
  layer: string,
  cells: readonly CellKey[],
): AsyncGenerator<'blocked', void, undefined> {
  if (cells.length === 0) return
  yield* untilDone(client, async () => {
    await lockLayers(client, [layer])
    await remove(client, layer, cells)
  })
}

/** Whoever learns goes on; who learns it anew waits. */
async function rewrite(
  client: pg.ClientBase,
  layer: string,
  cells: readonly CellKey[],
  areas: readonly Area[],
): Promise<void> {
  await lockLayers(client, [layer])
  const { rows } = await client.query<Row>({
    text: LOCK,
    values: [layer, ...cellColumns(cells)],
    rowMode: 'array',
    types: NUMBERS,
  })
  const kept: Omit<CellAddition, 'layer'>[] = []
  const gone: CellKey[] = []
  for (const row of rows) {
    const statistics = leftOf(decodeRadioCell(row[5]), areas)
    const contributors = contributorsLeft(row[6], areas)
    if (statistics) kept.push({ cell: cellOfRow(row), statistics, contributors })
    else gone.push(cellOfRow(row))
  }
  await remove(client, layer, gone)
  const { bytes, starts, lengths } = packBytes(kept.map(({ statistics }) => encodeRadioCell(statistics)))
  const more = packContributors(kept)
  await client.query(
    `UPDATE learned_cells AS known SET statistics = substr($7::bytea, start, length), updated_at = now(),
       contributors = CASE WHEN length_of_more > 0 THEN substr($10::bytea, start_of_more, length_of_more) END
     FROM unnest($2::smallint[], $3::smallint[], $4::smallint[], $5::int[], $6::bigint[], $8::int[], $9::int[], $11::int[], $12::int[])
       AS given (${CELL_COLUMNS}, start, length, start_of_more, length_of_more) WHERE ${SAME}`,
    [
      ...[layer, ...cellColumns(kept.map(({ cell }) => cell)), bytes, starts, lengths],
      ...[more.bytes, more.starts, more.lengths],
    ],
  )
}

/** The contributors without the squares that have a part in an area. */
function contributorsLeft(bytes: Buffer | null, areas: readonly Area[]): Contributors {
  return areas.reduce<Contributors>(
    (left, area) => contributorsWithout(left, squaresOutside(area, area.radius), RADIO_CELL_BOUNDS),
    decodeContributors(bytes),
  )
}

async function remove(client: pg.ClientBase, layer: string, cells: readonly CellKey[]): Promise<void> {
  if (cells.length === 0) return
  const values = [layer, ...cellColumns(cells)]
  await client.query(LOCK, values)
  await client.query(
    `DELETE FROM learned_cells AS known USING ${GIVEN} AS given (${CELL_COLUMNS}) WHERE ${SAME}`,
    values,
  )
}

/** The same where nothing goes; undefined where nothing is left. */
function leftOf(statistics: RadioCellStatistics, areas: readonly Area[]): RadioCellStatistics | undefined {
  let left: RadioCellStatistics | undefined = statistics
  for (const area of areas) left = left && withoutArea(left, area, area.radius)
  return left
}
