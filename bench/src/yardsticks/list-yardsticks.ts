import type { Changefeed } from '../changefeed.js'
import { EXCHANGES, LOOKUPS_BESIDE } from '../exchanges.js'
import type { LoadedRevocations } from '../revocation.js'
import { BATCH_SCANS, type SideName } from './http-sides.js'
import { microsOf, type Measured } from './in-turns.js'
import type { OpenLoop } from './open-loop.js'
import { median, type Yardstick } from './yardstick.js'

type Rounds = Readonly<Record<SideName, readonly Measured[]>>

/** Returns the yardsticks of what was asked over HTTP. */
export function httpYardsticks(measured: Rounds): Yardstick[] {
  return [...costs(measured), ...rates(measured)]
}

function ratio(measured: Rounds, of: SideName, to: SideName, figure = perSecondOf): number[] {
  return measured[of].map((round, index) => {
    const other = measured[to][index]
    if (!other) throw new Error('unreachable: all sides have the same rounds')
    return figure(round) / figure(other)
  })
}

function perSecondOf({ perSecond }: Measured): number {
  return perSecond
}

/** Returns the yardsticks in processor time. */
function costs(measured: Rounds): Yardstick[] {
  const [warm, plain] = [measured['warm look-ups'], measured['the same without the gateway']]
  return [
    {
      name: 'authenticated look-ups per core-second, warm, 20 access points; µs',
      unit: '',
      better: 'more',
      aim: 10_000,
      stretch: 14_000,
      rounds: warm.map((round) => 1e6 / microsOf(round)),
      parts: partsOf(warm),
    },
    {
      name: 'the same with 128 connections; µs',
      unit: '',
      better: 'more',
      rounds: measured['warm look-ups, 128 connections'].map((round) => 1e6 / microsOf(round)),
      parts: partsOf(measured['warm look-ups, 128 connections']),
    },
    {
      name: 'what authentication, limits, claims, metrics and logs add to the same pipeline without them',
      unit: 'µs',
      better: 'less',
      aim: 15,
      stretch: 10,
      rounds: warm.map((round, index) => microsOf(round) - microsOf(plain[index] ?? round)),
    },
    {
      name: 'warm look-ups with a token that a device signed ÷ with an organization token, processor time',
      unit: '×',
      better: 'less',
      aim: 1.1,
      rounds: ratio(measured, 'warm look-ups, device token', 'warm look-ups', microsOf),
    },
    {
      name: 'the same work behind nginx `auth_request` and Fastify, processor time ÷ Bearing',
      unit: '×',
      better: 'more',
      aim: 1.5,
      stretch: 2,
      rounds: ratio(measured, 'the same behind nginx', 'warm look-ups', microsOf),
    },
  ]
}

/** Returns the yardsticks in requests a second. */
function rates(measured: Rounds): Yardstick[] {
  return [
    {
      name: 'warm look-ups ÷ bare pipeline (Fastify, one NATS request, an echo), requests a second',
      unit: '×',
      better: 'more',
      rounds: ratio(measured, 'warm look-ups', 'bare echo'),
    },
    {
      name: `batch endpoint, ${String(BATCH_SCANS)} scans a request, scans a second on all cores`,
      unit: '',
      better: 'more',
      aim: 50_000,
      stretch: 80_000,
      rounds: measured.batches.map((round) => round.perSecond * BATCH_SCANS),
    },
    {
      name: 'look-ups in a learned building ÷ warm',
      unit: '×',
      better: 'more',
      aim: 0.45,
      stretch: 0.6,
      rounds: ratio(measured, 'learned building', 'warm look-ups'),
    },
    {
      name: 'cold look-ups (800,000 different access points, one organization) ÷ warm, after a minute',
      unit: '×',
      better: 'more',
      aim: 0.8,
      rounds: ratio(measured, 'cold look-ups', 'warm look-ups'),
    },
    {
      name: 'list of projects ÷ bare pipeline',
      unit: '×',
      better: 'more',
      aim: 0.6,
      rounds: ratio(measured, 'list of projects', 'small bare echo'),
    },
    {
      name: 'chunks accepted while they are stored ÷ bare Fastify → JetStream',
      unit: '×',
      better: 'more',
      aim: 0.75,
      stretch: 0.9,
      rounds: ratio(measured, 'chunks', 'bare chunks'),
    },
  ]
}

