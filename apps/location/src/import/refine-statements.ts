import { EARTH_RADIUS_METERS } from '@bearing/positioning/earth/sphere'

// Observations that were gathered from an import, of access points that the layer ($1) has, are copied to `gathered` and merged into
// them, as of one moment ($2). All runs in the transaction of the commit, under the lock of the layer. An import of many access
// points does this several times over: merging in parts comes to the same.

/** One row for each access point, with its place as a vector in meters. */
export const CREATE_OBSERVED = `
  CREATE TEMP TABLE gathered (bssid bigint, observations double precision, weight double precision,
    x double precision, y double precision, z double precision, squares double precision) ON COMMIT DROP`

const LAT = 'degrees(atan2(z, sqrt(x * x + y * y)))'
const LON = 'degrees(atan2(y, x))'
const OUTWARDS = `${String(EARTH_RADIUS_METERS)} * cos(radians(known.lat))`

/** Numbers of changed access points, and of additional observations of the layer. */
const COUNT_CHANGES = `
  SELECT count(*) FILTER (WHERE is_first) AS access_points, coalesce(sum(difference), 0) AS observations FROM changed`
/** False for rows that an earlier part of the same import has changed: they are not counted a second time. */
const IS_FIRST = 'known_updated_at <> $2 AS is_first'

/**
 * Merges observations into the known row of an address. Mean and squares of both are combined as Chan, Golub and LeVeque
 * do (Updating formulae and a pairwise algorithm for computing sample variances, 1979), here with weights. Declared
 * positions stay.
 */
export const REFINE_KNOWN = {
  text: `
    WITH pairs AS (
      SELECT gathered.*, known.weight AS known_weight, known.observations AS known_observations,
        known.updated_at AS known_updated_at,
        known.spread * known.spread * known.weight AS known_squares,
        ${OUTWARDS} * cos(radians(known.lon)) AS known_x,
        ${OUTWARDS} * sin(radians(known.lon)) AS known_y,
        ${String(EARTH_RADIUS_METERS)} * sin(radians(known.lat)) AS known_z
      FROM gathered JOIN access_points AS known USING (bssid)
      WHERE known.organization_id = $1 AND NOT known.declared
    ), combined AS (
      SELECT bssid, known_observations, known_updated_at, weight + known_weight AS weight,
        least(observations + known_observations, 2147483647)::int AS observations,
        known_x + (x - known_x) * weight / (weight + known_weight) AS x,
        known_y + (y - known_y) * weight / (weight + known_weight) AS y,
        known_z + (z - known_z) * weight / (weight + known_weight) AS z,
        squares + known_squares + ((x - known_x) * (x - known_x) + (y - known_y) * (y - known_y)
          + (z - known_z) * (z - known_z)) * weight * known_weight / (weight + known_weight) AS squares
      FROM pairs
    ), changed AS (
      UPDATE access_points AS known
      SET lat = ${LAT}, lon = ${LON}, spread = sqrt(squares / combined.weight), weight = combined.weight,
        observations = combined.observations, updated_at = $2
      FROM combined
      WHERE known.bssid = combined.bssid AND known.organization_id = $1
      RETURNING combined.observations - known_observations AS difference, ${IS_FIRST}
    ) ${COUNT_CHANGES}`,
  columns: { access_points: 'int8', observations: 'int8' },
} as const
