import { compareCells, formatCell, type CellKey } from '@bearing/contracts/location/cell-identity'
import {
  decodeRadioCell,
  encodeRadioCell,
  mergeRadioCells,
  type RadioCellStatistics,
} from '@bearing/positioning/learning/radio-cell-statistics'
import {
  decodeContributors,
  mergeContributors,
  RADIO_CELL_BOUNDS,
  type Contributors,
} from '@bearing/positioning/learning/contributors'
import type pg from 'pg'
import { CELL_COLUMNS, cellColumns, cellOfRow, type CellRow } from '../ground/stations/cell-columns.js'
import { NUMBERS, packBytes, packContributors } from '../ground/packed-bytes.js'

/** What is to be added to what is known of a radio cell in a layer. */
export interface CellAddition {
  readonly layer: string
  readonly cell: CellKey
  readonly statistics: RadioCellStatistics
  /** As of access points. */
  readonly contributors: Contributors
}

/** Rows that are locked, read and written at once. */
const AT_ONCE = 5_000

const KEY = `organization_id, ${CELL_COLUMNS}`

const GIVEN = `
  SELECT layer, ${CELL_COLUMNS}, substr($7::bytea, start, length) AS statistics,
    CASE WHEN length_of_more > 0 THEN substr($11::bytea, start_of_more, length_of_more) END AS contributors
  FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::bigint[], $6::uuid[], $8::int[], $9::int[], $12::int[], $13::int[])
    WITH ORDINALITY AS given (${CELL_COLUMNS}, layer, start, length, start_of_more, length_of_more, number)
  ORDER BY number`

/** Adds the rows that there are none of, and locks the others, in the order in which they are given: nothing can deadlock. */
const ADD_OR_LOCK = `
  INSERT INTO learned_cells AS known (${KEY}, statistics, updated_at, contributors)
  SELECT layer, ${CELL_COLUMNS}, statistics, $10::timestamptz, contributors FROM (${GIVEN}) AS given
  ON CONFLICT (${KEY}) DO UPDATE SET updated_at = known.updated_at WHERE false
  RETURNING ${CELL_COLUMNS}, organization_id`

const REPLACE = `
  INSERT INTO learned_cells (${KEY}, statistics, updated_at, contributors)
  SELECT layer, ${CELL_COLUMNS}, statistics, $10::timestamptz, contributors FROM (${GIVEN}) AS given
  ON CONFLICT (${KEY}) DO UPDATE SET
    statistics = excluded.statistics, updated_at = excluded.updated_at, contributors = excluded.contributors`

const READ = `
  SELECT ${CELL_COLUMNS}, organization_id, statistics, contributors
  FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::bigint[], $6::uuid[])
    AS asked (${CELL_COLUMNS}, organization_id)
  JOIN learned_cells USING (${KEY})`

type Known = Pick<CellAddition, 'statistics' | 'contributors'>
type Row = [...CellRow, layer: string]

/**
 * Adds to what is known of radio cells, as `addStatistics` does of access points. A cell is as large as a part of a town: many
 * who learn at the same time wait for its row. So it is taken last, right before the transaction ends.
 *
 * @param client in a transaction
 * @param additions each cell of a layer once
 */
export async function addCellStatistics(
  client: pg.ClientBase,
  additions: readonly CellAddition[],
  now: Date,
): Promise<void> {
  const sorted = [...additions].sort(
    (a, b) => (a.layer < b.layer ? -1 : a.layer > b.layer ? 1 : 0) || compareCells(a.cell, b.cell),
  )
  for (let start = 0; start < sorted.length; start += AT_ONCE)
    await addSome(client, sorted.slice(start, start + AT_ONCE), now)
}

async function addSome(client: pg.ClientBase, additions: readonly CellAddition[], now: Date): Promise<void> {
  const { rows } = await client.query<Row>({
    name: 'add-or-lock-cell-statistics',
    text: ADD_OR_LOCK,
    values: valuesOf(additions, now),
    rowMode: 'array',
    types: NUMBERS,
  })
  const isNew = new Set(rows.map((row) => nameOf(cellOfRow(row), row[5])))
  const old = additions.filter(({ cell, layer }) => !isNew.has(nameOf(cell, layer)))
  if (old.length === 0) return
  const known = await readCellStatistics(client, old)
  const changed = old.map((addition) => {
    const before = known.get(nameOf(addition.cell, addition.layer))
    if (!before) throw new Error('a row that was locked is gone')
    return {
      ...addition,
      statistics: mergeRadioCells([before.statistics, addition.statistics]),
      contributors: mergeContributors([before.contributors, addition.contributors], RADIO_CELL_BOUNDS),
    }
  })
  await client.query({ name: 'replace-cell-statistics', text: REPLACE, values: valuesOf(changed, now) })
}

async function readCellStatistics(
  client: pg.ClientBase,
  keys: readonly CellAddition[],
): Promise<Map<string, Known>> {
  const { rows } = await client.query<[...Row, statistics: Buffer, contributors: Buffer | null]>({
    name: 'read-cell-statistics',
    text: READ,
    values: [...cellColumns(keys.map(({ cell }) => cell)), keys.map(({ layer }) => layer)],
    rowMode: 'array',
    types: NUMBERS,
  })
  return new Map(
    rows.map((row) => [
      nameOf(cellOfRow(row), row[5]),
      { statistics: decodeRadioCell(row[6]), contributors: decodeContributors(row[7]) },
    ]),
  )
}

function nameOf(cell: CellKey, layer: string): string {
  return `${formatCell(cell)} ${layer}`
}

function valuesOf(additions: readonly CellAddition[], now: Date): unknown[] {
  const more = packContributors(additions)
  const { bytes, starts, lengths } = packBytes(additions.map(({ statistics }) => encodeRadioCell(statistics)))
  return [
    ...cellColumns(additions.map(({ cell }) => cell)),
    additions.map(({ layer }) => layer),
    ...[bytes, starts, lengths, now],
    ...[more.bytes, more.starts, more.lengths],
  ]
}