/** Figures that were measured in other ways. */
export interface Others {
  readonly openLoop: readonly OpenLoop[]
  readonly uploads: readonly number[]
  readonly introspection: readonly number[]
  readonly freshTokens: readonly number[]
  readonly revocationMs: number
  readonly loadedRevocations: LoadedRevocations
  readonly idle: Readonly<Record<string, number>>
  /** Nanoseconds of each round. */
  readonly counting: readonly number[]
  readonly exchanges: readonly OpenLoop[]
  readonly changefeed: Changefeed
  /** Share of each round. */
  readonly sinks: readonly number[]
}

/** Returns the yardsticks of everything else. */
export function otherYardsticks({
  openLoop,
  uploads,
  introspection,
  freshTokens,
  revocationMs,
  loadedRevocations,
  idle,
  counting,
  exchanges,
  changefeed,
  sinks,
}: Others): Yardstick[] {
  return [
    ...ofData({ changefeed, sinks }),
    {
      name: 'open loop at 70 % of the greatest rate, p50',
      unit: 'ms',
      better: 'less',
      aim: 2,
      stretch: 1,
      rounds: openLoop.map(({ p50Ms }) => p50Ms),
    },
    {
      name: 'the same, p99',
      unit: 'ms',
      better: 'less',
      aim: 5,
      stretch: 3,
      rounds: openLoop.map(({ p99Ms }) => p99Ms),
    },
    {
      name: 'uploads ÷ bare Fastify → JetStream',
      unit: '×',
      better: 'more',
      aim: 0.5,
      stretch: 0.7,
      rounds: uploads,
    },
    { name: 'introspection ÷ raw NATS echo', unit: '×', better: 'more', aim: 0.8, rounds: introspection },
    freshTokensYardstick(freshTokens),
    ...revocationYardsticks(revocationMs, loadedRevocations),
    exchangeYardstick(exchanges),
    countingYardstick(counting),
    {
      name: 'idle memory, the largest process',
      unit: 'MiB',
      better: 'less',
      aim: 110,
      rounds: [Math.max(...Object.values(idle))],
      parts: idle,
    },
  ]
}

function freshTokensYardstick(rounds: readonly number[]): Yardstick {
  return {
    name: 'new tokens of devices, each verified once, ÷ the same with the library alone, processor time',
    unit: '×',
    better: 'more',
    aim: 0.7,
    rounds,
  }
}

function countingYardstick(counting: readonly number[]): Yardstick {
  return {
    name: 'counting a look-up by project, hour, outcome and radius',
    unit: 'ns',
    better: 'less',
    aim: 1_000,
    rounds: counting,
  }
}

function exchangeYardstick(exchanges: readonly OpenLoop[]): Yardstick {
  return {
    name: `${String(EXCHANGES)} exchanges of workload tokens a second beside ${String(LOOKUPS_BESIDE)} look-ups, p99`,
    unit: 'ms',
    better: 'less',
    aim: 50,
    rounds: exchanges.map(({ p99Ms }) => p99Ms),
    parts: { p50: median(exchanges.map(({ p50Ms }) => p50Ms)) },
  }
}

function partsOf(rounds: readonly Measured[]): Record<string, number> {
  const parts = Object.keys(rounds[0]?.micros ?? {})
  return Object.fromEntries(
    parts.map((part) => [part, median(rounds.map(({ micros }) => micros[part] ?? Number.NaN))]),
  )
}

function revocationYardsticks(revocationMs: number, loadedRevocations: LoadedRevocations): Yardstick[] {
  const common = { unit: 'ms', better: 'less', aim: 20 } as const
  return [
    { name: 'revocation, p99', ...common, rounds: [revocationMs] },
    ...Object.entries(loadedRevocations).map(([kind, { p50Ms, p99Ms, repliedP99Ms, requestP99Ms }]) => ({
      ...{ name: `the same of a ${kind}, two gateways under load`, ...common, rounds: [p99Ms] },
      parts: { p50: p50Ms, 'p99 with the reply': repliedP99Ms, 'p99 of accepted requests': requestP99Ms },
    })),
  ]
}

/** Returns the yardsticks of reading the data of devices. */
function ofData({ changefeed, sinks }: Pick<Others, 'changefeed' | 'sinks'>): Yardstick[] {
  return [
    {
      name: 'changefeed, items of 500 bytes a second on all cores; ms of processor time for 1,000',
      unit: '',
      better: 'more',
      aim: 20_000,
      rounds: changefeed.perSecond,
      parts: changefeed.parts,
    },
    {
      name: 'compressed lines to a destination, items a second ÷ a bare NATS consumer that posts them',
      unit: '×',
      better: 'more',
      aim: 0.5,
      rounds: sinks,
    },
  ]
}
