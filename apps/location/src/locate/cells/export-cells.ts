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
import { keyColumns, sameKey } from '../../ground/stations/key-sql.js'
import { RADIO_CELL } from '../../ground/stations/radio-cell.js'
import { exportedCell, type CellRow } from './exported-cell.js'
import { LEARNED_FIRST, readCursor, writeCursor, type Cursor } from './export-cursor.js'

/** Entries of the primary key of imported cells that are looked at for one part: those of other layers lie between ours. */
const SCANNED = 100_000

const CELL_COLUMNS = keyColumns(RADIO_CELL)

/** Returns the condition that a row of the organization is of the cell of another row. */
function sameAs(own: string, other: string): string {
  return `${own}.organization_id = $1 AND ${sameKey(RADIO_CELL, own, other)}`
}

const AFTER = `(${CELL_COLUMNS}) > ($2::smallint, $3::smallint, $4::smallint, $5::int, $6::bigint)`

const IMPORTED = `
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
  SELECT ${CELL_COLUMNS}, false, 0, 0, 0, 0, now(), false FROM last`

const HAS_IMPORTED = `
  SELECT EXISTS (SELECT FROM imports WHERE organization_id = $1 AND content = 'cells' AND state = 'committed')`

const LEARNED = `
  SELECT ${CELL_COLUMNS}, page.updated_at, statistics, imported.lat, imported.lon, imported.range, imported.samples, imported.updated_at
  FROM (
    SELECT ${CELL_COLUMNS}, updated_at, statistics FROM learned_cells
    WHERE organization_id = $1 AND ${AFTER} ORDER BY ${CELL_COLUMNS} LIMIT ${String(EXPORTED_CELLS)}
  ) AS page
  LEFT JOIN LATERAL (
    SELECT lat, lon, range, samples, cells.updated_at FROM cells WHERE ${sameAs('cells', 'page')}
  ) AS imported ON true
  ORDER BY ${CELL_COLUMNS}`

type ImportedRow = [
  ...CellRow,
  own: boolean,
  lat: number,
  lon: number,
  range: number,
  samples: number,
  updatedAt: Date,
  isLearned: boolean,
]
type LearnedRow = [...CellRow, updatedAt: Date, statistics: Uint8Array, ...(Place | None)]
/** Imported columns of a learned cell. */
type Place = [lat: number, lon: number, range: number, samples: number, updatedAt: Date]
type None = [lat: null, lon: null, range: null, samples: null, updatedAt: null]

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
    const [[hasImported] = [false]] = await this.pool.tuples<[boolean]>('has-imported-cells', HAS_IMPORTED, [
      layer,
    ])
    return hasImported ? { learned: false, after: LEARNED_FIRST.after } : LEARNED_FIRST
  }

  private async imported(layer: string, after: readonly number[]): Promise<Output<typeof exportCells>> {
    const rows = await this.pool.tuples<ImportedRow>('export-imported-cells', IMPORTED, [layer, ...after])
    const own = rows.filter(({ 5: isOwn }) => isOwn)
    const data = own.flatMap((row) => {
      const [, , , , , , lat, lon, rangeMeters, samples, updatedAt, isLearned] = row
      const known = { lat, lon, rangeMeters, samples }
      return isLearned ? [] : [exportedCell(row, known, { learned: false, updatedAt })]
    })
    const last = own.length === EXPORTED_CELLS ? own.at(-1) : rows.find(({ 5: isOwn }) => !isOwn)
    return {
      data,
      next: writeCursor(last ? { learned: false, after: last.slice(0, 5).map(Number) } : LEARNED_FIRST),
    }
  }

  private async learned(layer: string, after: readonly number[]): Promise<Output<typeof exportCells>> {
    const rows = await this.pool.tuples<LearnedRow>('export-learned-cells', LEARNED, [layer, ...after])
    const data = rows.flatMap((row) => {
      const [, , , , , learnedAt, statistics, ...place] = row
      const imported = importedOf(place)
      const known = layeredRadioCell({ imported, statistics: decodeRadioCell(statistics) }, {})
      if (!known) return []
      const learned = known !== imported
      return [exportedCell(row, known, { learned, updatedAt: learned ? learnedAt : (place[4] ?? learnedAt) })]
    })
    const last = rows.length === EXPORTED_CELLS ? rows.at(-1) : undefined
    return { data, next: last ? writeCursor({ learned: true, after: last.slice(0, 5).map(Number) }) : null }
  }
}

function importedOf([lat, lon, rangeMeters, samples]: Place | None): Known | undefined {
  return lat === null ? undefined : { lat, lon, rangeMeters, samples }
}
