import { compareCells, type CellKey } from '@bearing/contracts/location/cell-identity'
import {
  cellBytes,
  decodeContribution,
  encodeContribution,
  type StoredContribution,
} from '@bearing/positioning/learning/contribution-codec'
import {
  decodeRadioCell,
  encodeRadioCell,
  withoutArea,
} from '@bearing/positioning/learning/radio-cell-statistics'
import type pg from 'pg'
import { CELL_COLUMNS, cellColumns } from '../cells/cell-columns.js'
import { eachPage, type Leave } from './each-page.js'
import type { Area } from './forgotten.js'

/** What is left of a contribution, as it is stored; null where that is nothing. */
export function encodeKept(kept: StoredContribution): Buffer | null {
  const isNothing = kept.readings.length === 0 && (kept.cells?.length ?? 0) === 0
  return isNothing ? null : Buffer.from(encodeContribution(kept))
}

/**
 * Takes a radio cell out of what a layer has learned, and out of what an organization has contributed.
 *
 * @param client in a transaction that holds the lock of the layer
 * @returns whether it came to the end
 */
export async function sweepCell(
  client: pg.ClientBase,
  layer: string,
  cell: CellKey,
  leave: Leave,
): Promise<boolean> {
  await client.query(
    `DELETE FROM learned_cells WHERE organization_id = $1 AND (${CELL_COLUMNS}) = ($2, $3, $4, $5, $6)`,
    [layer, ...cellColumns([cell]).flat()],
  )
  // Its bytes stand in what was stored as they are; they may be there by chance as well.
  const statement = `SELECT id AS key, contribution AS bytes FROM observations
    WHERE organization_id = $1 AND position($2 IN contribution) > 0`
  return eachPage(client, statement, [layer, Buffer.from(cellBytes(cell))], leave, async (rows) => {
    for (const row of rows) {
      const stored = decodeContribution(row.bytes)
      const cells = stored.cells?.filter((other) => compareCells(cell, other) !== 0)
      await client.query('UPDATE observations SET contribution = $2 WHERE id = $1', [
        row.key,
        encodeKept({ ...stored, cells }),
      ])
    }
  })
}

/**
 * Takes what was heard in an area out of what a layer has learned of radio cells.
 *
 * @param client in a transaction that holds the lock of the layer
 * @returns whether it came to the end
 */
export async function sweepCellsOfArea(
  client: pg.ClientBase,
  layer: string,
  area: Area,
  leave: Leave,
): Promise<boolean> {
  // Who learns waits for the lock of the layer, so rows stay where they are.
  const statement =
    'SELECT ctid::text AS key, statistics AS bytes FROM learned_cells WHERE organization_id = $1'
  return eachPage(client, statement, [layer], leave, async (rows) => {
    for (const { key, bytes } of rows) {
      const known = decodeRadioCell(bytes)
      const kept = withoutArea(known, area, area.radius)
      if (kept === known) continue
      if (kept)
        await client.query(
          'UPDATE learned_cells SET statistics = $2, updated_at = now() WHERE ctid = $1::tid',
          [key, Buffer.from(encodeRadioCell(kept))],
        )
      else await client.query('DELETE FROM learned_cells WHERE ctid = $1::tid', [key])
    }
  })
}
