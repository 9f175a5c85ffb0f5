import { formatCell, type CellKey } from '@bearing/contracts/location/cell-identity'
import { layeredRadioCell, type RadioCellRecord } from '@bearing/positioning/learning/layered-radio-cell'
import { decodeContributors } from '@bearing/positioning/learning/contributors'
import { decodeRadioCell } from '@bearing/positioning/learning/radio-cell-statistics'
import type { KnownCell } from '@bearing/positioning/locate-cells'
import { Injectable } from '@nestjs/common'
import { SHARED_LAYER } from '../../ground/layer.js'
import { ReadPool } from '../../ground/read-pool.js'
import { NOBODY, SharingGroups } from '../../sharing/sharing-groups.js'
import { CELL_COLUMNS, cellColumns, cellOfRow, type CellRow } from '../../ground/stations/cell-columns.js'

/** For each cell one short range of one primary key, and two rows of the other. */
export const READ_CELLS = `
  SELECT ${CELL_COLUMNS}, layer = $6, lat, lon, range, samples, statistics, contributors
  FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::bigint[]) AS asked (${CELL_COLUMNS})
  CROSS JOIN LATERAL (
    (SELECT organization_id AS layer, lat, lon, range, samples, NULL::bytea AS statistics, NULL::bytea AS contributors FROM cells AS known
    WHERE known.radio = asked.radio AND known.mcc = asked.mcc AND known.mnc = asked.mnc
      AND known.area = asked.area AND known.cell = asked.cell AND organization_id IN ($6::uuid, $7::uuid)
    LIMIT 2)
    UNION ALL
    (SELECT organization_id, 0, 0, 0, 0, statistics, contributors FROM learned_cells AS known
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
  contributors: Uint8Array | null,
]

/** Finds what is known of radio cells: what an organization knows itself, and what is shared. */
@Injectable()
export class CellReader {
  constructor(
    private readonly pool: ReadPool,
    private readonly groups: SharingGroups,
  ) {}

  /** Those of the cells that are known, in one read. */
  async find(organizationId: string, cells: readonly CellKey[]): Promise<readonly KnownCell[]> {
    if (cells.length === 0) return []
    const rows = await this.pool.tuples<Row>('read-cells', READ_CELLS, cellParameters(organizationId, cells))
    const isContributed = rows.some(({ 11: contributors }) => contributors)
    const groupOf = isContributed ? await this.groups.for(organizationId.toLowerCase()) : NOBODY
    return [...Map.groupBy(rows, (row) => formatCell(cellOfRow(row))).values()].flatMap((ofOne) => {
      const of = (shared: boolean) => recordOf(ofOne.filter(({ 5: isShared }) => isShared === shared))
      return layeredRadioCell(of(false), of(true), groupOf) ?? []
    })
  }
}

/** What a layer has of a cell: at most one row of each table. */
function recordOf(rows: readonly Row[]): RadioCellRecord {
  const record: { -readonly [Key in keyof RadioCellRecord]: RadioCellRecord[Key] } = {}
  for (const [, , , , , , lat, lon, rangeMeters, samples, statistics, contributors] of rows)
    if (statistics) {
      record.statistics = decodeRadioCell(statistics)
      record.contributors = decodeContributors(contributors)
    } else record.imported = { lat, lon, rangeMeters, samples }
  return record
}

/** The parameters of {@link READ_CELLS}. */
export function cellParameters(organizationId: string, cells: readonly CellKey[]): unknown[] {
  return [...cellColumns(cells), SHARED_LAYER, organizationId.toLowerCase()]
}
