import type { CellKey } from '@bearing/contracts/location/cells/cell-identity'
import {
  layeredRadioCell,
  type RadioCellRecord,
} from '@bearing/positioning/learning/layers/layered-radio-cell'
import type { KnownCell } from '@bearing/positioning/cells/locate-cells'
import { Injectable } from '@nestjs/common'
import { ReadPool } from '../../ground/read-pool.js'
import { RADIO_CELL } from '../../ground/stations/radio-cell.js'
import { learnedIn, readStations, type LayerRows } from '../known-stations.js'

type Rows = LayerRows<typeof RADIO_CELL.importedColumns>

/** A radio cell that is known. */
export interface FoundCell {
  readonly key: CellKey
  readonly known: KnownCell
  /** Rows that the organization itself stores of it. */
  readonly own: Rows
}

/** Finds what an organization and the base layer know of radio cells. */
@Injectable()
export class CellReader {
  constructor(private readonly pool: ReadPool) {}

  /** Returns the known ones of some cells. One read. */
  async find(organizationId: string, cells: readonly CellKey[]): Promise<readonly FoundCell[]> {
    if (cells.length === 0) return []
    const stations = await readStations(this.pool, RADIO_CELL, organizationId, cells)
    return stations.flatMap(({ key, own, base }) => {
      const known = layeredRadioCell(recordOf(own), recordOf(base))
      return known ? [{ key, known, own }] : []
    })
  }
}

/** Returns what the organization alone knows of a cell. */
export function ownPart({ own }: FoundCell): KnownCell | undefined {
  return layeredRadioCell(recordOf(own), {})
}

function recordOf(rows: Rows): RadioCellRecord {
  const learned = learnedIn(RADIO_CELL, rows)
  if (!rows.imported) return learned
  const [lat, lon, rangeMeters, samples] = rows.imported
  return { ...learned, imported: { lat, lon, rangeMeters, samples } }
}
