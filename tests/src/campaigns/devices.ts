import { setTimeout as sleep } from 'node:timers/promises'
import { connectNats } from '@bearing/nats/connection'
import type { StackAddresses } from '@bearing/testing/addresses'
import { eventually } from '@bearing/testing/eventually'
import { HostStack, NATS_HOSTS, type Placement } from '@bearing/testing/hosts/host-stack'
import { Client } from 'pg'
import { POSTGRES_HOSTS } from '@bearing/testing/hosts/replicated-postgres'
import { consumptionOf } from './devices/consumption.js'
import { DeviceLoad, REVOKED_WITHIN_MS, ratesOf } from './devices/device-load.js'
import { storeFleet } from './devices/fleet.js'

const DEVICES = 1_000_000
/** Time for which the use of processes without requests is measured, in milliseconds. */
const IDLE_MS = 15_000
const SAMPLE_MS = 5_000
const STORED_WITHIN_MS = 60_000
/** As in production. */
const environment = { LOG_LEVEL: 'info' }
const PLACEMENTS: readonly Placement[] = ['1', '2'].flatMap((number): Placement[] => [
  { process: 'identity', host: `s${number}`, nats: number === '1' ? 'n1' : 'n2', environment },
  { process: 'management', host: `s${number}`, nats: number === '1' ? 'n2' : 'n3', environment },
  { process: 'location', host: `s${number}`, nats: number === '1' ? 'n3' : 'n1', environment },
  { process: 'gateway', host: `g${number}`, nats: number === '1' ? 'n1' : 'n2', environment },
])

/** Options of a simulated fleet. */
export interface FleetOptions {
  readonly seconds: number
  /** 1 sends as the devices do; 100 so many times slower. */
  readonly slower: number
  readonly random: () => number
  readonly report: (line: string) => void
}

/**
 * Simulates 1,000,000 devices with 10 look-ups a day and 4 chunks an hour each, and keys of projects that are revoked, on hosts: two
 * of each process, and three NATS servers with three replicas of each stream. Reports what it takes.
 *
 * @returns what is wrong, in words
 */
export async function simulateDevices({ seconds, slower, random, report }: FleetOptions): Promise<string[]> {
  await using stack = await HostStack.start(PLACEMENTS)
  const names = [
    ...NATS_HOSTS,
    ...POSTGRES_HOSTS,
    ...PLACEMENTS.map(({ process, host }) => `${process}-${host}`),
  ]
  const pids = new Map(names.map((name) => [name, stack.part(name).pid]))
  const projects = await storeFleet(stack, DEVICES)
  const before = await stored(stack)
  const idle = await consumed(pids, () => sleep(IDLE_MS))
  const load = new DeviceLoad({ gateways: stack.gatewayUrls, projects, devices: DEVICES, slower, random })
  const sampler = new Sampler(stack)
  const rates = ratesOf(DEVICES)
  report(
    `${String(DEVICES)} devices, ${String(slower)} times slower than they send: ${(rates.chunks / slower).toFixed(1)} chunks and ${(rates.lookUps / slower).toFixed(1)} look-ups a second`,
  )
  const busy = await consumed(pids, () => load.run(seconds * 1_000))
  const most = await sampler.stop()
  const lost = await missing(stack, load.acknowledged)
  const after = await stored(stack)
  report(processTable(idle, busy))
  for (const line of load.summary()) report(line)
  report(
    `connections to Postgres at most: ${String(most.connections)}; NATS stored at most ${megabytes(most.natsBytes)} for each replica; Postgres grew by ${megabytes(after.bytes - before.bytes)}, its log by ${megabytes(after.log - before.log)}; ${String(load.acknowledged.size)} chunks acknowledged, ${String(after.chunks)} stored`,
  )
  return findings(load, lost, after)
}

function findings(load: DeviceLoad, lost: readonly number[], after: { chunks: number; distinct: number }) {
  return [
    ...(lost.length > 0 ? [`${String(lost.length)} acknowledged chunks are not stored`] : []),
    ...(after.chunks > after.distinct ? [`${String(after.chunks - after.distinct)} are stored twice`] : []),
    ...(load.acceptedMs > REVOKED_WITHIN_MS
      ? [`a revoked key was accepted ${load.acceptedMs.toFixed(0)} ms after it was revoked`]
      : []),
  ]
}

