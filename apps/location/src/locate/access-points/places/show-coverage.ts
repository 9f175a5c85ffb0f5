import {
  COVERAGE_SAMPLE,
  showCoverage,
  type CoverageCell,
} from '@bearing/contracts/location/access-points/coverage'
import type { BoundingBox } from '@bearing/contracts/location/positions/latest-position'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import type { RowOf } from '../../../ground/read-rows.js'
import { gridSql, type GRID } from './coverage-sql.js'
import { OwnPlaces } from './own-places.js'
import { boxOf, levelOf, WORLD } from './tiles.js'

/** Number of times that the grid becomes finer if no box is requested. */
const MOST_TURNS = 3

/** Shows where an organization's own access points are: never those of the base layer. */
@Controller()
export class ShowCoverage {
  constructor(private readonly places: OwnPlaces) {}

  @Handle(showCoverage)
  async execute(input: Input<typeof showCoverage>): Promise<Output<typeof showCoverage>> {
    const { bbox, zoom } = input
    const organizationId = input.organization_id.toLowerCase()
    const isSampled = await this.places.areMany(organizationId, bbox ?? WORLD)
    const sampled = isSampled ? COVERAGE_SAMPLE : 1
    let box = bbox ?? WORLD
    for (let turns = bbox || zoom !== undefined ? 0 : MOST_TURNS; ; turns--) {
      const level = levelOf(box, zoom)
      const rows = await this.places.read(gridSql({ organizationId, box, isSampled }, level))
      const cells = rows.map((row) => cellOf(row, level, sampled)).sort(eastThenSouth(box))
      const bounds = boundsOf(cells)
      // If no box is requested, the grid is as fine as the access points allow.
      if (bounds && turns > 0 && levelOf(bounds, zoom) > level) box = bounds
      else return { cells, total: totalOf(cells), bounds, sampled }
    }
  }
}

function cellOf(row: RowOf<typeof GRID>, level: number, sampled: number) {
  const { x, y, all, learned, moving, spread, updated_at } = row
  return {
    ...boxOf(x, y, level),
    access_points: all * sampled,
    imported: (all - learned) * sampled,
    learned: learned * sampled,
    moving: moving * sampled,
    median_spread: spread,
    median_updated_at: updated_at.toISOString(),
  }
}

/** Across the antimeridian, what is east of it comes last. */
function eastThenSouth({ west, east }: BoundingBox) {
  const eastward = (cell: CoverageCell) => (west > east && cell.east <= west ? cell.west + 360 : cell.west)
  return (one: CoverageCell, other: CoverageCell) =>
    eastward(one) - eastward(other) || other.north - one.north
}

function totalOf(cells: readonly CoverageCell[]) {
  const total = { access_points: 0, imported: 0, learned: 0, moving: 0 }
  for (const { access_points, imported, learned, moving } of cells) {
    total.access_points += access_points
    total.imported += imported
    total.learned += learned
    total.moving += moving
  }
  return total
}

/** @param cells from west to east */
function boundsOf(cells: readonly CoverageCell[]): BoundingBox | null {
  const [first] = cells
  const last = cells.at(-1)
  if (!first || !last) return null
  return {
    west: first.west,
    south: Math.min(...cells.map(({ south }) => south)),
    east: last.east,
    north: Math.max(...cells.map(({ north }) => north)),
  }
}
