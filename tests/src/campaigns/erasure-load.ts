import { setTimeout as sleep } from 'node:timers/promises'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { Client } from 'pg'

/** Size of the erased organization. */
export interface Load {
  readonly devices: number
  readonly accessPoints: number
}

/** Figures of one erasure. */
export interface LoadOutcome {
  readonly seconds: number
  /** Milliseconds of a look-up of another organization, before and during the erasure. */
  readonly before: { readonly p50: number; readonly p99: number; readonly count: number }
  readonly during: { readonly p50: number; readonly p99: number; readonly count: number }
}

/** Time for which look-ups are measured before the erasure, in milliseconds. */
const BEFORE_MS = 20_000
/** Pause between two look-ups, in milliseconds. */
const PAUSE_MS = 10

/** Erases a large organization while another one locates a scan, one request after the other, always of other access points. */
export async function eraseUnderLoad(
  { devices, accessPoints }: Load,
  report: (line: string) => void,
): Promise<LoadOutcome> {
  await using stack = await startStack({
    postgres: 'own',
    gateways: 1,
    environment: {
      gateway: { REQUESTS_PER_ORGANIZATION: '0', LOG_LEVEL: 'error' },
      location: { LOG_LEVEL: 'error' },
      management: { LOG_LEVEL: 'error' },
    },
    constants: { gateway: { REQUESTS_PER_CREDENTIAL: 0 } },
  })
  const [erased, other] = [await newOrganization(stack), await newOrganization(stack)]
  const client = new Client(stack.adminDatabaseUrl)
  await client.connect()
  try {
    await fill(client, erased, { devices, accessPoints })
    // The other organization has the same number of access points.
    await fill(client, other, { devices: 10, accessPoints })
    await client.query('VACUUM ANALYZE')
    report(`${String(devices)} devices, ${String(accessPoints)} access points`)
    const state: { phase: 'before' | 'during' | 'over' } = { phase: 'before' }
    const times = { before: [] as number[], during: [] as number[] }
    const asking = (async () => {
      for (let number = 0; state.phase !== 'over'; number++) {
        const began = performance.now()
        await locate(other, number, accessPoints)
        times[state.phase === 'before' ? 'before' : 'during'].push(performance.now() - began)
        await sleep(PAUSE_MS)
      }
    })()
    await sleep(BEFORE_MS)
    await erased.admin.client.call('deleteOrganization', { organization: erased.slug })
    state.phase = 'during'
    const began = performance.now()
    await erased.admin.client.call('eraseOrganization', { organization: erased.slug, slug: erased.slug })
    while ((await client.query(`SELECT 1 FROM management.deletions WHERE state = 'erased'`)).rowCount === 0)
      await sleep(100)
    const seconds = (performance.now() - began) / 1_000
    state.phase = 'over'
    await asking
    return { seconds, before: figures(times.before), during: figures(times.during) }
  } finally {
    await client.end()
  }
}

/** Rows as imports and devices write them: every device with a chunk of 200 bytes. */
async function fill(client: Client, organization: TestOrganization, { devices, accessPoints }: Load) {
  const { id, project } = organization
  await client.query(
    `INSERT INTO management.devices (id, project_id, serial, created_at)
     SELECT gen_random_uuid(), $1, 'LOAD-' || n, now() FROM generate_series(1, $2) n`,
    [project.id, devices],
  )
  await client.query(
    `INSERT INTO management.device_chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
     SELECT gen_random_uuid(), id, project_id, now(), row_number() OVER (), 0, now(), 200, convert_to(repeat('x', 200), 'UTF8')
     FROM management.devices WHERE project_id = $1`,
    [project.id],
  )
  await client.query(
    `INSERT INTO location.access_points
       (bssid, organization_id, lat, lon, spread, weight, observations, declared, updated_at)
     SELECT 2 * 1099511627776 + n::bigint * 4096, $1, 48 + (n % 1000) / 10000.0, 11 + (n / 1000) / 10000.0, 0, 0, 1, true, now()
     FROM generate_series(1, $2) n`,
    [id, accessPoints],
  )
  await client.query(
    `INSERT INTO location.layers (organization_id, access_points, observations, updated_at) VALUES ($1, $2, $2, now())
     ON CONFLICT (organization_id) DO UPDATE SET access_points = excluded.access_points`,
    [id, accessPoints],
  )
}

/** Neighbors in the grid, so that they agree. */
async function locate(organization: TestOrganization, number: number, accessPoints: number): Promise<void> {
  const first = 1 + ((number * 7_919) % Math.max(1, accessPoints - 4))
  const readings = [0, 1, 2].map((next) => ({
    macAddress: macOf(2 * 1_099_511_627_776 + (first + next) * 4_096),
    signalStrength: -50 - next,
  }))
  await organization.token.client.call('resolveWifiLocation', {
    organization: organization.slug,
    project: organization.project.slug,
    accessPoints: readings,
  })
}

function macOf(address: number): string {
  return (address.toString(16).padStart(12, '0').match(/../g) ?? []).join(':')
}

function figures(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), count: sorted.length }
}
