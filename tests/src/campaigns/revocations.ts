import { randomUUID } from 'node:crypto'
import { CredentialCache, type AskedFor } from '@bearing/client-nats/credential-cache'
import { MAX_CACHED_MS } from '@bearing/client-nats/identity-client'
import {
  IDENTITY_CACHE_MS,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import fc from 'fast-check'

/** Longest time until a message about a revocation is received, in milliseconds. */
const RECEIVED_WITHIN_MS = 900
/** Promised times, in milliseconds: with the message about it, and if every such message is lost. */
const PROMISED_MS = { received: 1_000, lost: 30_000 }
const START_MS = Date.UTC(2026, 0, 31)
const GATEWAYS = 2
const IDENTITIES = 2
const CREDENTIALS = 2
/** Both credentials are of it. */
const ORGANIZATION = randomUUID()

/** A simulated clock with scheduled events. */
class Time {
  nowMs = 0
  private readonly planned: { readonly atMs: number; readonly happen: () => void }[] = []

  at(atMs: number, happen: () => void): void {
    this.planned.push({ atMs, happen })
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(this.nowMs + ms, resolve)
    })
  }

  /** Lets everything happen, each at its time; what follows from it by promises happens before the next. */
  async run(): Promise<void> {
    for (;;) {
      const next = this.planned.reduce<number>(
        (first, { atMs }, index) => (atMs < (this.planned[first]?.atMs ?? Infinity) ? index : first),
        0,
      )
      const [event] = this.planned.splice(next, 1)
      if (!event) return
      this.nowMs = Math.max(this.nowMs, event.atMs)
      event.happen()
      await new Promise(setImmediate)
    }
  }
}

/** A gateway or a process of identity: what it caches, and whether NATS reaches it. */
interface Node {
  readonly cache: CredentialCache
  isConnected: boolean
}

/** Gateways that ask processes of identity that look into one database, on one made-up time. */
class World {
  readonly time = new Time()
  private readonly ids = Array.from({ length: CREDENTIALS }, () => randomUUID())
  private readonly revoked = new Set<number>()
  private readonly foundAtMs = new WeakMap<Introspected, number>()
  /** By the id of the request: every question carries the facts about the caller. */
  private readonly ways: Way[] = []
  readonly identities: readonly Node[] = Array.from({ length: IDENTITIES }, () =>
    this.node(IDENTITY_CACHE_MS, 0, (credential, _fresh, askedFor) =>
      this.readDatabase(credential, askedFor),
    ),
  )
  readonly gateways: readonly Node[] = Array.from({ length: GATEWAYS }, () =>
    this.node(MAX_CACHED_MS, 1_000, (credential, fresh, askedFor) =>
      this.askIdentity(credential, fresh, askedFor),
    ),
  )

  /** Returns true if a gateway accepts a credential that is presented now; the reply takes its time. */
  async accepts(gateway: number, credential: number, way: Way): Promise<boolean> {
    const askedFor = { requestId: String(this.ways.push(way) - 1) }
    const { cache } = nth(this.gateways, gateway)
    try {
      const holder = await cache.look(presented(credential), { askedFor })
      if (!holder.active) return false
      const { audience } = way
      if (cache.recallClaims(holder, { audience }) !== undefined) return true
      return (await cache.fetchClaims(presented(credential), holder, { audience }, { askedFor })).active
    } catch {
      return false // unavailable: 503
    }
  }

  /** Revokes in the database, without any message yet. */
  revoke(credential: number): void {
    this.revoked.add(credential)
  }

  tagOf(credential: number): string {
    return `credential:${nth(this.ids, credential)}`
  }

  private node(ttlMs: number, refusedTtlMs: number, introspect: Ask): Node {
    const cache = new CredentialCache({
      introspect,
      isWellFormed: () => true,
      now: () => START_MS + this.time.nowMs,
      elapsed: () => this.time.nowMs,
      maxEntries: 100,
      ttlMs,
      refusedTtlMs,
      // As gateways do.
      renews: refusedTtlMs > 0,
    })
    return { cache, isConnected: true }
  }

  private async askIdentity(
    credential: PresentedCredential,
    fresh: boolean,
    askedFor: AskedFor,
  ): Promise<Introspected> {
    const { identity, askMs, replyMs } = this.wayOf(askedFor)
    await this.time.sleep(askMs)
    const { cache, isConnected } = nth(this.identities, identity)
    if (!isConnected) throw new Error('nobody answers')
    const answer = await cache.look(credential, { fresh, askedFor })
    // As the introspection cache returns it.
    const result = answer.active
      ? { ...answer, age_ms: this.time.nowMs - (this.foundAtMs.get(answer) ?? this.time.nowMs) }
      : answer
    await this.time.sleep(replyMs)
    return result
  }

  private async readDatabase(credential: PresentedCredential, askedFor: AskedFor): Promise<Introspected> {
    const { readMs } = this.wayOf(askedFor)
    const number = Number(credential.kind === ORGANIZATION_TOKEN && credential.token)
    // As the introspection cache counts the age of its entries.
    const askedAtMs = this.time.nowMs
    const isRevoked = this.revoked.has(number)
    await this.time.sleep(readMs)
    if (isRevoked) return { active: false, reason: 'unknown' }
    const answer = this.active(number)
    this.foundAtMs.set(answer, askedAtMs)
    return answer
  }

  private wayOf({ requestId }: AskedFor): Way {
    return nth(this.ways, Number(requestId))
  }

