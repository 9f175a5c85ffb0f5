import pg from 'pg'

/** Side of the square that the access points are spread over, in degrees. */
const SIDE = 0.2

/** Fills the base layer with access points on a grid, in one statement, and reports how long that took. */
export async function storeAccessPoints(adminUrl: string, count: number): Promise<void> {
  const client = new pg.Client(adminUrl)
  await client.connect()
  const columns = Math.ceil(Math.sqrt(count))
  await client.query(
    `INSERT INTO location.access_points (organization_id, bssid, lat, lon, spread, weight, observations, declared, updated_at)
     SELECT '00000000-0000-0000-0000-000000000000', ${String(FIRST_BSSID)} + n::bigint * 64, 45 + (n / $2) * $3::float8, 5 + (n % $2) * $3::float8, 20, 1, 5, false, now()
     FROM generate_series(0, $1::int - 1) AS n`,
    [count, columns, SIDE / columns],
  )
  await client.query('VACUUM ANALYZE location.access_points')
  await client.end()
}

/** The first BSSID, locally administered: 02:00:00:00:00:00. Each is 64 further than the last: a radio of its own. */
const FIRST_BSSID = 0x02_00_00_00_00_00

/**
 * Scans to locate: at `places` places, each with `size` access points that are next to each other.
 *
 * @param stored how many access points there are
 */
export function scans(stored: number, places: number, size: number): string[] {
  const step = Math.floor(stored / places)
  return Array.from({ length: places }, (_, place) => {
    const first = Math.min(place * step, stored - size)
    const accessPoints = Array.from({ length: size }, (_, i) => ({
      macAddress: mac(FIRST_BSSID + (first + i) * 64),
      signalStrength: -45 - ((place + i * 7) % 45),
    }))
    return JSON.stringify({ accessPoints })
  })
}

/** A MAC address as it is sent. */
export function mac(bssid: number): string {
  return (bssid.toString(16).padStart(12, '0').match(/../g) ?? []).join(':')
}
