import { formatCell } from '@bearing/contracts/location/cells/cell-identity'
import { unpackCells, type PlacedCell } from '@bearing/contracts/location/cells/packed-cells'
import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import { RADIO_CELL } from '../ground/stations/radio-cell.js'
import type { Tombstones } from '../ground/tombstones.js'

/** Puts cells in the place of what the layer had, in the order of its index; each once. */
const PUT = {
  name: 'put-cells',
  text: `
    INSERT INTO cells (radio, mcc, mnc, area, cell, organization_id, lat, lon, range, samples, updated_at)
    SELECT radio, mcc, mnc, area, cell, $1::uuid, lat, lon, range, samples, $2::timestamptz
    FROM unnest($3::smallint[], $4::smallint[], $5::smallint[], $6::int[], $7::bigint[], $8::float8[], $9::float8[],
      $10::float8[], $11::int[]) AS given (radio, mcc, mnc, area, cell, lat, lon, range, samples)
    ORDER BY radio, mcc, mnc, area, cell
    ON CONFLICT (radio, mcc, mnc, area, cell, organization_id) DO UPDATE
    SET lat = excluded.lat, lon = excluded.lon, range = excluded.range, samples = excluded.samples, updated_at = excluded.updated_at
    RETURNING xmax = 0 AS added`,
  columns: { added: 'bool' },
} as const

/** Numbers of new and of replaced cells. */
export interface MergedCells {
  readonly added: number
  readonly updated: number
}

/**
 * Merges a batch of cells (`packed-cells.ts` of the contracts) into a layer, without erased ones. The last row of a cell wins.
 *
 * @param client in the transaction of the commit, which holds the lock of the layer
 */
export async function mergeCells(
  client: pg.ClientBase,
  layer: string,
  payload: Uint8Array,
  now: Date,
  tombstones: Tombstones,
): Promise<MergedCells> {
  const kept = unpackCells(payload).filter((cell) => tombstones.keeps(RADIO_CELL, cell, cell.lat, cell.lon))
  const cells = new Map(kept.map((cell) => [formatCell(cell), cell]))
  const column = (name: keyof PlacedCell) => Array.from(cells.values(), (cell) => cell[name])
  const rows = await readRows(client, PUT, [
    layer,
    now,
    ...(['radio', 'mcc', 'mnc', 'area', 'cell', 'lat', 'lon', 'range', 'samples'] as const).map(column),
  ])
  const added = rows.filter((row) => row.added).length
  return { added, updated: rows.length - added }
}
