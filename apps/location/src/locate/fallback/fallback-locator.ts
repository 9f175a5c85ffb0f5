import { remainingMs, withOwnTime } from '@bearing/nats/call-context'
import { Injectable } from '@nestjs/common'
import { setTimeout as pause } from 'node:timers/promises'
import type { Scope } from '../../ground/scope.js'
import { Providers } from './providers.js'
import { questionOf, type Heard } from './rules/question.js'
import { radiusAt } from './rules/read-answer.js'

/** What is left of a call's time for everything after the answer of a provider, in milliseconds. */
const KEPT_BACK_MS = 750

/** A position that another service has told. */
export interface ToldPosition {
  readonly lat: number
  readonly lon: number
  readonly uncertainty: number
  readonly fulfilledWith: 'WIFI' | 'MCELL' | 'SCELL'
  readonly fallback: true
}

/** Asks whom an organization has named, where Bearing does not know a position itself. */
@Injectable()
export class FallbackLocator {
  constructor(private readonly providers: Providers) {}

  /**
   * Where another service says that a device is. It never fails: who has nobody asked, or gets no answer in time, is
   * answered as if there were no such thing.
   *
   * @param confidence how often the uncertainty should hold the truth, in per cent: 50 to 99
   */
  async locate(scope: Scope, heard: Heard, confidence: number): Promise<ToldPosition | undefined> {
    const provider = await this.providers.of(scope.organization_id)
    const question = provider && questionOf(heard)
    if (!question) return undefined
    const { timeoutMs, accuracyConfidence } = provider.row
    const waitMs = Math.min(timeoutMs + KEPT_BACK_MS, remainingMs() - KEPT_BACK_MS)
    if (waitMs <= 0) return undefined
    // Others may wait for the same answer, so it has a time of its own.
    const asking = withOwnTime(timeoutMs, () => provider.ask(question))
    const late = new AbortController()
    const answer = await Promise.race([asking, pause(waitMs, undefined, { signal: late.signal })])
    late.abort()
    if (!answer?.found) return undefined
    const { lat, lon, accuracy } = answer
    const uncertainty = radiusAt(accuracy, accuracyConfidence, confidence)
    return { lat, lon, uncertainty, fulfilledWith: question.fulfilledWith, fallback: true }
  }
}
