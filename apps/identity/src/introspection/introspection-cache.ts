import { hasExpired } from '@bearing/access/expiry'
import { CredentialCache } from '@bearing/client-nats/credential-cache'
import {
  IDENTITY_CACHE_MS,
  credentialChanged,
  introspectCredential,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { remainingMs, withOwnTime } from '@bearing/nats/call-context'
import { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import { Clock } from '@bearing/service/ground/clock'
import { Metrics } from '@bearing/service/observe/metrics'
import { Transactions } from '@bearing/service/store/transactions'
import { Injectable } from '@nestjs/common'
import { CheckCredential } from './checks/check-credential.js'
import { SignClaims, type ClaimsScope, type SignedClaims } from './claims/sign-claims.js'

type Active = Extract<Introspected, { active: true }>

const MAX_ENTRIES = 100_000
/** Maximum number of claims that are cached with one result. */
const MAX_SIGNED = 16
/** Timeout of one introspection, in milliseconds, whatever time its first caller has left. */
const TIMEOUT_MS = introspectCredential.timeoutMs

/**
 * Caches the results of introspection for seconds (docs/decisions/0007-cache-credentials-for-at-most-30-s.md). Refusals are never cached,
 * and expiry is checked on every use.
 */
@Injectable()
export class IntrospectionCache {
  private readonly cache: CredentialCache
  private readonly readAtMs = new WeakMap<Introspected, number>()
  /** Signed claims of a cached result, by scope. They expire with it. */
  private readonly signed = new WeakMap<Introspected, Map<string, Promise<SignedClaims>>>()

  constructor(
    check: CheckCredential,
    private readonly signer: SignClaims,
    private readonly clock: Clock,
    connection: Connection,
    metrics: Metrics,
    transactions: Transactions,
  ) {
    this.cache = new CredentialCache({
      introspect: async (credential) => {
        // Measured before the query, since the row may change at any time after it.
        const readAtMs = performance.now()
        const result = await withOwnTime(TIMEOUT_MS, () => check.check(credential))
        this.readAtMs.set(result, readAtMs)
        return result
      },
      isWellFormed: () => true, // the checks do this themselves, and return "malformed" without I/O
      now: clock.nowMs,
      elapsed: () => performance.now(),
      maxEntries: MAX_ENTRIES,
      ttlMs: IDENTITY_CACHE_MS,
      refusedTtlMs: 0,
    })
    metrics.cache('credentials', () => this.cache.figures)
    const invalidate = ({ tags }: { readonly tags: readonly string[] }) => {
      this.cache.invalidate(tags)
    }
    const clear = () => {
      this.cache.clear()
    }
    transactions.onCommitted(credentialChanged, invalidate)
    // Changes of other processes of identity.
    onEvent(connection, credentialChanged, invalidate, clear, clear)
  }

  /**
   * Returns who holds a credential.
   *
   * @param fresh whether to read the database in any case
   * @param scope of the claims to sign; undefined for none
   */
  async introspect(
    credential: PresentedCredential,
    fresh: boolean,
    scope?: ClaimsScope,
  ): Promise<Introspected> {
    const result = await this.cache.look(credential, { fresh, waitMs: remainingMs() })
    if (!result.active) return result
    if (hasExpired(result.principal, this.clock.nowMs())) return { active: false, reason: 'expired' }
    const signed = scope && (await this.claimsOf(result, scope))
    const readAtMs = this.readAtMs.get(result) ?? performance.now()
    return { ...result, ...signed, age_ms: Math.ceil(performance.now() - readAtMs) }
  }

  private claimsOf(result: Active, scope: ClaimsScope): Promise<SignedClaims> {
    const known = this.signed.get(result) ?? new Map<string, Promise<SignedClaims>>()
    this.signed.set(result, known)
    const key = `${scope.audience} ${scope.organizationId ?? ''}`
    const found = known.get(key)
    if (found) return found
    if (known.size >= MAX_SIGNED) known.clear()
    const signed = this.signer.sign(result.principal, scope)
    known.set(key, signed)
    return signed
  }
}
