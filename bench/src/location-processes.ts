import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { startStack, type Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { percentiles } from './figures.js'
import { LookUps } from './scale/look-ups.js'
import { PER_PLACE } from './scale/places.js'
import { storePlaces } from './scale/store-places.js'

const ORGANIZATIONS = 16
const PLACES = 250
/** A tenth of what it is, so that a run takes seconds; as many look-ups of a place fall into it at a tenth of the rate. */
const TTL_MS = 6_000
/** Its name in a stack. */
const REPLICA = 'location-2'
const WARM_UP_MS = 8_000
const MEASURED_MS = 15_000

let failures = 0

const say = (text: string) => process.stdout.write(`${text}\n`)

/** A queue group of location processes, and the organizations that ask it. */
interface Group {
  readonly stack: Stack
  readonly nats: Connection
  readonly asking: LookUps[]
}

/**
 * `pnpm bench:processes`: what several location processes cost whose caches all contain everything, against processes that each answer
 * half of the organizations: statements that read access points from Postgres, memory, and how long a look-up takes.
 */
say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
const first = await begin()
const second = await begin(first)
try {
  await storePlaces(first.stack, PLACES * PER_PLACE)
  await first.stack.addReplica('location')
  for (const perSecond of [200, 1_000]) {
    await first.stack.part(REPLICA).stop()
    await join(first, ORGANIZATIONS)
    await measure(`one process, all organizations, ${String(perSecond)}/s`, perSecond, [first])
    await first.stack.part(REPLICA).start()
    await measure(`two processes, all organizations, ${String(perSecond)}/s`, perSecond, [first])
    await first.stack.part(REPLICA).stop()
    await join(first, ORGANIZATIONS / 2)
    await join(second, ORGANIZATIONS / 2)
    await measure(`two processes, half of them each, ${String(perSecond)}/s`, perSecond, [first, second])
    await first.stack.part(REPLICA).start()
  }
} finally {
  for (const { nats, stack } of [first, second]) {
    await nats.drain()
    await stack.end()
  }
}

/** @param of the group that has the database */
async function begin(of?: Group): Promise<Group> {
  const url = of?.stack.databaseUrls.location
  const stack = await startStack({
    postgres: 'own',
    services: ['identity', 'location'],
    gateways: 0,
    environment: {
      identity: { LOG_LEVEL: 'warn' },
      location: { LOG_LEVEL: 'warn', ...(url !== undefined && { LOCATION_DATABASE_URL: url }) },
    },
    constants: { location: { LOCATION_CACHE_TTL_MS: TTL_MS, LOCATION_CACHE_CHECKED_TTL_MS: TTL_MS } },
  })
  return { stack, nats: await connectNats({ url: stack.natsUrl, name: 'bench' }), asking: [] }
}

async function join({ nats, asking }: Group, organizations: number): Promise<void> {
  asking.length = 0
  while (asking.length < organizations) asking.push(await LookUps.open(nats, PLACES * PER_PLACE))
}

async function measure(name: string, perSecond: number, groups: readonly Group[]): Promise<void> {
  // Each begins with an empty cache and the same memory.
  for (const { stack } of groups)
    for (const part of partsOf(stack)) {
      await stack.part(part).stop()
      await stack.part(part).start()
    }
  await ask(perSecond, groups, WARM_UP_MS)
  const before = await reads()
  failures = 0
  const times = await ask(perSecond, groups, MEASURED_MS)
  // Postgres writes its statistics later.
  await sleep(2_000)
  const read = (await reads()) - before
  const memory = await Promise.all(
    groups.flatMap(({ stack }) => partsOf(stack).map((part) => residentMiB(stack.part(part).pid))),
  )
  const { p50Ms, p99Ms } = percentiles(times)
  say(
    `${name}: ${String(times.length)} look-ups (${String(failures)} failed), ${(read / times.length).toFixed(2)} access points read for each (of ${String(PER_PLACE)}), p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(1)} ms, ${memory.map((mib) => mib.toFixed(0)).join(' + ')} MiB`,
  )
}

/** As many look-ups a second as the groups have together, evenly by organization. */
async function ask(perSecond: number, groups: readonly Group[], forMs: number): Promise<number[]> {
  const all = groups.flatMap(({ asking }) => asking)
  const everyMs = (1_000 * all.length) / perSecond
  const until = performance.now() + forMs
  const times: number[] = []
  await Promise.all(
    all.map(async (lookUps) => {
      const underWay: Promise<unknown>[] = []
      for (let nextMs = performance.now() + Math.random() * everyMs; nextMs < until; nextMs += everyMs) {
        await sleep(Math.max(0, nextMs - performance.now()))
        // On a busy machine some find no connection to Postgres in time.
        underWay.push(
          lookUps.measure(1).then(
            (took) => times.push(...took),
            () => failures++,
          ),
        )
      }
      await Promise.all(underWay)
    }),
  )
  return times
}

function partsOf(stack: Stack): string[] {
  return ['location', REPLICA].filter((name) => {
    try {
      return stack.part(name).pid > 0
    } catch {
      return false
    }
  })
}

/** Rows of access points that were read by their key since the statistics began. */
async function reads(): Promise<number> {
  const client = new pg.Client(first.stack.adminDatabaseUrl)
  await client.connect()
  const { rows } = await client.query<{ reads: string }>(
    "SELECT sum(idx_tup_fetch) AS reads FROM pg_stat_user_tables WHERE schemaname = 'location' AND relname LIKE 'access_points%'",
  )
  await client.end()
  return Number(rows[0]?.reads)
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}
