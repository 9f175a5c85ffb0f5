import { hash, randomBytes } from 'node:crypto'
import {
  credentialTags,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import type { CallOptions } from '@bearing/nats/client'
import { RemoteCache, type CacheFigures, type Lookup } from './remote-cache.js'

type Active = Extract<Introspected, { active: true }>
type Refused = Extract<Introspected, { active: false }>

interface Claims {
  readonly scope: ClaimsScope
  readonly claims: string
  readonly expiresAtMs: number
  isUsed: boolean
}

const MALFORMED: Refused = { active: false, reason: 'malformed' }

/** The request that makes us ask, for the limits and logs of identity. */
export type AskedFor = Pick<CallOptions, 'clientAddress' | 'requestId' | 'traceparent'> & {
  /** The service that the request is for, if its claims can be signed before more is known. */
  readonly audience?: string | undefined
}

/** The audience and organization of claims. */
export interface ClaimsScope {
  readonly audience: string
  /** The organization that the request of a user is about. Undefined: a request of users about themselves. */
  readonly organization_id?: string | undefined
}

/** Options of one lookup. */
export interface Look extends Lookup {
  readonly askedFor?: AskedFor
}

/** Options of a {@link CredentialCache}. Times in milliseconds. */
export interface CredentialCacheOptions {
  /**
   * Finds the holder of a credential. Rejects if it cannot be verified. Several callers wait for it, so it has a time
   * limit of its own and not that of the first of them.
   *
   * @param fresh true if an answer that identity has cached is not good enough
   * @param askedFor the caller that came first
   * @param scope the audience and organization of claims. Undefined: no claims are
   */
  readonly introspect: (
    credential: PresentedCredential,
    fresh: boolean,
    askedFor: AskedFor,
    scope: ClaimsScope | undefined,
  ) => Promise<Introspected>
  /** Returns false if it cannot be a credential. It is then refused without asking, and not cached. */
  readonly isWellFormed: (credential: PresentedCredential) => boolean
  /** The time of day, in milliseconds since 1970: claims end by it. */
  readonly now: () => number
  /** Milliseconds since any moment. Never goes back, as the time of day may. */
  readonly elapsed: () => number
  readonly maxEntries: number
  /** Lifetime of a valid credential in the cache; at most 30,000. */
  readonly ttlMs: number
  /** Lifetime of a refused credential in the cache; 0: it is not cached. */
  readonly refusedTtlMs: number
  /**
   * If true, a used credential is looked up again in the background at half of `ttlMs`, so that it works for at least as long when
   * identity goes away (default: false). It is not cached longer for that.
   */
  readonly renews?: boolean
}

/** Claims are not used this close to their end: the services that verify them get them a moment later. */
const CLAIMS_MARGIN_MS = 15_000
/** A principal with hundreds of grants is large; all entries together stay below entries × this, in characters. */
const CHARACTERS_PER_ENTRY = 2_048
/** The most claims that are cached with one entry: a user may ask for many organizations. */
const MAX_CLAIMS = 32
/** The most claims that are fetched again with a credential that is renewed. */
const MAX_RENEWED_CLAIMS = 4
/** Refused credentials are cached apart, so that a flood of made-up ones cannot evict those that are used. */
const MAX_REFUSED = 10_000

/**
 * Caches who holds which credential: bounded in entries and size, for a short time, never longer. There is no
 * stale-while-revalidate: a revoked credential must not work once more. One that is used can be renewed before it expires. What
 * happens when a lookup, a fetch and an event race is decided by {@link RemoteCache}.
 *
 * Keys are a keyed hash over kind and credential: a heap dump shows no credential, and two kinds never share a key.
 */
export class CredentialCache {
  private readonly salt = randomBytes(32).toString('base64')
  private readonly cache: RemoteCache<Introspected>
  /** The claims that came for a holder, by what they are for. They are never used longer than the cached holder. */
  private readonly claims = new WeakMap<Active, Map<string, Claims>>()

  constructor(private readonly options: CredentialCacheOptions) {
    const { maxEntries, ttlMs, refusedTtlMs, elapsed, renews = false } = options
    this.cache = new RemoteCache({
      maxEntries,
      elapsed,
      freshMs: ({ active }) => (active ? ttlMs : refusedTtlMs),
      negative: { is: ({ active }) => !active, maxEntries: Math.min(MAX_REFUSED, maxEntries) },
      tagsOf: (answer) => (answer.active ? credentialTags(answer.principal) : []),
      weightOf: (answer) => (answer.active ? charactersOf(answer) / CHARACTERS_PER_ENTRY : 1),
      ageOf: (answer) => (answer.active ? answer.age_ms : 0),
      ...(renews && { renewAfterMs: (answer) => (isCheap(answer) ? ttlMs / 2 : Infinity) }),
    })
  }

  get figures(): CacheFigures {
    return this.cache.figures
  }

  /**
   * Returns identity's answer about a credential.
   *
   * @throws the error of `introspect`, if identity does not answer; OperationError `deadline_exceeded` if it took longer
   *   than the caller waits
   */
  async look(credential: PresentedCredential, look: Look = {}): Promise<Introspected> {
    const key = this.keyOf(credential)
    const { askedFor = {} } = look
    if (!look.fresh) {
      const known = this.recallKey(key, credential, askedFor)
      if (known) return known
    }
    return this.cache.get(key, (again) => this.introspect(credential, again, askedFor), look)
  }

  /**
   * Returns an answer about a credential that needs no request; undefined if identity has to be asked.
   *
   * @param askedFor the caller that the credential is renewed for, if it is
   */
  recall(credential: PresentedCredential, askedFor: AskedFor = {}): Introspected | undefined {
    return this.recallKey(this.keyOf(credential), credential, askedFor)
  }

  /**
   * Returns claims of a holder whose claims for this are cached; undefined if they have to be fetched.
   *
   * @param holder what {@link look} or {@link recall} returned
   */
  recallClaims(holder: Active, scope: ClaimsScope): string | undefined {
    const known = this.claims.get(holder)?.get(scopeKey(scope))
    if (!known || known.expiresAtMs - CLAIMS_MARGIN_MS <= this.options.now()) return undefined
    known.isUsed = true
    return known.claims
  }

  /**
   * Fetches claims of a holder, and caches them for as long as the holder is. The rules are those of {@link look}: callers
   * share one fetch, and an answer that races with an invalidation is not cached.
   *
   * @returns an answer with claims, or why the credential is refused by now
   * @throws as {@link look}
   */
  async fetchClaims(
    credential: PresentedCredential,
    holder: Active,
    scope: ClaimsScope,
    { askedFor = {}, waitMs = Infinity }: Omit<Look, 'fresh'> = {},
  ): Promise<Introspected> {
    const key = this.keyOf(credential)
    return this.cache.fetch(
      `${key} ${scopeKey(scope)}`,
      (again) => this.options.introspect(credential, again, askedFor, scope),
      (answer, mayKeep) => {
        // The event of a refusal may still be on its way.
        if (!answer.active) this.cache.removeIf(key, holder)
        else if (mayKeep && this.cache.has(key, holder)) this.keepClaims(holder, answer, scope)
      },
      { waitMs },
    )
  }

  /** Stands for a credential in this process, and does not show it. */
  keyOf(credential: PresentedCredential): string {
    return hash('sha256', `${this.salt}${credential.kind} ${textOf(credential)}`, 'base64')
  }

  /** Invalidates every credential that has one of the tags (see `credentialTags`). */
  invalidate(tags: readonly string[]): void {
    this.cache.invalidate(tags)
  }

  /** Invalidates everything: events may have been missed. */
  clear(): void {
    this.cache.clear()
  }

  private recallKey(
    key: string,
    credential: PresentedCredential,
    askedFor: AskedFor,
  ): Introspected | undefined {
    const renew = (answer: Introspected) => (again: boolean) =>
      this.lookAgain(credential, answer, again, askedFor)
    return this.cache.recall(key, renew) ?? (this.options.isWellFormed(credential) ? undefined : MALFORMED)
  }

  /** Looks a credential up again, with the claims that were used since it was looked up. */
  private async lookAgain(
    credential: PresentedCredential,
    before: Introspected,
    again: boolean,
    askedFor: AskedFor,
  ): Promise<Introspected> {
    const known = before.active ? [...(this.claims.get(before)?.values() ?? [])] : []
    const [first, ...others] = known.filter(({ isUsed }) => isUsed).slice(0, MAX_RENEWED_CLAIMS)
    const ask = (scope: ClaimsScope | undefined) =>
      this.options.introspect(credential, again, askedFor, scope)
    const answer = await ask(first?.scope)
    if (!answer.active) return answer
    const signed: (readonly [Active, ClaimsScope])[] = first ? [[answer, first.scope]] : []
    for (const { scope } of others) {
      const more = await ask(scope)
      if (!more.active) return more
      signed.push([more, scope])
    }
    // As old as the oldest of them: a change after that may be missing in one.
    const renewed = { ...answer, age_ms: Math.max(answer.age_ms, ...signed.map(([{ age_ms }]) => age_ms)) }
    for (const [more, scope] of signed) this.keepClaims(renewed, more, scope, false)
    return renewed
  }

  private async introspect(
    credential: PresentedCredential,
    again: boolean,
    askedFor: AskedFor,
  ): Promise<Introspected> {
    const { audience } = askedFor
    const scope = audience === undefined ? undefined : { audience }
    const answer = await this.options.introspect(credential, again, askedFor, scope)
    // Also for the caller that asked: the claims of an answer are found in one place.
    if (answer.active && scope) this.keepClaims(answer, answer, scope)
    return answer
  }

  private keepClaims(
    holder: Active,
    { claims, claims_expire_at }: Active,
    scope: ClaimsScope,
    isUsed = true,
  ): void {
    if (claims === undefined || claims_expire_at === undefined) return
    const known = this.claims.get(holder) ?? new Map<string, Claims>()
    this.claims.set(holder, known)
    if (known.size >= MAX_CLAIMS) known.clear()
    known.set(scopeKey(scope), { scope, claims, expiresAtMs: claims_expire_at * 1_000, isUsed })
  }
}

/** Returns true if the credential is looked up without hashing a password. */
function isCheap(answer: Introspected): boolean {
  return answer.active && !(answer.principal.kind === 'user' && answer.principal.proof === 'password')
}

/** Grants are most of a large entry; the claims about one organization are small. */
function charactersOf({ principal }: Active): number {
  if (principal.kind !== 'user') return CHARACTERS_PER_ENTRY
  const grants = [...principal.grants, ...(principal.deleted_grants ?? [])]
  const projects = grants.reduce((count, grant) => count + grant.projects.length, 0)
  return 512 + 512 * grants.length + 128 * projects
}

function scopeKey({ audience, organization_id = '' }: ClaimsScope): string {
  return `${audience} ${organization_id}`
}

/** Returns one text for each credential of a kind. The length keeps an email address and a secret apart. */
function textOf(credential: PresentedCredential): string {
  if (credential.kind === 'project_key') return credential.key
  if (credential.kind === 'device_token') {
    const { token, project_key = '', or_legacy = false } = credential
    return `${token} ${project_key} ${String(or_legacy)}`
  }
  if (credential.kind === 'device_certificate') {
    const { certificate, chain = [], project_key = '' } = credential
    return [certificate, ...chain, project_key].join(' ')
  }
  if (credential.kind !== 'user') return credential.token
  // Email addresses are not case-sensitive; otherwise one API key could fill the cache under many names.
  const email = credential.email.toLowerCase()
  return `${String(email.length)} ${email} ${credential.secret}`
}
