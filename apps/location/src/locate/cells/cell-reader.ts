import type { CellKey } from '@bearing/contracts/location/cell-identity'
import { layeredRadioCell, type RadioCellRecord } from '@bearing/positioning/learning/layered-radio-cell'
import type { KnownCell } from '@bearing/positioning/cells/locate-cells'
import { Injectable } from '@nestjs/common'
import { ReadPool } from '../../ground/read-pool.js'
import { RADIO_CELL } from '../../ground/stations/radio-cell.js'
import { NOBODY, SharingGroups } from '../../sharing/sharing-groups.js'
import { learnedIn, readStations, type LayerRows } from '../known-stations.js'

/** A radio cell that is known. */
export interface FoundCell {
  readonly key: CellKey
  readonly known: KnownCell
  /** What the organization itself stores of it. */
  readonly own: LayerRows
}

/** Finds what an organization and the shared layer know of radio cells. */
@Injectable()
export class CellReader {
  constructor(
    private readonly pool: ReadPool,
    private readonly groups: SharingGroups,
  ) {}

  /** Returns the known ones of some cells. One read. */
  async find(organizationId: string, cells: readonly CellKey[]): Promise<readonly FoundCell[]> {
    if (cells.length === 0) return []
    const stations = await readStations(this.pool, RADIO_CELL, organizationId, cells)
    const isContributed = stations.some(({ shared }) => shared.contributors)
    const groupOf = isContributed ? await this.groups.for(organizationId.toLowerCase()) : NOBODY
    return stations.flatMap(({ key, own, shared }) => {
      const known = layeredRadioCell(recordOf(own), recordOf(shared), groupOf)
      return known ? [{ key, known, own }] : []
    })
  }
}

/** Returns what the organization alone knows of a cell. */
export function ownPart({ own }: FoundCell): KnownCell | undefined {
  return layeredRadioCell(recordOf(own), {}, NOBODY)
}

function recordOf(rows: LayerRows): RadioCellRecord {
  const learned = learnedIn(RADIO_CELL, rows)
  if (!rows.imported) return learned
  const [lat, lon, rangeMeters, samples] = rows.imported as [number, number, number, number] // `importedColumns`
  return { ...learned, imported: { lat, lon, rangeMeters, samples } }
}
