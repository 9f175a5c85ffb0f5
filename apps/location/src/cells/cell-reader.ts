import { formatCell, type CellKey } from '@bearing/contracts/location/cell-identity'
import { layeredRadioCell, type RadioCellRecord } from '@bearing/positioning/learning/layered-radio-cell'
import { decodeRadioCell } from '@bearing/positioning/learning/radio-cell-statistics'
import type { KnownCell } from '@bearing/positioning/locate-cells'
import { Injectable } from '@nestjs/common'
import { SHARED_LAYER } from '../layer.js'
import { ReadPool } from '../read-pool.js'
import { CELL_COLUMNS, cellColumns, cellOfRow, type CellRow } from './cell-columns.js'

/** For each cell one short range of one primary key, and two rows of the other. */
export const READ_CELLS = `
  SELECT ${CELL_COLUMNS}, layer = $6, lat, lon, range, samples, statistics
  FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::bigint[]) AS asked (${CELL_COLUMNS})
  CROSS JOIN LATERAL (
    (SELECT organization_id AS layer, lat, lon, range, samples, NULL::bytea AS statistics FROM cells AS known
    WHERE known.radio = asked.radio AND known.mcc = asked.mcc AND known.mnc = asked.mnc
      AND known.area = asked.area AND known.cell = asked.cell AND organization_id IN ($6::uuid, $7::uuid)
    LIMIT 2)
    UNION ALL
    (SELECT organization_id, 0, 0, 0, 0, statistics FROM learned_cells AS known
    WHERE known.radio = asked.radio AND known.mcc = asked.mcc AND known.mnc = asked.mnc
      AND known.area = asked.area AND known.cell = asked.cell AND organization_id IN ($6::uuid, $7::uuid)
    LIMIT 2)
  ) AS found`

type Row = [
  ...CellRow,
  isShared: boolean,
  lat: number,
  lon: number,
  range: number,
  samples: number,
  statistics: Uint8Array | null,
]

/** Finds what is known of radio cells: what an organization knows itself, and what is shared. */
@Injectable()
export class CellReader {
  constructor(private readonly pool: ReadPool) {}

  /** Those of the cells that are known, in one read. */
  async find(organizationId: string, cells: readonly CellKey[]): Promise<readonly KnownCell[]> {
    if (cells.length === 0) return []
    const rows = await this.pool.tuples<Row>('read-cells', READ_CELLS, cellParameters(organizationId, cells))
    return [...Map.groupBy(rows, (row) => formatCell(cellOfRow(row))).values()].flatMap((ofOne) => {
      const of = (shared: boolean) => recordOf(ofOne.filter(({ 5: isShared }) => isShared === shared))
      return layeredRadioCell(of(false), of(true)) ?? []
    })
  }
}

/** What a layer has of a cell: at most one row of each table. */
function recordOf(rows: readonly Row[]): RadioCellRecord {
  const record: { imported?: KnownCell; statistics?: RadioCellRecord['statistics'] } = {}
  for (const [, , , , , , lat, lon, rangeMeters, samples, statistics] of rows)
    if (statistics) record.statistics = decodeRadioCell(statistics)
    else record.imported = { lat, lon, rangeMeters, samples }
  return record
}

/** The parameters of {@link READ_CELLS}. */
export function cellParameters(organizationId: string, cells: readonly CellKey[]): unknown[] {
  return [...cellColumns(cells), SHARED_LAYER, organizationId.toLowerCase()]
}
