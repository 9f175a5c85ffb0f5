import { hash, randomBytes } from 'node:crypto'
import {
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
  /** The time of day, in milliseconds since 1970: claims end by it. */
  readonly now: () => number
  /** Milliseconds since any moment. Never goes back, as the time of day may. */
  readonly elapsed: () => number
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
/**
 * Changes are known for this long, in milliseconds: longer than a question is open, together with the time for which
 * whoever answers it may have remembered the answer.
 */
const LONGEST_FLIGHT_MS = 60_000

/**
 * Remembers who holds which credential: bounded in entries and size, for a short hard time, never longer. There
 * is no stale-while-revalidate here: a revoked credential must not work once more.
 *
 * - Keys are a keyed hash over kind and credential: a dump of the memory shows no credential, and two kinds never meet.
 * - Several requests with the same unknown credential ask once (single flight).
 * - A fill that races with an invalidation loses: it answers who asked before, and is not kept; and whoever asks after
 *   the invalidation asks anew. An answer that was itself remembered, from before a change that was heard of, is asked
 *   for once more, fresh.
 */
export class CredentialCache {
  private readonly salt = randomBytes(32).toString('base64')
  private readonly entries: LRUCache<string, Active>
  private readonly refused: LRUCache<string, Refused>
  private readonly keysByTag = new Map<string, Set<string>>()
  private flights = new Map<string, Promise<Introspected>>()
  /** When each tag was last heard to have changed, oldest first. */
  private readonly changes = new Map<string, number>()
  private clearedAtMs = -Infinity

  constructor(private readonly options: CredentialCacheOptions) {
    this.entries = new LRUCache({
      max: options.maxEntries,
      maxSize: options.maxEntries * CHARACTERS_PER_ENTRY,
      sizeCalculation: (entry) => 512 + entry.claims.length * 3,
      perf: { now: options.elapsed },
      ttlResolution: 0,
      dispose: (entry, key) => {
        this.untag(key, entry)
      },
    })
    this.refused = new LRUCache({
      max: Math.min(MAX_REFUSED, options.maxEntries),
      ttl: Math.max(1, options.refusedTtlMs),
      perf: { now: options.elapsed },
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
    if (fresh) return this.depart(key, credential)
    const known = this.entries.get(key) ?? this.refused.get(key)
    if (known) return known
    if (!this.options.isWellFormed(credential)) return MALFORMED
    return this.flights.get(key) ?? this.depart(key, credential)
  }

  /** Forgets every credential that one of the tags is on (see `credentialTags`). */
  forget(tags: readonly string[]): void {
    const nowMs = this.options.elapsed()
    for (const [tag, changedAtMs] of this.changes) {
      if (nowMs - changedAtMs < LONGEST_FLIGHT_MS) break
      this.changes.delete(tag)
    }
    for (const tag of tags) {
      for (const key of [...(this.keysByTag.get(tag) ?? [])]) this.entries.delete(key)
      this.changes.delete(tag)
      this.changes.set(tag, nowMs)
    }
    // Whoever asks from now on is not content with an answer that was on its way before.
    this.flights = new Map()
  }

  /** Forgets everything: events may have been missed. */
  clear(): void {
    this.entries.clear()
    this.refused.clear()
    this.clearedAtMs = this.options.elapsed()
    this.flights = new Map()
  }

  private depart(key: string, credential: PresentedCredential): Promise<Introspected> {
    const flight = this.ask(key, credential)
    this.flights.set(key, flight)
    const land = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    flight.then(land, land)
    return flight
  }

  private async ask(key: string, credential: PresentedCredential): Promise<Introspected> {
    const { introspect, elapsed, refusedTtlMs } = this.options
    let askedAtMs = elapsed()
    let answer = await introspect(credential, false)
    if (answer.active && answer.age_ms > 0 && this.hasChanged(answer, askedAtMs - answer.age_ms)) {
      askedAtMs = elapsed()
      answer = await introspect(credential, true)
    }
    if (this.hasChanged(answer, askedAtMs)) return answer
    if (answer.active) this.keep(key, answer)
    else if (refusedTtlMs > 0) this.refused.set(key, answer)
    return answer
  }

  /** Whether something that an answer depends on was heard to have changed at or after a time. */
  private hasChanged(answer: Introspected, sinceMs: number): boolean {
    if (this.clearedAtMs >= sinceMs) return true
    if (!answer.active) return false
    return credentialTags(answer.principal).some((tag) => (this.changes.get(tag) ?? -Infinity) >= sinceMs)
  }

  private keep(key: string, answer: Active): void {
    const { now, ttlMs } = this.options
    const ttl = Math.min(ttlMs, answer.claims_expire_at * 1_000 - now() - CLAIMS_MARGIN_MS)
    if (ttl <= 0) return
    this.entries.set(key, answer, { ttl })
    for (const tag of credentialTags(answer.principal)) {
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
    // An account has one address however it is typed; else one key could fill the memory under many names.
    const known =
      credential.kind === 'user' ? { ...credential, email: credential.email.toLowerCase() } : credential
    // JSON keeps the parts apart: no e-mail address and secret can be moved across their border.
    return hash('sha256', this.salt + JSON.stringify(Object.values(known)), 'base64')
  }
}