  private active(number: number): Introspected {
    return {
      active: true,
      principal: {
        kind: ORGANIZATION_TOKEN,
        credential_id: nth(this.ids, number),
        organization_id: ORGANIZATION,
        description: '',
        permissions: [],
        expires_at: null,
      },
      claims: 'signed',
      claims_expire_at: (START_MS + this.time.nowMs) / 1_000 + 60,
      age_ms: 0,
    }
  }
}

type Ask = (credential: PresentedCredential, fresh: boolean, askedFor: AskedFor) => Promise<Introspected>

/** The process of identity that a question goes to, and the durations of its parts. */
interface Way {
  readonly identity: number
  /** The service that claims are needed for. */
  readonly audience: string
  readonly askMs: number
  readonly readMs: number
  readonly replyMs: number
}

/** Arrivals of the message about a change at one node: several, one or none. */
type Delivery = readonly number[]

const node = (count: number) => fc.nat({ max: count - 1 })
/** Time at which the credential is revoked. Only times relative to it matter. */
const REVOKED_AT_MS = 10_000
/** Any time, but most often around the moments at which an earlier cache entry would expire. */
const atMs = fc.oneof(
  fc.nat({ max: 45_000 }),
  ...[0, IDENTITY_CACHE_MS, PROMISED_MS.lost].map((afterMs) =>
    fc.integer({ min: REVOKED_AT_MS + afterMs - 1_000, max: REVOKED_AT_MS + afterMs + 2_000 }),
  ),
)
const way = fc.record({
  identity: node(IDENTITIES),
  audience: fc.constantFrom('identity', 'management', 'location'),
  askMs: fc.nat({ max: 400 }),
  readMs: fc.nat({ max: 400 }),
  replyMs: fc.nat({ max: 400 }),
})
const ask = fc.record({ atMs, gateway: node(GATEWAYS), credential: node(CREDENTIALS), way })
const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  { weight: 1, arbitrary: fc.array(fc.nat({ max: RECEIVED_WITHIN_MS }), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant([]) },
)
const deliveries = fc.array(delivery, { minLength: GATEWAYS + IDENTITIES, maxLength: GATEWAYS + IDENTITIES })
const change = fc.record({ atMs, by: node(IDENTITIES), deliveries })
const outage = fc.record({ atMs, node: node(GATEWAYS + IDENTITIES), lastsMs: fc.nat({ max: 20_000 }) })

const history = fc.record({
  asks: fc.array(ask, { minLength: 5, maxLength: 60 }),
  /** Of the first credential; the second one stays valid. */
  revocation: fc.record({ atMs: fc.constant(REVOKED_AT_MS), by: node(IDENTITIES), deliveries }),
  /** Other changes of the organization, which affect both credentials. */
  changes: fc.array(change, { maxLength: 4 }),
  outages: fc.array(outage, { maxLength: 3 }),
})
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

/** Simulates a history. Returns every acceptance of the first credential that came too late. */
async function simulate({ asks, revocation, changes, outages }: History): Promise<string[]> {
  const world = new World()
  const { time } = world
  const nodes = [...world.gateways, ...world.identities]
  const receivedBy = new Set<number>()
  const announce = (
    by: number,
    what: string,
    ways: readonly Delivery[],
    received?: (index: number) => void,
  ) => {
    // The process that makes a change evicts it before anyone is notified.
    nth(world.identities, by).cache.invalidate([what])
    for (const [index, delays] of ways.entries())
      for (const delayMs of delays)
        time.at(time.nowMs + delayMs, () => {
          const { cache, isConnected } = nth(nodes, index)
          if (!isConnected) return
          cache.invalidate([what])
          received?.(index)
        })
  }
  for (const { atMs, node, lastsMs } of outages) {
    time.at(atMs, () => {
      nth(nodes, node).isConnected = false
    })
    time.at(atMs + lastsMs, () => {
      nth(nodes, node).isConnected = true
      nth(nodes, node).cache.clear()
      // New entries of its cache are from after the change, if that was before.
      if (time.nowMs >= revocation.atMs) receivedBy.add(node)
    })
  }
  for (const { atMs, by, deliveries } of changes)
    time.at(atMs, () => {
      announce(by, `organization:${ORGANIZATION}`, deliveries)
    })
  time.at(revocation.atMs, () => {
    world.revoke(0)
    announce(revocation.by, world.tagOf(0), revocation.deliveries, (index) => receivedBy.add(index))
  })
  const late: string[] = []
  for (const { atMs, gateway, credential, way } of asks)
    time.at(atMs, () => {
      const promised = receivedBy.has(gateway) ? PROMISED_MS.received : PROMISED_MS.lost
      const isTooLate = credential === 0 && atMs > revocation.atMs + promised
      void world.accepts(gateway, credential, way).then((accepted) => {
        if (accepted && isTooLate)
          late.push(`gateway ${String(gateway)}, ${String(atMs - revocation.atMs)} ms after the revocation`)
      })
    })
  await time.run()
  return late
}

/**
 * Simulates this many random histories.
 *
 * @returns the shortest one that was found in which a revocation came too late, as a report; undefined where none was
 */
export async function findLateAcceptance(histories: number): Promise<string | undefined> {
  const details = await fc.check(
    fc.asyncProperty(history, async (past) => {
      const late = await simulate(past)
      if (late.length > 0) throw new Error(late.join('\n'))
    }),
    { numRuns: histories },
  )
  return details.failed ? fc.defaultReportMessage(details) : undefined
}

function presented(credential: number): PresentedCredential {
  return { kind: ORGANIZATION_TOKEN, token: String(credential) }
}

function nth<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no item ${String(index)}`)
  return item
}
