import type pg from 'pg'
import { SHARED_LAYER } from './places.js'

/** An organization without access points of its own. */
const NOBODY = '00000000-0000-7000-8000-000000000001'

/**
 * Returns the statement as Postgres received it just now: applications are no part of what a bench may import.
 *
 * @param lookUp makes the service read
 */
export async function lookUpStatement(client: pg.Client, lookUp: () => Promise<unknown>): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    await lookUp()
    const { rows } = await client.query<{ query: string }>(
      "SELECT query FROM pg_stat_activity WHERE query LIKE '%access_points AS known%' AND pid <> pg_backend_pid()",
    )
    if (rows[0]) return rows[0].query
  }
  throw new Error('the service does not ask for access points')
}

/** Returns the parameters of the statement. */
export function lookUpParameters(bssids: readonly number[]): string[] {
  return [SHARED_LAYER, NOBODY, `{${bssids.join(',')}}`]
}
