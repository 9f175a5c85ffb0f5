import { setTimeout as pause } from 'node:timers/promises'
import { remainingMs, withOwnTime } from '@bearing/nats/call-context'
import { Injectable } from '@nestjs/common'
import { Providers } from '../fallback/providers.js'
import { questionOf } from '../fallback/rules/question.js'
import { radiusAt } from '../fallback/rules/read-answer.js'
import type { FoundPosition, LocationSource, Search } from './location-source.js'

/** The part of a call's time that is left for everything after the answer, in milliseconds. */
const KEPT_BACK_MS = 750

/** Asks the provider that an organization has set, if Bearing does not know the position. */
@Injectable()
export class ProviderSource implements LocationSource {
  readonly name = 'fallback'

  constructor(private readonly providers: Providers) {}

  shouldSearch({ heard, wifiFailure, usableCells }: Search): boolean {
    if (!heard.asksProvider || wifiFailure === 'rate_limited') return false
    return wifiFailure === 'too_few_known' || usableCells.length > 0
  }

  /** Never fails: without a provider, or an answer in time, there is no position. */
  async search({ scope, heard, confidence, trace }: Search): Promise<FoundPosition | undefined> {
    const provider = await this.providers.of(scope.organization_id)
    const question = provider && questionOf({ ...heard.cells, accessPoints: heard.accessPoints ?? [] })
    if (!question) return undefined
    const { timeoutMs, accuracyConfidence } = provider.row
    const waitMs = Math.min(timeoutMs + KEPT_BACK_MS, remainingMs() - KEPT_BACK_MS)
    if (waitMs <= 0) return undefined
    // Others may wait for the same answer.
    const asking = withOwnTime(timeoutMs, () => provider.ask(question))
    const late = new AbortController()
    const answer = await Promise.race([asking, pause(waitMs, undefined, { signal: late.signal })])
    late.abort()
    if (!answer?.found) return undefined
    const { lat, lon, accuracy } = answer
    trace?.setRadii((percent) => radiusAt(accuracy, accuracyConfidence, percent))
    const uncertainty = radiusAt(accuracy, accuracyConfidence, confidence)
    return { lat, lon, uncertainty, fulfilledWith: question.fulfilledWith, fallback: true }
  }
}
