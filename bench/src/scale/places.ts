/** Access points at one place, all in one scan. */
const PER_PLACE = 20
/** Spreads the addresses of neighbors over the whole table, as those of real ones are. Odd, so that no two are the same. */
const SPREAD = 7_919_000_003n
const ADDRESSES = 2n ** 36n
/** Locally administered; each is 16 further than another: a radio of its own. */
const FIRST = 0x02_00_00_00_00_00n

/** Inserts $1 access points of the base layer that are only imported, 20 at each place, in the order of their addresses. */
export const INSERT_PLACES = `
  INSERT INTO location.access_points
    (organization_id, bssid, lat, lon, spread, weight, observations, declared, updated_at)
  SELECT '00000000-0000-0000-0000-000000000000',
    ${String(FIRST)} + (n * ${String(SPREAD)}) % ${String(ADDRESSES)} * 16 AS bssid,
    (45 + n / ${String(PER_PLACE)} / 1000 * 1e-3 + n % ${String(PER_PLACE)} * 1e-5)::float8,
    (5 + n / ${String(PER_PLACE)} % 1000 * 1e-3)::float8, 20, 1, 5, false, now()
  FROM generate_series(0, $1::bigint - 1) AS n ORDER BY bssid`

/** Returns the addresses of a random place. */
export function randomPlace(stored: number): number[] {
  const first = Math.floor((Math.random() * stored) / PER_PLACE) * PER_PLACE
  return Array.from({ length: PER_PLACE }, (_, index) =>
    Number(FIRST + ((BigInt(first + index) * SPREAD) % ADDRESSES) * 16n),
  )
}