/** The share of a processor that each process used, and its memory at the end. */
type Used = ReadonlyMap<string, { readonly cores: number; readonly memory: number }>

async function consumed(pids: ReadonlyMap<string, number>, work: () => Promise<unknown>): Promise<Used> {
  const read = () => new Map([...pids].map(([name, pid]) => [name, consumptionOf(pid)] as const))
  const [before, began] = [read(), performance.now()]
  await work()
  const seconds = (performance.now() - began) / 1_000
  return new Map(
    [...read()].map(
      ([name, { processorSeconds, memoryBytes: memory }]): [string, { cores: number; memory: number }] => {
        const already = before.get(name)?.processorSeconds ?? 0
        return [name, { cores: (processorSeconds - already) / seconds, memory }]
      },
    ),
  )
}

function processTable(idle: Used, busy: Used): string {
  const rows = [...busy].map(([name, { cores, memory }]) =>
    [
      name.padEnd(16),
      `${((idle.get(name)?.cores ?? 0) * 100).toFixed(1).padStart(5)} % of a core idle`,
      `${(cores * 100).toFixed(1).padStart(5)} % under load`,
      megabytes(memory),
    ].join('  '),
  )
  return rows.join('\n')
}

/** Looks now and then at what is only there for a while. */
class Sampler {
  private most = { connections: 0, natsBytes: 0 }
  private readonly stopping = new AbortController()
  private readonly sampling: Promise<void>

  constructor(private readonly stack: StackAddresses) {
    this.sampling = this.sample()
  }

  async stop(): Promise<{ readonly connections: number; readonly natsBytes: number }> {
    this.stopping.abort()
    await this.sampling
    return this.most
  }

  private async sample(): Promise<void> {
    const nats = await connectNats({ url: this.stack.natsUrl, name: 'campaign' })
    while (!this.stopping.signal.aborted) {
      const reply = await nats.raw.request('$JS.API.INFO')
      const { storage = 0 } = reply.json<{ storage?: number }>()
      const connections = await withAdmin(this.stack, async (admin) => {
        const { rows } = await admin.query<{ count: number }>(
          "SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename IN ('identity', 'management', 'location')",
        )
        return rows[0]?.count ?? 0
      })
      this.most = {
        connections: Math.max(this.most.connections, connections),
        natsBytes: Math.max(this.most.natsBytes, storage),
      }
      await sleep(SAMPLE_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined)
    }
    await nats.drain()
  }
}

async function stored(stack: StackAddresses) {
  return await withAdmin(stack, async (admin) => {
    const { rows } = await admin.query<{ bytes: string; log: string; chunks: number; distinct: number }>(
      `SELECT pg_database_size(current_database()) AS bytes, pg_current_wal_lsn() - '0/0' AS log, count(*)::int AS chunks,
         count(DISTINCT substr(data, 1, 20))::int AS distinct FROM management.device_chunks`,
    )
    const [row] = rows
    if (!row) throw new Error('an aggregate has one row')
    return { ...row, bytes: Number(row.bytes), log: Number(row.log) }
  })
}

/** Waits until everything that was acknowledged is stored. @returns the numbers of chunks that are not */
async function missing(stack: StackAddresses, acknowledged: ReadonlySet<number>): Promise<number[]> {
  const read = () =>
    withAdmin(stack, async (admin) => {
      const { rows } = await admin.query<{ number: number }>(
        "SELECT convert_from(substr(data, 1, 20), 'UTF8')::int AS number FROM management.device_chunks",
      )
      const there = new Set(rows.map(({ number }) => number))
      return [...acknowledged].filter((number) => !there.has(number))
    })
  await eventually(
    async () => {
      const { length } = await read()
      if (length > 0) throw new Error(`${String(length)} chunks are not stored yet`)
    },
    { withinMs: STORED_WITHIN_MS, everyMs: 1_000 },
  ).catch(() => undefined)
  return await read()
}

async function withAdmin<Result>(
  { adminDatabaseUrl }: StackAddresses,
  work: (admin: Client) => Promise<Result>,
): Promise<Result> {
  const admin = new Client({ connectionString: adminDatabaseUrl })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}
