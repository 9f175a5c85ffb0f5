/** Access points at one place, all in one scan. */
export const PER_PLACE = 20
/** Spreads the addresses of neighbors over the whole table, as those of real ones are. Odd, so that no two are the same. */
const SPREAD = 7_919_000_003n
const ADDRESSES = 2n ** 36n
/** Locally administered; each is 16 further than another: a radio of its own. */
const FIRST = 0x02_00_00_00_00_00n

/** The address of an access point, by its number. */
export function addressOf(number: number): number {
  return Number(FIRST + ((BigInt(number) * SPREAD) % ADDRESSES) * 16n)
}

/** All access points of the bench are in it. */
export const SHARED_LAYER = '00000000-0000-0000-0000-000000000000'

/** The same in SQL, by `n`, of $1 access points; and the place, 20 access points in each. */
export const PLACES = placesFrom('0', '$1::bigint - 1')

/** The same in SQL. @param first and `last`: numbers of access points */
export function placesFrom(first: string, last: string): string {
  return `
  SELECT ${String(FIRST)} + (n * ${String(SPREAD)}) % ${String(ADDRESSES)} * 16 AS bssid,
    (45 + n / ${String(PER_PLACE)} / 1000 * 1e-3 + n % ${String(PER_PLACE)} * 1e-5)::float8 AS lat,
    (5 + n / ${String(PER_PLACE)} % 1000 * 1e-3)::float8 AS lon
  FROM generate_series(${first}, ${last}) AS n`
}

/** The columns of an access point that is only imported, of rows with `bssid`, `lat` and `lon`. */
export const ROWS = `INSERT INTO location.access_points
    (organization_id, bssid, lat, lon, spread, weight, observations, declared, updated_at)
  SELECT '${SHARED_LAYER}', bssid, lat, lon, 20, 1, 5, false, now() FROM`

/** Returns the addresses of a random place. */
export function randomPlace(stored: number): number[] {
  return placeFrom(Math.floor((Math.random() * stored) / PER_PLACE) * PER_PLACE)
}

/** The addresses of a place, by the number of its first access point. */
export function placeFrom(first: number): number[] {
  return Array.from({ length: PER_PLACE }, (_, index) => addressOf(first + index))
}
