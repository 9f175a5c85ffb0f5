import type { GroupOf } from '@bearing/positioning/learning/independent-evidence'
import { createLogger } from '@bearing/service/logger'
import { Metrics } from '@bearing/service/metrics'
import { RateLimits } from '@bearing/service/rate-limits'
import type { Clock } from '@bearing/service/clock'
import { NOBODY } from '../sharing/sharing-groups.js'
import { SharedMisses } from '../locate/wifi/shared-misses.js'

/** For specs in which nobody contributes to the shared layer. */
export const NO_GROUPS = { for: (): Promise<GroupOf> => Promise.resolve(NOBODY) }

const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())

export function newMisses(clock: Clock): SharedMisses {
  return new SharedMisses(limits, 1_000, clock)
}
