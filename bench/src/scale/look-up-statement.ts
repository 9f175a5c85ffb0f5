import { connectNats } from '@bearing/nats/connection'
import { startStack, type Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { LookUps } from './look-ups.js'
import { SHARED_LAYER } from './places.js'
import { storePlaces } from './store-places.js'

/** So many access points suffice to look one up. */
const STORED = 1_000
/** An organization without access points of its own. */
const NOBODY = '00000000-0000-7000-8000-000000000001'

/** Starts a location service and returns the statement that it reads access points with. */
export async function captureLookUpStatement(): Promise<string> {
  const stack = await startStack({ postgres: 'own', services: ['identity', 'location'], gateways: 0 })
  try {
    await storePlaces(stack, STORED)
    return await lookUpStatementOf(stack)
  } finally {
    await stack.stop()
  }
}

async function lookUpStatementOf(stack: Stack): Promise<string> {
  const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
  const client = new pg.Client(stack.adminDatabaseUrl)
  try {
    await client.connect()
    const lookUps = await LookUps.open(nats, STORED)
    return await lookUpStatement(client, () => lookUps.measure(1))
  } finally {
    await client.end()
    await nats.drain()
  }
}

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
