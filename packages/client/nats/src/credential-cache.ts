import { hash, randomBytes } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import {
  credentialTags,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credential'
import type { CallOptions } from '@bearing/nats/client'
import { LRUCache } from 'lru-cache'
import { atMost } from './at-most.js'
import { inTime } from './in-time.js'

type Active = Extract<Introspected, { active: true }>
type Refused = Extract<Introspected, { active: false }>
type Ask = (askedFor: AskedFor) => Promise<Introspected>

interface Claims {
  readonly claims: string
  readonly expiresAtMs: number
}

const MALFORMED: Refused = { active: false, reason: 'malformed' }

/** The request that makes us ask, for the limits and logs of identity. */
export type AskedFor = Pick<CallOptions, 'clientAddress' | 'requestId' | 'traceparent'> & {
  /** The service that the request is for, if its claims can be signed before more is known. */
  readonly audience?: string | undefined
}

/** What claims are wanted for. */
export interface ClaimsScope {
  readonly audience: string
  /** The organization that the request of a user is about. Undefined: a request of users about themselves. */
  readonly organization_id?: string | undefined
}

/** How one credential is looked up. */
export interface Look {
  /** Whether what is remembered will not do. */
  readonly fresh?: boolean
  /** How long the caller waits, in milliseconds; as long as it takes unless given. */
  readonly waitMs?: number
  readonly askedFor?: AskedFor
}

/** What a cache has done and holds, for metrics. */
export interface CacheFigures {
  /** Answers from memory. */
  readonly hits: number
  /** Answers that had to be waited for. */
  readonly misses: number
  /** Entries at the moment. */
  readonly size: number
}

/** How a {@link CredentialCache} behaves. Times in milliseconds. */
export interface CredentialCacheOptions {
  /**
   * Finds out who holds a credential. Rejects where that cannot be told. Several callers wait for it, so it has a time
   * of its own and not that of the first of them.
   *
   * @param fresh whether what somebody else remembers will not do
   * @param askedFor the caller that came first
   * @param scope what claims are wanted for. Undefined: no claims are
   */
  readonly introspect: (
    credential: PresentedCredential,
    fresh: boolean,
    askedFor: AskedFor,
    scope: ClaimsScope | undefined,
  ) => Promise<Introspected>
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
/** The most claims that are cached with one entry: a user may ask for many organizations. */
const MAX_CLAIMS = 32
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
 * - Several requests with the same unknown credential ask once (single flight), and each waits for as long as it said:
 *   whoever has time left when a question of another one has come to nothing in time asks again.
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
  /** The claims that came for an entry, by what they are for. They are never used longer than the entry. */
  private readonly claims = new WeakMap<Active, Map<string, Claims>>()
  /** When each tag was last heard to have changed, oldest first. */
  private readonly changes = new Map<string, number>()
  private clearedAtMs = -Infinity
  private hits = 0
  private misses = 0

  constructor(private readonly options: CredentialCacheOptions) {
    this.entries = new LRUCache({
      maxSize: options.maxEntries * CHARACTERS_PER_ENTRY,
      // None counts less than its share, so there are no more entries than there may be (see `atMost`).
      sizeCalculation: sizeOf,
      perf: { now: options.elapsed },
      ttlResolution: 0,
      dispose: (entry, key) => {
        this.untag(key, entry)
      },
    })
    this.refused = new LRUCache({
      ...atMost(Math.min(MAX_REFUSED, options.maxEntries)),
      ttl: Math.max(1, options.refusedTtlMs),
      perf: { now: options.elapsed },
      ttlResolution: 0,
    })
  }

  get figures(): CacheFigures {
    return { hits: this.hits, misses: this.misses, size: this.entries.size + this.refused.size }
  }

  /**
   * What identity says about a credential.
   *
   * @throws what `introspect` rejects with: identity cannot tell; OperationError `deadline_exceeded` where it took longer
   *   than the caller waits
   */
  async look(credential: PresentedCredential, look: Look = {}): Promise<Introspected> {
    const known = look.fresh ? undefined : this.recall(credential)
    if (known) return known
    this.misses++
    const key = this.keyOf(credential)
    return this.wait(key, look, (askedFor) => this.ask(key, credential, askedFor))
  }

  /** What can be said about a credential without asking; undefined where it has to be asked for. */
  recall(credential: PresentedCredential): Introspected | undefined {
    const key = this.keyOf(credential)
    const known = this.entries.get(key) ?? this.refused.get(key)
    if (!known) return this.options.isWellFormed(credential) ? undefined : MALFORMED
    this.hits++
    return known
  }

  /**
   * Returns claims of a holder whose claims for this are cached; undefined if they have to be fetched.
   *
   * @param holder what {@link look} or {@link recall} returned
   */
  recallClaims(holder: Active, scope: ClaimsScope): string | undefined {
    const known = this.claims.get(holder)?.get(scopeKey(scope))
    return known && known.expiresAtMs - CLAIMS_MARGIN_MS > this.options.now() ? known.claims : undefined
  }

  /**
   * Fetches claims of a holder, and caches them for as long as the holder is. The rules are those of {@link look}: callers
   * share one question, and an answer that races with an invalidation is not cached.
   *
   * @returns an answer with claims, or why the credential is refused by now
   * @throws as {@link look}
   */
  async fetchClaims(
    credential: PresentedCredential,
    holder: Active,
    scope: ClaimsScope,
    look: Omit<Look, 'fresh'> = {},
  ): Promise<Introspected> {
    const key = this.keyOf(credential)
    return this.wait(`${key} ${scopeKey(scope)}`, look, (askedFor) =>
      this.askForClaims(key, credential, holder, scope, askedFor),
    )
  }

  /** Stands for a credential in this process, and does not show it. */
  keyOf(credential: PresentedCredential): string {
    // An account has one address however it is typed; else one key could fill the memory under many names.
    const known =
      credential.kind === 'user' ? { ...credential, email: credential.email.toLowerCase() } : credential
    // JSON keeps the parts apart: no e-mail address and secret can be moved across their border.
    return hash('sha256', this.salt + JSON.stringify(Object.values(known)), 'base64')
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

  private async wait(key: string, look: Look, ask: Ask): Promise<Introspected> {
    const untilMs = this.options.elapsed() + (look.waitMs ?? Infinity)
    for (;;) {
      const joined = look.fresh ? undefined : this.flights.get(key)
      const flight = joined ?? this.depart(key, ask(look.askedFor ?? {}))
      try {
        const answer = await inTime(flight, untilMs - this.options.elapsed())
        if (answer) return answer
      } catch (error) {
        // It set out before we came: what has run out is not our time.
        if (joined && isTooLate(error)) continue
        throw error
      }
      throw new OperationError('deadline_exceeded', 'The answer did not come in time. Try again shortly.', {
        retry_after: 1,
      })
    }
  }

  private depart(key: string, flight: Promise<Introspected>): Promise<Introspected> {
    this.flights.set(key, flight)
    const land = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    flight.then(land, land)
    return flight
  }

  private async ask(key: string, credential: PresentedCredential, askedFor: AskedFor): Promise<Introspected> {
    const { audience } = askedFor
    const scope = audience === undefined ? undefined : { audience }
    const { answer, askedAtMs } = await this.askIdentity(credential, askedFor, scope)
    // Also for who asked: what an answer says of claims is found in one place.
    if (answer.active && scope) this.keepClaims(answer, answer, scope)
    if (this.hasChanged(answer, askedAtMs)) return answer
    if (answer.active) this.keep(key, answer, askedAtMs)
    else if (this.options.refusedTtlMs > 0) this.refused.set(key, answer)
    return answer
  }

  private async askForClaims(
    key: string,
    credential: PresentedCredential,
    holder: Active,
    scope: ClaimsScope,
    askedFor: AskedFor,
  ): Promise<Introspected> {
    const { answer, askedAtMs } = await this.askIdentity(credential, askedFor, scope)
    if (!answer.active) {
      // The event may still be on its way.
      if (this.entries.peek(key) === holder) this.entries.delete(key)
      return answer
    }
    if (!this.hasChanged(answer, askedAtMs) && this.entries.peek(key) === holder)
      this.keepClaims(holder, answer, scope)
    return answer
  }

  /** Asks, and once more if what was answered is from before a change that was heard of. */
  private async askIdentity(
    credential: PresentedCredential,
    askedFor: AskedFor,
    scope: ClaimsScope | undefined,
  ): Promise<{ readonly answer: Introspected; readonly askedAtMs: number }> {
    const { introspect, elapsed } = this.options
    const askedAtMs = elapsed()
    const answer = await introspect(credential, false, askedFor, scope)
    if (!answer.active || answer.age_ms === 0 || !this.hasChanged(answer, askedAtMs - answer.age_ms))
      return { answer, askedAtMs }
    const askedAgainAtMs = elapsed()
    return { answer: await introspect(credential, true, askedFor, scope), askedAtMs: askedAgainAtMs }
  }

  private keepClaims(holder: Active, { claims, claims_expire_at }: Active, scope: ClaimsScope): void {
    if (claims === undefined || claims_expire_at === undefined) return
    const known = this.claims.get(holder) ?? new Map<string, Claims>()
    this.claims.set(holder, known)
    if (known.size >= MAX_CLAIMS) known.clear()
    known.set(scopeKey(scope), { claims, expiresAtMs: claims_expire_at * 1_000 })
  }

  /** Whether something that an answer depends on was heard to have changed at or after a time. */
  private hasChanged(answer: Introspected, sinceMs: number): boolean {
    if (this.clearedAtMs >= sinceMs) return true
    if (!answer.active) return false
    return credentialTags(answer.principal).some((tag) => (this.changes.get(tag) ?? -Infinity) >= sinceMs)
  }

  /** Counted from when it was asked for: how things stood may have been looked up right then, and the answer slow. */
  private keep(key: string, answer: Active, askedAtMs: number): void {
    const { elapsed, ttlMs } = this.options
    const ttl = ttlMs - (elapsed() - askedAtMs)
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
}

/** Grants are most of a large entry; the claims about one organization are small. */
function sizeOf({ principal }: Active): number {
  if (principal.kind !== 'user') return CHARACTERS_PER_ENTRY
  const projects = principal.grants.reduce((count, grant) => count + grant.projects.length, 0)
  return Math.max(CHARACTERS_PER_ENTRY, 512 + 512 * principal.grants.length + 128 * projects)
}

function scopeKey({ audience, organization_id = '' }: ClaimsScope): string {
  return `${audience} ${organization_id}`
}

function isTooLate(error: unknown): boolean {
  return error instanceof OperationError && error.code === 'deadline_exceeded'
}
