import { COVERAGE_SAMPLE } from '@bearing/contracts/location/access-points/coverage'
import type { BoundingBox } from '@bearing/contracts/location/positions/latest-position'
import { tileSql } from './tiles.js'

/** Steps of a degree in the index of places. Both indexes, and the migration, have this number. */
const STEPS = 64
/** Parallels that are searched one by one; of a higher box all entries between them are read. */
const MOST_PARALLELS = 256
/** As `MAX_SPREAD_METERS` in `candidates.ts`: what is heard over more has no place. */
const MOST_SPREAD = 500

/** Access points to count. */
export interface CoverageQuery {
  readonly organizationId: string
  readonly box: BoundingBox
  /** Only those of the sample. */
  readonly isSampled: boolean
}

/** Returns the statement that counts the sample of a box, up to a limit. */
export function sampleSql(query: CoverageQuery, limit: number) {
  const values: unknown[] = [query.organizationId]
  const condition = inBox({ ...query, isSampled: true }, values)
  const count = (table: string) =>
    `(SELECT count(*) FROM (SELECT FROM ${table} WHERE ${condition} LIMIT ${String(limit)}) AS counted)`
  const text = `SELECT ${count('access_points')} + ${count('learned_access_points')} AS count`
  return { text, values, columns: { count: 'int8' } } as const
}

/** Medians are of the spread and of the last changes. */
export const GRID = {
  x: 'int4',
  y: 'int4',
  all: 'int8',
  learned: 'int8',
  moving: 'int8',
  spread: 'float8 | null',
  updated_at: 'timestamptz',
} as const

/** Returns the statement that counts by tile. */
export function gridSql(query: CoverageQuery, level: number) {
  const values: unknown[] = [query.organizationId]
  const { x, y } = tileSql(level)
  const text = `
    WITH ${onceSql(query, values)}
    SELECT ${x} AS x, ${y} AS y, count(*) AS all, count(*) FILTER (WHERE learned) AS learned,
      count(*) FILTER (WHERE moves) AS moving,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY spread) FILTER (WHERE NOT declared AND NOT moves) AS spread,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY updated_at) AS updated_at
    FROM once GROUP BY 1, 2`
  return { text, values, columns: GRID }
}

export const LISTED = { bssid: 'int8', updated_at: 'timestamptz' } as const

/** Returns the statement that lists the addresses of a box, with their last changes. */
export function listSql(query: CoverageQuery, limit: number) {
  const values: unknown[] = [query.organizationId]
  const text = `
    WITH ${onceSql(query, values)}
    SELECT bssid, updated_at FROM once ORDER BY bssid LIMIT ${String(limit)}`
  return { text, values, columns: LISTED }
}

/**
 * Each access point once: where a list declared it, else where it was learned, else where it was imported. Learned ones that
 * are erased and not swept yet are left out; imported ones are removed immediately.
 */
function onceSql(query: CoverageQuery, values: unknown[]): string {
  const condition = inBox(query, values)
  return `erased AS MATERIALIZED (
      SELECT bssid FROM forgotten_access_points WHERE organization_id = $1 AND swept_at IS NULL
    ), areas AS MATERIALIZED (
      SELECT lat, lon, radius FROM forgotten_areas WHERE organization_id = $1 AND swept_at IS NULL
    ), once AS (
      SELECT DISTINCT ON (bssid) * FROM (
        SELECT bssid, lat, lon, spread, declared, false AS learned, spread > ${String(MOST_SPREAD)} AS moves, updated_at
        FROM access_points WHERE ${condition}
        UNION ALL
        SELECT bssid, lat, lon, spread, false, true, moves, updated_at FROM learned_access_points AS learned
        WHERE ${condition} AND bssid NOT IN (SELECT bssid FROM erased)
          AND NOT EXISTS (SELECT FROM areas WHERE sind((learned.lat - areas.lat) / 2) ^ 2
            + cosd(learned.lat) * cosd(areas.lat) * sind((learned.lon - areas.lon) / 2) ^ 2
            <= sin(areas.radius / 12742017.6) ^ 2)
      ) AS found ORDER BY bssid, declared DESC, learned DESC
    )`
}

/** A condition on the indexes of places, and then on the places. */
function inBox({ box, isSampled }: CoverageQuery, values: unknown[]): string {
  const parameter = (value: unknown, type: string) => `$${String(values.push(value))}::${type}`
  const { west, south, east, north } = box
  const [first, last] = [stepOf(south), stepOf(north)]
  const parallels = Array.from({ length: Math.min(last - first, MOST_PARALLELS) + 1 }, (_, n) => first + n)
  const onParallels =
    last - first < MOST_PARALLELS
      ? `= ANY (${parameter(parallels, 'int[]')})`
      : `BETWEEN ${parameter(first, 'int')} AND ${parameter(last, 'int')}`
  const between = (from: number, to: number) => {
    const meridians = `${parameter(stepOf(from), 'int')} AND ${parameter(stepOf(to), 'int')}`
    const degrees = `${parameter(from, 'float8')} AND ${parameter(to, 'float8')}`
    return `(floor(lon * ${String(STEPS)})::int BETWEEN ${meridians} AND lon BETWEEN ${degrees})`
  }
  const longitudes = west <= east ? between(west, east) : `(${between(west, 180)} OR ${between(-180, east)})`
  return `organization_id = $1::uuid
    AND (bssid % ${String(COVERAGE_SAMPLE)} = 0)::int ${isSampled ? '= 1' : "= ANY ('{0,1}'::int[])"}
    AND floor(lat * ${String(STEPS)})::int ${onParallels} AND ${longitudes}
    AND lat BETWEEN ${parameter(south, 'float8')} AND ${parameter(north, 'float8')}`
}

function stepOf(degrees: number): number {
  return Math.floor(degrees * STEPS)
}
