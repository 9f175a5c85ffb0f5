import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@bearing/testing/stack'
import { Client } from 'pg'
import { scans } from '../access-points.js'
import { newDeviceToken } from '../device-tokens.js'
import { learnBuilding } from '../learned-building.js'
import { httpRequest } from '../load.js'
import type { Side } from './in-turns.js'
import { STORED, type Lab } from './lab.js'

const SCAN_SIZE = 20
/** Places that devices ask from again and again: what a running fleet looks like. */
const WARM_PLACES = 500
/** So many that all of them have 800,000 different access points. */
const COLD_PLACES = 40_000
/** After this time caches have what they can keep of them. */
const COLD_WARM_UP_SECONDS = 60
const MANY_CONNECTIONS = 128
/** Devices that send chunks, and bytes of a chunk: what fits into a few packets of a radio. */
const DEVICES = 200
const CHUNK_BYTES = 500
/** As many as one request may have. */
export const BATCH_SCANS = 100
const BATCHES = 100

export type SideName =
  | 'bare echo'
  | 'warm look-ups'
  | 'warm look-ups, device token'
  | 'the same without the gateway'
  | 'the same behind nginx'
  | 'warm look-ups, 128 connections'
  | 'cold look-ups'
  | 'learned building'
  | 'batches'
  | 'small bare echo'
  | 'list of projects'
  | 'bare chunks'
  | 'chunks'

const post = (path: string, headers: Record<string, string>) => (body: string) =>
  httpRequest('POST', path, headers, body)

/** Returns everything that is asked over HTTP and compared with something else. */
export async function httpSides(lab: Lab): Promise<Record<SideName, Side>> {
  const { stack, organization, ports, pids } = lab
  const { slug, project, token } = organization
  const building = await learnBuilding(stack, organization)
  const pid = (name: string) => stack.part(name).pid
  const location = { location: pid('location'), NATS: pid('nats'), Postgres: pid('postgres') }
  const authorization = { Authorization: `Bearer ${token.token}` }
  const json = { 'Content-Type': 'application/json' }
  const octets = { 'Content-Type': 'application/octet-stream' }
  const wifi = `/v1/organizations/${slug}/projects/${project.slug}/location/wifi`
  const warm = scans(STORED, WARM_PLACES, SCAN_SIZE)
  const ofDevice = { Authorization: `Bearer ${await newDeviceToken(organization)}` }
  const lookUps = (bodies: readonly string[], credential = authorization): Side => ({
    port: ports.gateway,
    requests: bodies.map(post(wifi, { ...json, ...credential })),
    processes: { gateway: pid('gateway-1'), ...location },
  })
  const chunk = randomBytes(CHUNK_BYTES / 2).toString('hex')
  return {
    'bare echo': { port: ports.bare, requests: warm.map(post('/echo', json)), processes: {} },
    'warm look-ups': lookUps(warm),
    'warm look-ups, device token': lookUps(warm, ofDevice),
    'the same without the gateway': {
      port: ports.plain,
      requests: warm.map(post('/locate', json)),
      processes: { Fastify: pids.plain, ...location },
    },
    'the same behind nginx': {
      port: ports.nginx,
      requests: warm.map(post('/locate', { ...json, ...authorization })),
      processes: { nginx: pids.nginx, auth: pids.auth, Fastify: pids.plain, ...location },
    },
    'warm look-ups, 128 connections': { ...lookUps(warm), connections: MANY_CONNECTIONS },
    'cold look-ups': {
      ...lookUps(scans(STORED, COLD_PLACES, SCAN_SIZE)),
      warmUpSeconds: COLD_WARM_UP_SECONDS,
    },
    'learned building': lookUps(building),
    batches: {
      ...lookUps([]),
      requests: batchesOf(warm).map(post(`${wifi}/batch`, { ...json, ...authorization })),
    },
    'small bare echo': { port: ports.bare, requests: [post('/echo', json)('{"page":1}')], processes: {} },
    'list of projects': {
      port: ports.gateway,
      requests: [httpRequest('GET', `/api/v0/organizations/${slug}/projects`, authorization)],
      processes: {},
    },
    'bare chunks': { port: ports.bare, requests: [post('/store', octets)(chunk)], processes: {} },
    chunks: {
      port: ports.gateway,
      requests: devicesOf(project.key).map(({ path, headers }) =>
        post(path, { ...octets, ...headers })(chunk),
      ),
      processes: {},
      settle: () => stored(stack),
    },
  }
}

function devicesOf(key: string) {
  return Array.from({ length: DEVICES }, (_, device) => ({
    path: `/api/v0/chunks/BENCH-${String(device)}`,
    headers: { 'Service-Project-Key': key },
  }))
}

function batchesOf(bodies: readonly string[]): string[] {
  return Array.from({ length: BATCHES }, (_, batch) => {
    const scans = Array.from(
      { length: BATCH_SCANS },
      (__, index) => bodies[(batch * BATCH_SCANS + index) % bodies.length],
    )
    return `{"scans":[${scans.join(',')}]}`
  })
}

/** Waits until no more chunks are stored. */
async function stored(stack: Stack): Promise<void> {
  const client = new Client({ connectionString: stack.adminDatabaseUrl })
  await client.connect()
  try {
    for (let before = -1; ;) {
      const { rows } = await client.query<{ chunks: string }>(
        'SELECT coalesce(sum(chunk_count), 0) AS chunks FROM management.devices',
      )
      const chunks = Number(rows[0]?.chunks)
      if (chunks === before) return
      before = chunks
      await sleep(1_000)
    }
  } finally {
    await client.end()
  }
}
