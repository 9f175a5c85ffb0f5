import { cpus } from 'node:os'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { startStack, type Stack } from '@bearing/testing/stack'
import { percentiles } from './figures.js'
import { LookUps } from './scale/look-ups.js'
import { storePlaces } from './scale/store-places.js'

const SIZES = [10_000, 10_000_000]
const ROUNDS = 6
const ASKED_A_ROUND = 500
const WARM_UP = 1_000

const say = (text: string) => process.stdout.write(`${text}\n`)

/** A location service, and how many access points its database has. */
interface Side {
  readonly stored: number
  readonly stack: Stack
  readonly nats: Connection
  readonly lookUps: LookUps
  readonly timesMs: number[]
}

/**
 * `pnpm bench:scale`: what a look-up takes with 10,000,000 stored access points against 10,000. 20 access points each, one
 * look-up at a time over NATS, by services without a cache, so that each reads from a Postgres that has all of it in
 * memory. The sides take turns.
 */
const sides: Side[] = []
try {
  say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
  for (const stored of SIZES) sides.push(await begin(stored))
  for (const { lookUps } of sides) await lookUps.measure(WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const { lookUps, timesMs } of sides) timesMs.push(...(await lookUps.measure(ASKED_A_ROUND)))
  const [first] = sides
  for (const { stored, timesMs } of sides) {
    const { p50Ms, p99Ms } = percentiles(timesMs)
    const ratio = p50Ms / percentiles(first?.timesMs ?? timesMs).p50Ms
    say(
      `\n${stored.toLocaleString('en')} stored: look-up p50 ${p50Ms.toFixed(3)} ms (${ratio.toFixed(2)} ×), p99 ${p99Ms.toFixed(2)} ms`,
    )
  }
  say('\nThe aim is 1.3 × (docs/performance.md).')
} finally {
  for (const { nats, stack } of sides) {
    await nats.drain()
    await stack.stop()
  }
}

async function begin(stored: number): Promise<Side> {
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
  const began = performance.now()
  await storePlaces(stack, stored)
  say(
    `${stored.toLocaleString('en')} access points stored in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  )
  const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
  return { stored, stack, nats, lookUps: await LookUps.open(nats, stored), timesMs: [] }
}
