import type { BoundingBox } from '@bearing/contracts/location/positions/latest-position'
import type { Scope } from '../ground/scope.js'

/** Last positions to read. */
export interface LatestQuery {
  readonly scope: Scope
  readonly box: BoundingBox | undefined
  /** The first moment. */
  readonly since: Date
  /** The serial number behind which the page begins; empty for the first page. */
  readonly after: string
  readonly limit: number
}

export const LATEST = {
  device_serial: 'text',
  lat: 'float8',
  lon: 'float8',
  uncertainty: 'float8',
  confidence: 'float8',
  fulfilled_with: 'text',
  fallback: 'bool',
  at: 'timestamptz',
  height: 'jsonb | null',
} as const

/**
 * Returns the statement that reads a page of last positions, by serial number. Its text depends on the box, so Postgres plans each
 * for its values: by serial number if most of a project is in the box, else by place or by time, whichever is fewer rows.
 */
export function latestSql({ scope, box, since, after, limit }: LatestQuery) {
  const values: unknown[] = [scope.project_id, scope.organization_id, after, since, limit]
  const parameter = (value: number) => `$${String(values.push(value))}::float8`
  const inBox = box ? `AND ${boxSql(box, parameter)}` : ''
  const text = `
    SELECT ${Object.keys(LATEST).join(', ')} FROM latest_positions
    WHERE project_id = $1::uuid AND organization_id = $2::uuid AND device_serial > $3 AND at >= $4::timestamptz ${inBox}
    ORDER BY device_serial LIMIT $5`
  return { text, values, columns: LATEST }
}

/** Two ranges of longitudes across the antimeridian, each with the latitudes: so each is a range of the index. */
function boxSql({ west, south, east, north }: BoundingBox, parameter: (value: number) => string): string {
  const latitudes = `lat BETWEEN ${parameter(south)} AND ${parameter(north)}`
  const between = (from: number, to: number) =>
    `(${latitudes} AND lon BETWEEN ${parameter(from)} AND ${parameter(to)})`
  return west <= east ? between(west, east) : `(${between(west, 180)} OR ${between(-180, east)})`
}
