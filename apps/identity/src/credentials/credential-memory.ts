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
import { FindHolder } from './find-holder.js'

const MAX_REMEMBERED = 100_000
/** How long finding out may take, in milliseconds, whoever waits for it: as long as a call of the operation. */
const FINDING_MS = introspectCredential.timeoutMs

/**
 * What this process has found out in the last seconds (docs/decisions/0007-memory-of-credentials.md). Claims that are about
 * to end, and so tokens that are about to expire, are never in it; neither are refusals.
 */
@Injectable()
export class CredentialMemory {
  private readonly cache: CredentialCache
  private readonly foundAtMs = new WeakMap<Introspected, number>()

  constructor(holder: FindHolder, clock: Clock, connection: Connection, metrics: Metrics) {
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
    // Other processes of identity change credentials too.
    onEvent(
      connection,
      credentialChanged,
      ({ tags }) => {
        this.forget(tags)
      },
      forgetAll,
      forgetAll,
    )
  }

  /**
   * Who holds a credential.
   *
   * @param fresh whether only the database will do
   */
  async recall(credential: PresentedCredential, fresh: boolean): Promise<Introspected> {
    const answer = await this.cache.look(credential, { fresh, waitMs: remainingMs() })
    if (!answer.active) return answer
    const foundAtMs = this.foundAtMs.get(answer) ?? performance.now()
    return { ...answer, age_ms: Math.ceil(performance.now() - foundAtMs) }
  }

  /** Forgets what one of the tags is on, before anybody is told of the change. */
  forget(tags: readonly string[]): void {
    this.cache.forget(tags)
  }
}
