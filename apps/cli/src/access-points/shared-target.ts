import { UnreachableError } from '@bearing/client/errors'
import { issueServiceClaims } from '@bearing/contracts/identity/user'
import {
  appendToImport,
  beginImport,
  commitImport,
  showImport,
} from '@bearing/contracts/location/access-point-import'
import { NatsClient } from '@bearing/nats/client'
import { connectNats, type Connection, type NatsOptions } from '@bearing/nats/connection'
import type { ImportTarget } from './import-target.js'

/** Who the operator's commands are, in claims and as a NATS connection. */
const OPERATOR = 'operator'
/** Claims are renewed this long before they end, in milliseconds. */
const RENEW_BEFORE_MS = 15_000

/** Where NATS is, and the operator's nkey where it asks for one. */
type NatsAddress = Pick<NatsOptions, 'url' | 'nkeySeed'>

/** The access points that all organizations share, over NATS: for operators, whom NATS itself lets in. */
export async function sharedTarget(nats: NatsAddress, now: () => number): Promise<ImportTarget> {
  const connection = await connect(nats)
  const client = new NatsClient(connection)
  const layer = { organization_id: null }
  let issued: { claims: string; claims_expire_at: number } | undefined
  const claims = async (): Promise<{ claims: string }> => {
    if (!issued || issued.claims_expire_at * 1_000 - now() < RENEW_BEFORE_MS)
      issued = await client.call(issueServiceClaims, { name: OPERATOR })
    return { claims: issued.claims }
  }
  return {
    begin: async (content, digest) => client.call(beginImport, { ...layer, content, digest }, await claims()),
    append: async (import_id, batch, rows) => {
      const body = rows.map(([mac, lat, lon, dbm]): [string, number, number, number | null] => [
        mac,
        lat,
        lon,
        dbm,
      ])
      await client.call(appendToImport, { ...layer, import_id, batch, rows: body }, await claims())
    },
    commit: async (import_id, sent) =>
      client.call(commitImport, { ...layer, import_id, ...sent }, await claims()),
    show: async (import_id) => client.call(showImport, { ...layer, import_id }, await claims()),
    close: () => connection.drain(),
  }
}

async function connect(nats: NatsAddress): Promise<Connection> {
  try {
    return await connectNats({ ...nats, name: OPERATOR, waitForServer: false })
  } catch (cause) {
    const reason = cause instanceof Error ? ` (${cause.message})` : ''
    throw new UnreachableError(
      'network',
      `NATS cannot be reached${reason}. Check --nats-url and BEARING_NATS_NKEY_SEED.`,
      { cause },
    )
  }
}
