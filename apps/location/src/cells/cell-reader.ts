import type { KnownCell } from '@bearing/positioning/locate-cells'
import { Injectable } from '@nestjs/common'
import { ReadPool } from '../read-pool.js'
import { SHARED_LAYER } from '../layer.js'
import type { CellKey } from '@bearing/contracts/location/cell-identity'

/** One round trip, and one short range of the primary key for each cell; an organization's own row comes first. */
export const READ_CELLS = `
  SELECT known.lat, known.lon, known.range, known.samples
  FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::int[], $5::bigint[])
    AS asked (radio, mcc, mnc, area, cell)
  CROSS JOIN LATERAL (
    SELECT lat, lon, range, samples FROM cells
    WHERE cells.radio = asked.radio AND cells.mcc = asked.mcc AND cells.mnc = asked.mnc
      AND cells.area = asked.area AND cells.cell = asked.cell AND organization_id IN ($6::uuid, $7::uuid)
    ORDER BY organization_id = $7 DESC LIMIT 1
  ) AS known`

/** Finds what is known of radio cells: an organization's own layer first, then the shared one. */
@Injectable()
export class CellReader {
  constructor(private readonly pool: ReadPool) {}

  /** Those of the cells that are known, in one read. */
  async find(organizationId: string, cells: readonly CellKey[]): Promise<readonly KnownCell[]> {
    if (cells.length === 0) return []
    const rows = await this.pool.tuples<Row>('read-cells', READ_CELLS, cellParameters(organizationId, cells))
    return rows.map(([lat, lon, rangeMeters, samples]) => ({ lat, lon, rangeMeters, samples }))
  }
}

type Row = [lat: number, lon: number, range: number, samples: number]

/** The parameters of {@link READ_CELLS}. */
export function cellParameters(organizationId: string, cells: readonly CellKey[]): unknown[] {
  const column = (name: keyof CellKey) => cells.map((cell) => cell[name])
  return [
    column('radio'),
    column('mcc'),
    column('mnc'),
    column('area'),
    column('cell'),
    SHARED_LAYER,
    organizationId.toLowerCase(),
  ]
}
