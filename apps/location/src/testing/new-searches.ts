import type { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { BaseLayerSearches } from '../locate/sources/base-layer-searches.js'

const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())
/** Each organization has a creator of its own. */
const creators = {
  known: (organizationId: string) => organizationId,
  of: (organizationId: string) => Promise.resolve(organizationId),
}

/** For specs that search the base layer seldom. */
export function newSearches(clock: Clock): BaseLayerSearches {
  const budget = { neighborhoodsPerMinute: 1_000, neighborhoodsPerTarget: 1_000 }
  return new BaseLayerSearches(limits, budget, creators, clock)
}
