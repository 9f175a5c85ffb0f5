import { hash, randomBytes } from 'node:crypto'
import {
  IDENTITY_MEMORY_MS,
  credentialTags,
  type Introspection,
  type PresentedCredential,
} from '@bearing/contracts/identity/credential'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'

export type Introspected = z.infer<typeof Introspection>
type Active = Extract<Introspected, { active: true }>
type Refused = Extract<Introspected, { active: false }>

const MALFORMED: Refused = { active: false, reason: 'malformed' }

/** How a {@link CredentialCache} behaves. Times in milliseconds. */
export interface CredentialCacheOptions {
  /**
   * Finds out who holds a credential. Rejects where that cannot be told.
   *
   * @param fresh whether what somebody else remembers will not do
   */
  readonly introspect: (credential: PresentedCredential, fresh: boolean) => Promise<Introspected>
  /** Whether it can be a credential at all. What cannot is refused without asking and without being remembered. */
  readonly isWellFormed: (credential: PresentedCredential) => boolean
  readonly now: () => number
  readonly maxEntries: number
  /** How long a valid credential is remembered; at most 30,000. */
  readonly ttlMs: number
  /** How long a refused credential is remembered; 0 for not at all. */
  readonly refusedTtlMs: number
}

/** Claims are not used this close to their end: the services that verify them get them a moment later. */
const CLAIMS_MARGIN_MS = 15_000
/** A principal with hundreds of grants is large; all entries together stay below entries × this, in characters. */
const CHARACTERS_PER_ENTRY = 2_048
/** Refused credentials have a memory of their own, so that a flood of made-up ones cannot push out those that are used. */
const MAX_REFUSED = 10_000

interface Flight {
  readonly answer: Promise<Introspected>
  /** Tags that were invalidated while identity was answering. */
  readonly invalidated: Set<string>
}

/**
 * Remembers who holds which credential: bounded in entries and size, for a short hard time, never longer. There
 * is no stale-while-revalidate here: a revoked credential must not work once more.
 *
 * - Keys are a keyed hash over kind and credential: a dump of the memory shows no credential, and two kinds never meet.
 * - Several requests with the same unknown credential ask once (single flight).
 * - A fill that races with an invalidation loses: it answers who asked before, and is not kept; and whoever asks after
 *   the invalidation asks identity anew.
 */
export class CredentialCache {
  private readonly salt = randomBytes(32).toString('base64')
  private readonly entries: LRUCache<string, Active>
  private readonly refused: LRUCache<string, Refused>
  private readonly keysByTag = new Map<string, Set<string>>()
  private flights = new Map<string, Flight>()
  private invalidatedAtMs = -Infinity

  constructor(private readonly options: CredentialCacheOptions) {
    this.entries = new LRUCache({
      max: options.maxEntries,
      maxSize: options.maxEntries * CHARACTERS_PER_ENTRY,
      sizeCalculation: (entry) => 512 + entry.claims.length * 3,
      perf: { now: options.now },
      ttlResolution: 0,
      dispose: (entry, key) => {
        this.untag(key, entry)
      },
    })
    this.refused = new LRUCache({
      max: Math.min(MAX_REFUSED, options.maxEntries),
      ttl: Math.max(1, options.refusedTtlMs),
      perf: { now: options.now },
      ttlResolution: 0,
    })
  }

  /** Entries at the moment, for metrics. */
  get size(): number {
    return this.entries.size + this.refused.size
  }

  /**
   * What identity says about a credential.
   *
   * @param fresh whether what is remembered will not do
   * @throws what `introspect` rejects with: identity cannot tell
   */
  async look(credential: PresentedCredential, fresh = false): Promise<Introspected> {
    const key = this.keyOf(credential)
    if (fresh) return this.depart(key, credential).answer
    const known = this.entries.get(key) ?? this.refused.get(key)
    if (known) return known
    if (!this.options.isWellFormed(credential)) return MALFORMED
    const flight = this.flights.get(key) ?? this.depart(key, credential)
    return flight.answer
  }

  /** Forgets every credential that one of the tags is on (see `credentialTags`). */
  forget(tags: readonly string[]): void {
    for (const tag of tags) for (const key of [...(this.keysByTag.get(tag) ?? [])]) this.entries.delete(key)
    this.detachFlights(tags)
  }

  /** Forgets everything: events may have been missed. */
  clear(): void {
    this.entries.clear()
    this.refused.clear()
    this.detachFlights(['*'])
  }

  private detachFlights(tags: readonly string[]): void {
    this.invalidatedAtMs = this.options.now()
    for (const flight of this.flights.values()) for (const tag of tags) flight.invalidated.add(tag)
    this.flights = new Map()
  }

  private depart(key: string, credential: PresentedCredential): Flight {
    const invalidated = new Set<string>()
    const flight: Flight = { invalidated, answer: this.ask(key, credential, invalidated) }
    this.flights.set(key, flight)
    const land = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    flight.answer.then(land, land)
    return flight
  }

  private async ask(
    key: string,
    credential: PresentedCredential,
    invalidated: Set<string>,
  ): Promise<Introspected> {
    const fresh = this.options.now() - this.invalidatedAtMs <= IDENTITY_MEMORY_MS
    const answer = await this.options.introspect(credential, fresh)
    const tags = answer.active ? credentialTags(answer.principal) : []
    if (invalidated.has('*') || tags.some((tag) => invalidated.has(tag))) return answer
    if (answer.active) this.keep(key, answer, tags)
    else if (this.options.refusedTtlMs > 0) this.refused.set(key, answer)
    return answer
  }

  private keep(key: string, answer: Active, tags: readonly string[]): void {
    const { now, ttlMs } = this.options
    const ttl = Math.min(ttlMs, answer.claims_expire_at * 1_000 - now() - CLAIMS_MARGIN_MS)
    if (ttl <= 0) return
    this.entries.set(key, answer, { ttl })
    for (const tag of tags) {
      const keys = this.keysByTag.get(tag) ?? new Set()
      keys.add(key)
      this.keysByTag.set(tag, keys)
    }
  }

  private untag(key: string, entry: Active): void {
    for (const tag of credentialTags(entry.principal)) {
      const keys = this.keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.keysByTag.delete(tag)
    }
  }

  private keyOf(credential: PresentedCredential): string {
    // JSON keeps the parts apart: no e-mail address and secret can be moved across their border.
    return hash('sha256', this.salt + JSON.stringify(Object.values(credential)), 'base64')
  }
}
