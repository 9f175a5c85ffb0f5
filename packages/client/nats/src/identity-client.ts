import { isWellFormed } from '@bearing/access/credential-kinds'
import { decide, refuse, type Wanted } from '@bearing/access/decide'
import { hasExpired } from '@bearing/access/expiry'
import { PERMISSION_SCOPE } from '@bearing/access/roles'
import { OperationError } from '@bearing/contracts/errors'
import {
  IDENTITY_CACHE_MS,
  authorizeCredential,
  credentialChanged,
  introspectCredential,
  type Decision,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import type { Request } from '@bearing/contracts/operation'
import { Principal } from '@bearing/contracts/principal'
import { remainingMs, withOwnTime } from '@bearing/nats/call-context'
import { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import { validate } from '@bearing/nats/validate'
import { Cache } from './cache.js'
import { ClaimsVerifier } from './claims-verifier.js'
import { CredentialCache, type AskedFor, type ClaimsScope } from './credential-cache.js'
import type { CacheFigures } from './remote-cache.js'

/** A missed revocation still takes effect after 30 s: identity's cache and ours together. */
export const MAX_CACHED_MS = 30_000 - IDENTITY_CACHE_MS
/** Lifetime of a refused credential in the cache, in milliseconds: long enough to blunt a flood, short for a new key. */
const REFUSED_TTL_MS = 1_000
/** Time limit of a request to identity, in milliseconds. */
const TIMEOUT_MS = 3_000
/** The most projects that are cached as belonging to their organization. */
const MAX_PROJECTS = 100_000

/** Options of an {@link IdentityClient}. */
export interface IdentityClientOptions {
  /** Lifetime of a valid credential in the cache, in milliseconds (default and maximum: {@link MAX_CACHED_MS}). */
  readonly ttlMs?: number
  /** The most credentials that are cached (default: 10,000). */
  readonly maxEntries?: number
  /** Called after an event about credentials could not be read and the whole cache was cleared. */
  readonly warn?: (error: unknown) => void
  /** The time, in milliseconds since 1970. */
  readonly now?: () => number
}

type Active = Extract<Introspected, { active: true }>
type Refused = Extract<Introspected, { active: false }>

/** A credential, and the permission that its holder needs. */
export type AuthorizationRequest = Request<typeof authorizeCredential>

/**
 * Asks identity over NATS who a caller is and what they may do, and caches the answer for a short time. An entry ends
 * with `credential.changed`, and all of them end where such an event may have been missed. The NATS user needs
 * permission to call `introspect`, `authorize` and `jwks`, and to subscribe to `credential.changed`.
 *
 * "Cannot verify" is always an error with status 503, and never a refusal: devices throw refused credentials away.
 */
export class IdentityClient {
  private readonly client: NatsClient
  private readonly cache: CredentialCache
  private readonly claims: ClaimsVerifier
  /** Organization and project. Projects do not move, so it only has to end some time after one is deleted. */
  private readonly projects = new Cache<true>(MAX_PROJECTS, { ttl: MAX_CACHED_MS })
  private readonly now: () => number
  private readonly name: string

  /** @throws RangeError if credentials would be cached for too long */
  constructor(connection: Connection, options: IdentityClientOptions = {}) {
    const { ttlMs = MAX_CACHED_MS, maxEntries = 10_000, now = Date.now } = options
    if (ttlMs > MAX_CACHED_MS)
      throw new RangeError(`A credential is cached for at most ${String(MAX_CACHED_MS)} ms.`)
    this.now = now
    this.name = connection.name
    this.client = new NatsClient(connection)
    this.claims = new ClaimsVerifier(() => this.client.call(getJwks, {}, { timeoutMs: TIMEOUT_MS }), now)
    this.cache = new CredentialCache({
      introspect: (credential, fresh, { audience: _, ...askedFor }, scope) =>
        withOwnTime(TIMEOUT_MS, async () =>
          readAnswer(
            await this.client.call(
              introspectCredential,
              { ...credential, fresh, ...scope },
              { ...askedFor, timeoutMs: TIMEOUT_MS },
            ),
          ),
        ),
      isWellFormed,
      now,
      elapsed: () => performance.now(),
      refusedTtlMs: REFUSED_TTL_MS,
      ttlMs,
      renews: true,
      maxEntries,
    })
    this.evictChanged(connection, options.warn)
  }

  /** Figures of the credential cache, for metrics. */
  get figures(): CacheFigures {
    return this.cache.figures
  }

  /**
   * Returns the holder of a credential.
   *
   * @param askedFor whose request it is
   * @returns the holder and signed claims about them, or why the credential is refused
   * @throws OperationError (status 503) if that cannot be verified
   */
  async introspect(credential: PresentedCredential, askedFor: AskedFor = {}): Promise<Introspected> {
    const waitMs = Math.min(TIMEOUT_MS, remainingMs())
    return this.asOfNow(await orUnverifiable(() => this.cache.look(credential, { waitMs, askedFor })))
  }

  /**
   * Signed claims of a holder, for one service.
   *
   * @param holder what {@link introspect} or {@link recall} returned for the credential
   * @returns the claims, or why the credential is refused by now; without a promise if they are cached
   * @throws OperationError (status 503) if identity cannot say
   */
  claimsOf(
    credential: PresentedCredential,
    holder: Active,
    scope: ClaimsScope,
    askedFor: AskedFor = {},
  ): string | Promise<string | Refused> {
    return this.cache.recallClaims(holder, scope) ?? this.fetchClaims(credential, holder, scope, askedFor)
  }

  /** Returns the answer of {@link introspect} if it needs no request; undefined otherwise. */
  recall(credential: PresentedCredential, askedFor?: AskedFor): Introspected | undefined {
    const known = this.cache.recall(credential, askedFor)
    return known && this.asOfNow(known)
  }

  /** Stands for a credential in this process, and does not show it. */
  keyOf(credential: PresentedCredential): string {
    return this.cache.keyOf(credential)
  }

  /**
   * Decides whether the holder of a credential may do something. Most answers are cached; whether a project belongs to
   * its organization is asked once.
   *
   * @throws OperationError `invalid_input` if the question is malformed; with status 503 if it cannot be verified
   */
  async authorize(question: AuthorizationRequest, askedFor: AskedFor = {}): Promise<Decision> {
    const request = validate(authorizeCredential.input, question)
    const { credential, client_address: address, ...wanted } = request
    const holder =
      credential.kind === 'claims'
        ? await this.holderOfClaims(credential)
        : await this.holderOf(credential, { clientAddress: address, ...askedFor })
    if (typeof holder === 'string') return refuse(holder)
    const from = credential.kind === 'claims' && address === undefined ? 'checked' : { address }
    const decision = decide(holder, wanted, { nowMs: this.now(), from })
    if (!decision.allowed || this.isKnownProject(wanted)) return decision
    return this.ask(request, askedFor)
  }

  /**
   * The principal in signed claims (`Bearing-Identity`), verified offline: identity is asked for its keys now and then.
   *
   * @param audience the service that received them (default: the name of the connection)
   * @throws OperationError `credential_invalid` if they are not valid, or were made for another service; with status 503 if
   *   the keys cannot be fetched
   */
  async verifyClaims(claims: string, audience = this.name): Promise<Principal> {
    try {
      return await this.claims.verify(claims, [audience])
    } catch (error) {
      if (error instanceof OperationError && error.code === 'credential_invalid') throw error
      throw unverifiable(error)
    }
  }

  /** Checked on every request, since a cached credential may have expired meanwhile. */
  private asOfNow(answer: Introspected): Introspected {
    return answer.active && hasExpired(answer.principal, this.now())
      ? { active: false, reason: 'expired' }
      : answer
  }

  private async holderOf(credential: PresentedCredential, askedFor: AskedFor) {
    const answer = await this.introspect(credential, askedFor)
    return answer.active ? answer.principal : (answer.because ?? answer.reason)
  }

  private async fetchClaims(
    credential: PresentedCredential,
    holder: Active,
    scope: ClaimsScope,
    askedFor: AskedFor,
  ): Promise<string | Refused> {
    const waitMs = Math.min(TIMEOUT_MS, remainingMs())
    const answer = await orUnverifiable(() =>
      this.cache.fetchClaims(credential, holder, scope, { waitMs, askedFor }),
    )
    if (!answer.active) return answer
    if (answer.claims === undefined) throw unverifiable(new Error('identity signed no claims'))
    return answer.claims
  }

  private async holderOfClaims({
    claims,
    audience,
  }: {
    readonly claims: string
    readonly audience: string
  }): Promise<Principal | 'unknown'> {
    try {
      return await this.verifyClaims(claims, audience)
    } catch (error) {
      if (error instanceof OperationError && error.code === 'credential_invalid') return 'unknown'
      throw error
    }
  }

  private isKnownProject(wanted: Wanted): boolean {
    return PERMISSION_SCOPE[wanted.permission] !== 'project' || this.projects.has(placeOf(wanted))
  }

  private async ask(request: AuthorizationRequest, askedFor: AskedFor): Promise<Decision> {
    const decision = await orUnverifiable(() => this.client.call(authorizeCredential, request, askedFor))
    if (decision.allowed) this.projects.set(placeOf(request), true)
    return decision
  }

  private evictChanged(connection: Connection, warn: IdentityClientOptions['warn']): void {
    onEvent(
      connection,
      credentialChanged,
      ({ tags }) => {
        this.cache.invalidate(tags)
      },
      (error) => {
        // The subject of the event is unknown, so every entry may have changed.
        this.cache.clear()
        warn?.(error)
      },
      () => {
        this.cache.clear()
      },
    )
  }
}

function placeOf({ organization_id, project_id }: Omit<Wanted, 'permission'>): string {
  return `${organization_id ?? ''}/${project_id ?? ''}`
}

/**
 * Reads an answer of identity, which may be a newer version: permissions and roles that this one does not know grant nothing.
 *
 * @throws if the holder is of an unknown kind
 */
function readAnswer(answer: Introspected): Introspected {
  return answer.active ? { ...answer, principal: Principal.parse(answer.principal) } : answer
}

async function orUnverifiable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    throw unverifiable(error)
  }
}

function unverifiable(error: unknown): OperationError {
  // A caller that tries too many passwords has to learn that, and it says nothing about the credential.
  if (error instanceof OperationError && (error.status === 503 || error.code === 'rate_limited')) return error
  return new OperationError(
    'service_unavailable',
    'The credential cannot be verified at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause: error },
  )
}
