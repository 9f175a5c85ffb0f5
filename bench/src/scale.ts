import { cpus } from 'node:os'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { startStack, type Stack } from '@bearing/testing/stack'
import { percentiles } from './figures.js'
import { DeviceKeys } from './scale/device-keys.js'
import { DevicePages } from './scale/device-pages.js'
import { LookUps } from './scale/look-ups.js'
import { storePlaces } from './scale/store-places.js'

const ROUNDS = 6

const say = (text: string) => process.stdout.write(`${text}\n`)

/** A service, and what its database has. */
interface Side {
  readonly stored: string
  readonly stack: Stack
  readonly nats: Connection
  readonly requests: { measure(count: number): Promise<number[]>; memory?(): Promise<string> }
  readonly timesMs: number[]
}

/** Requests to services that differ in how much is stored. */
interface Comparison {
  readonly request: string
  readonly warmUp: number
  readonly ofARound: number
  readonly aim: string
  readonly begin: readonly (() => Promise<Side>)[]
}

const lookUps: Comparison = {
  request: 'look-up',
  warmUp: 1_000,
  ofARound: 500,
  aim: '1.3 ×',
  begin: [10_000, 10_000_000].map((stored) => () => beginLookUps(stored)),
}
const pages: Comparison = {
  request: "page of a device's chunks",
  warmUp: 100,
  ofARound: 50,
  aim: '1.5 × for 10,000,000 chunks in 30 days',
  begin: (
    [
      [100_000, 30],
      [10_000_000, 30],
      [100_000, 400],
    ] as const
  ).map(
    ([chunks, days]) =>
      () =>
        beginPages(chunks, days),
  ),
}
const tokens: Comparison = {
  request: 'new token of a device',
  warmUp: 500,
  ofARound: 300,
  aim: '1.2 ×',
  begin: [10_000, 10_000_000].map((keys) => () => beginTokens(keys)),
}
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  'look-ups': lookUps,
  chunks: pages,
  'device-keys': tokens,
}

/**
 * `pnpm bench:scale [look-ups | chunks | device-keys]`: time of a look-up with 10,000,000 stored access points against 10,000, and of a page of the
 * chunks of a device with 10,000,000 stored chunks against 100,000; and to verify a new token of a device with 10,000,000 registered
 * keys against 10,000. One request at a time over NATS, in turns. Look-ups have no cache,
 * so that each reads from a Postgres that has all of it in memory.
 */
say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
const [wanted] = process.argv.slice(2)
for (const [name, comparison] of Object.entries(COMPARISONS))
  if (wanted === undefined || wanted === name) await compare(comparison)

async function compare({ request, warmUp, ofARound, aim, begin }: Comparison): Promise<void> {
  const sides: Side[] = []
  try {
    for (const each of begin) sides.push(await each())
    for (const { requests } of sides) await requests.measure(warmUp)
    for (let round = 0; round < ROUNDS; round++)
      for (const { requests, timesMs } of sides) timesMs.push(...(await requests.measure(ofARound)))
    const [first] = sides
    for (const { stored, timesMs, requests } of sides) {
      const { p50Ms, p99Ms } = percentiles(timesMs)
      const ratio = p50Ms / percentiles(first?.timesMs ?? timesMs).p50Ms
      say(
        `\n${stored}: ${request} p50 ${p50Ms.toFixed(3)} ms (${ratio.toFixed(2)} ×), p99 ${p99Ms.toFixed(2)} ms`,
      )
      if (requests.memory) say(await requests.memory())
    }
    say(`\nThe aim is ${aim} (docs/performance.md).`)
  } finally {
    for (const { nats, stack } of sides) {
      await nats.drain()
      await stack.stop()
    }
  }
}

async function beginLookUps(stored: number): Promise<Side> {
  const stack = await startStack({
    postgres: 'own',
    services: ['identity', 'location'],
    gateways: 0,
    environment: {
      identity: { LOG_LEVEL: 'warn' },
      location: { LOG_LEVEL: 'warn' },
    },
    constants: {
      location: {
        LOCATION_CACHE_ACCESS_POINTS: 1,
        LOCATION_CACHE_TTL_MS: 1,
        LOCATION_CACHE_CHECKED_TTL_MS: 1,
      },
    },
  })
  await storePlaces(stack, stored)
  const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
  const name = `${stored.toLocaleString('en')} access points`
  say(`${name} stored`)
  return { stored: name, stack, nats, requests: await LookUps.open(nats, stored), timesMs: [] }
}

async function beginPages(chunks: number, days: number): Promise<Side> {
  const stack = await startStack({
    postgres: 'own',
    services: ['identity', 'management'],
    gateways: 0,
    environment: {
      identity: { LOG_LEVEL: 'warn' },
      management: { LOG_LEVEL: 'warn' },
    },
  })
  const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
  const requests = await DevicePages.open(nats, stack, chunks, days)
  const name = `${chunks.toLocaleString('en')} chunks in ${String(days)} days`
  say(`${name} stored`)
  return { stored: name, stack, nats, requests, timesMs: [] }
}

async function beginTokens(keys: number): Promise<Side> {
  const warn = { LOG_LEVEL: 'warn' }
  const stack = await startStack({
    postgres: 'own',
    gateways: 1,
    environment: { gateway: warn, identity: warn, management: warn, location: warn },
  })
  const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
  const requests = await DeviceKeys.open(nats, stack, keys)
  const name = `${keys.toLocaleString('en')} keys`
  say(`${name} stored`)
  return { stored: name, stack, nats, requests, timesMs: [] }
}
