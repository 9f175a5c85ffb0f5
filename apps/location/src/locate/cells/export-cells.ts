import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { EXPORTED_CELLS, exportCells } from '@bearing/contracts/location/cells/known-cell'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { layeredRadioCell } from '@bearing/positioning/learning/layers/layered-radio-cell'
import { decodeRadioCell } from '@bearing/positioning/learning/statistics/radio-cell-statistics'
import type { KnownCell as Known } from '@bearing/positioning/cells/locate-cells'
import { Readings } from '@bearing/service/audit/readings'
import { Controller } from '@nestjs/common'
import { ReadPool } from '../../ground/read-pool.js'
import type { RowOf } from '../../ground/read-rows.js'
import { keyColumns, sameKey } from '../../ground/stations/key-sql.js'
import { RADIO_CELL } from '../../ground/stations/radio-cell.js'
import { CELL, exportedCell, type CellRow } from './exported-cell.js'
import { LEARNED_FIRST, readCursor, writeCursor, type Cursor } from './export-cursor.js'

/** Entries of the primary key of imported cells that are looked at for one part: those of other layers lie between ours. */
const SCANNED = 100_000

const CELL_COLUMNS = keyColumns(RADIO_CELL)

/** Returns the condition that a row of the organization is of the cell of another row. */
function sameAs(own: string, other: string): string {
  return `${own}.organization_id = $1 AND ${sameKey(RADIO_CELL, own, other)}`
}

const AFTER = `(${CELL_COLUMNS}) > ($2::smallint, $3::smallint, $4::smallint, $5::int, $6::bigint)`

const PLACE = { lat: 'float8', lon: 'float8', range: 'float8', samples: 'int4' } as const

const IMPORTED = {
  name: 'export-imported-cells',
  text: `
    WITH scanned AS MATERIALIZED (
      SELECT ${CELL_COLUMNS}, organization_id, lat, lon, range, samples, updated_at FROM cells
      WHERE ${AFTER} ORDER BY ${CELL_COLUMNS} LIMIT ${String(SCANNED)}
    ), last AS (
      SELECT ${CELL_COLUMNS} FROM scanned ORDER BY radio DESC, mcc DESC, mnc DESC, area DESC, cell DESC LIMIT 1
    )
    (SELECT ${CELL_COLUMNS}, true AS own, lat, lon, range, samples, updated_at,
      EXISTS (SELECT FROM learned_cells AS learned WHERE ${sameAs('learned', 'scanned')}) AS is_learned FROM scanned
    WHERE organization_id = $1 ORDER BY ${CELL_COLUMNS} LIMIT ${String(EXPORTED_CELLS)})
    UNION ALL
    SELECT ${CELL_COLUMNS}, false, 0, 0, 0, 0, now(), false FROM last`,
  columns: { ...CELL, own: 'bool', ...PLACE, updated_at: 'timestamptz', is_learned: 'bool' },
} as const

const LEARNED = {
  name: 'export-learned-cells',
  text: `
    SELECT ${CELL_COLUMNS}, page.updated_at, statistics, imported.lat, imported.lon, imported.range, imported.samples,
      imported.updated_at AS imported_at
    FROM (
      SELECT ${CELL_COLUMNS}, updated_at, statistics FROM learned_cells
      WHERE organization_id = $1 AND ${AFTER} ORDER BY ${CELL_COLUMNS} LIMIT ${String(EXPORTED_CELLS)}
    ) AS page
    LEFT JOIN LATERAL (
      SELECT lat, lon, range, samples, cells.updated_at FROM cells WHERE ${sameAs('cells', 'page')}
    ) AS imported ON true
    ORDER BY ${CELL_COLUMNS}`,
  columns: {
    ...CELL,
    updated_at: 'timestamptz',
    statistics: 'bytea',
    lat: 'float8 | null',
    lon: 'float8 | null',
    range: 'float8 | null',
    samples: 'int4 | null',
    imported_at: 'timestamptz | null',
  },
} as const
type LearnedRow = RowOf<typeof LEARNED.columns>

/**
 * Exports the radio cells of an organization, page by page, each once: those that were imported and never heard, and then those that
 * were heard, as look-ups take them. A cell that is both comes once: twice, it would be replaced by the worse when it is imported again.
 */
@Controller()
export class ExportCells {
  constructor(
    private readonly pool: ReadPool,
    private readonly readings: Readings<AuditAction<'location'>>,
  ) {}

  @Handle(exportCells)
  async execute(
    { organization_id, cursor }: Input<typeof exportCells>,
    by: Principal,
  ): Promise<Output<typeof exportCells>> {
    const begun = cursor === undefined ? undefined : readCursor(cursor)
    await this.readings.note(by, {
      action: 'cells.exported',
      target: ['organization', organization_id],
      organizationId: organization_id,
    })
    const { learned, after } = begun ?? (await this.first(organization_id))
    return learned ? this.learned(organization_id, after) : this.imported(organization_id, after)
  }

  /** An organization without imports skips the imported cells, which are those of all organizations. */
  private async first(layer: string): Promise<Cursor> {
    const text = `SELECT EXISTS (SELECT FROM imports WHERE organization_id = $1 AND content = 'cells' AND state = 'committed')`
    const [row] = await this.pool.rows({ name: 'has-imported-cells', text, columns: { exists: 'bool' } }, [
      layer,
    ])
    return row?.exists ? { learned: false, after: LEARNED_FIRST.after } : LEARNED_FIRST
  }

  private async imported(layer: string, after: readonly number[]): Promise<Output<typeof exportCells>> {
    const rows = await this.pool.rows(IMPORTED, [layer, ...after])
    const own = rows.filter((row) => row.own)
    const data = own.flatMap((row) => {
      const { lat, lon, range: rangeMeters, samples, updated_at: updatedAt, is_learned } = row
      const known = { lat, lon, rangeMeters, samples }
      return is_learned ? [] : [exportedCell(row, known, { learned: false, updatedAt })]
    })
    const last = own.length === EXPORTED_CELLS ? own.at(-1) : rows.find((row) => !row.own)
    return { data, next: writeCursor(last ? { learned: false, after: keyOf(last) } : LEARNED_FIRST) }
  }

  private async learned(layer: string, after: readonly number[]): Promise<Output<typeof exportCells>> {
    const rows = await this.pool.rows(LEARNED, [layer, ...after])
    const data = rows.flatMap((row) => {
      const imported = importedOf(row)
      const known = layeredRadioCell({ imported, statistics: decodeRadioCell(row.statistics) }, {})
      if (!known) return []
      const learned = known !== imported
      const updatedAt = (learned ? undefined : row.imported_at) ?? row.updated_at
      return [exportedCell(row, known, { learned, updatedAt })]
    })
    const last = rows.length === EXPORTED_CELLS ? rows.at(-1) : undefined
    return { data, next: last ? writeCursor({ learned: true, after: keyOf(last) }) : null }
  }
}

function importedOf({ lat, lon, range, samples }: LearnedRow): Known | undefined {
  if (lat === null || lon === null || range === null || samples === null) return undefined
  return { lat, lon, rangeMeters: range, samples }
}

function keyOf({ radio, mcc, mnc, area, cell }: CellRow): number[] {
  return [radio, mcc, mnc, area, cell]
}
