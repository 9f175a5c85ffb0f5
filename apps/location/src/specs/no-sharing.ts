import type { GroupOf } from '@bearing/positioning/learning/independent-evidence'
import { createLogger } from '@bearing/service/logger'
import { Metrics } from '@bearing/service/metrics'
import { RateLimits } from '@bearing/service/rate-limits'
import type { Clock } from '@bearing/service/clock'
import { NOBODY, type SharingGroups } from '../sharing/sharing-groups.js'
import { SharedMisses } from '../locate/sources/shared-misses.js'

/** For specs in which nobody contributes to the shared layer. */
const groups: Pick<SharingGroups, 'for'> = { for: (): Promise<GroupOf> => Promise.resolve(NOBODY) }
export const NO_GROUPS = groups as SharingGroups // readers call nothing else

const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())

export function newMisses(clock: Clock): SharedMisses {
  return new SharedMisses(limits, 1_000, clock)
}
