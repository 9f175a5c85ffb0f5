import { hasExpired } from '@bearing/access/expiry'
import { CredentialCache } from '@bearing/client-nats/credential-cache'
import {
  IDENTITY_MEMORY_MS,
  credentialChanged,
  introspectCredential,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credential'
import { remainingMs, withOwnTime } from '@bearing/nats/call-context'
import { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import { Clock } from '@bearing/service/clock'
import { Metrics } from '@bearing/service/metrics'
import { Injectable } from '@nestjs/common'
import { CredentialChanges } from '../ground/events/credential-changes.js'
import { SignClaims, type ClaimsScope, type SignedClaims } from './claims/sign-claims.js'
import { FindHolder } from './checks/check-credential.js'

type Active = Extract<Introspected, { active: true }>

const MAX_REMEMBERED = 100_000
/** The most claims that are cached with one answer. */
const MAX_SIGNED = 16
/** How long finding out may take, in milliseconds, whoever waits for it: as long as a call of the operation. */
const FINDING_MS = introspectCredential.timeoutMs

/**
 * What this process has found out in the last seconds (docs/decisions/0007-cache-credentials-for-at-most-30-s.md). Refusals are never in
 * it, and expiry is checked on every answer.
 */
@Injectable()
export class CredentialMemory {
  private readonly cache: CredentialCache
  private readonly foundAtMs = new WeakMap<Introspected, number>()
  /** Claims that were signed for a cached answer, by what they are for: they end with it. */
  private readonly signed = new WeakMap<Introspected, Map<string, Promise<SignedClaims>>>()

  constructor(
    holder: FindHolder,
    private readonly signer: SignClaims,
    private readonly clock: Clock,
    connection: Connection,
    metrics: Metrics,
    changes: CredentialChanges,
  ) {
    this.cache = new CredentialCache({
      introspect: async (credential) => {
        // From before the question: the database may have answered it right then, and a change have come since.
        const askedAtMs = performance.now()
        const answer = await withOwnTime(FINDING_MS, () => holder.find(credential))
        this.foundAtMs.set(answer, askedAtMs)
        return answer
      },
      isWellFormed: () => true, // looked at by the checks themselves, which say "malformed" without any I/O
      now: clock.nowMs,
      elapsed: () => performance.now(),
      maxEntries: MAX_REMEMBERED,
      ttlMs: IDENTITY_MEMORY_MS,
      refusedTtlMs: 0,
    })
    metrics.cache('credentials', () => this.cache.figures)
    const forgetAll = () => {
      this.cache.clear()
    }
    changes.onChange((tags) => {
      this.cache.invalidate(tags)
    })
    // Other processes of identity change credentials too.
    onEvent(
      connection,
      credentialChanged,
      ({ tags }) => {
        this.cache.invalidate(tags)
      },
      forgetAll,
      forgetAll,
    )
  }

  /**
   * Who holds a credential.
   *
   * @param fresh whether only the database will do
   * @param scope what claims are wanted for. Undefined: none are
   */
  async recall(credential: PresentedCredential, fresh: boolean, scope?: ClaimsScope): Promise<Introspected> {
    const answer = await this.cache.look(credential, { fresh, waitMs: remainingMs() })
    if (!answer.active) return answer
    if (hasExpired(answer.principal, this.clock.nowMs())) return { active: false, reason: 'expired' }
    const signed = scope && (await this.claimsOf(answer, scope))
    const foundAtMs = this.foundAtMs.get(answer) ?? performance.now()
    return { ...answer, ...signed, age_ms: Math.ceil(performance.now() - foundAtMs) }
  }

  private claimsOf(answer: Active, scope: ClaimsScope): Promise<SignedClaims> {
    const known = this.signed.get(answer) ?? new Map<string, Promise<SignedClaims>>()
    this.signed.set(answer, known)
    const key = `${scope.audience} ${scope.organizationId ?? ''}`
    const found = known.get(key)
    if (found) return found
    if (known.size >= MAX_SIGNED) known.clear()
    const signed = this.signer.sign(answer.principal, scope)
    known.set(key, signed)
    return signed
  }
}
