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

/** The same in SQL, by `n`; and the place, 20 access points in each. */
export const PLACES = `
  SELECT ${String(FIRST)} + (n * ${String(SPREAD)}) % ${String(ADDRESSES)} * 16 AS bssid,
    (45 + n / ${String(PER_PLACE)} / 1000 * 1e-3 + n % ${String(PER_PLACE)} * 1e-5)::float8 AS lat,
    (5 + n / ${String(PER_PLACE)} % 1000 * 1e-3)::float8 AS lon
  FROM generate_series(0, $1::bigint - 1) AS n`

/** Returns the addresses of a random place. */
export function randomPlace(stored: number): number[] {
  return placeFrom(Math.floor((Math.random() * stored) / PER_PLACE) * PER_PLACE)
}

/** The addresses of a place, by the number of its first access point. */
export function placeFrom(first: number): number[] {
  return Array.from({ length: PER_PLACE }, (_, index) => addressOf(first + index))
}
