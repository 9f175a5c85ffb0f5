import type { Contribution } from '@bearing/positioning/learning/contribution'
import { updateFrom } from '@bearing/positioning/learning/learn'
import { learnScans, type Learned } from '@bearing/positioning/learning/learn-scans'
import { EARLIEST_SECONDS } from '@bearing/positioning/learning/plausibility'
import type { TrueScan } from './scan-set.js'

/**
 * Learns from scans as the service does.
 *
 * @param hasWalks whether scans of one track follow each other, so that stale readings can be recognized
 */
export function learn(train: readonly TrueScan[], hasWalks = false): Learned {
  const last = new Map<string, Contribution>()
  return learnScans(
    train.map((scan) => {
      const contribution = contributionOf(scan)
      const previous = hasWalks ? last.get(scan.track) : undefined
      last.set(scan.track, contribution)
      return { contribution, update: updateFrom(contribution, previous, Infinity) }
    }),
  )
}

/** 2023-01-01: when the trials of sets were whose times start at zero in each of them. All that matters is the order in it. */
const TRIAL_SECONDS = 1_672_531_200

function contributionOf({ lat, lon, accuracyMeters, seconds, accessPoints }: TrueScan): Contribution {
  const atSeconds = seconds < EARLIEST_SECONDS ? TRIAL_SECONDS + seconds : seconds
  return { lat, lon, accuracyMeters, atSeconds, readings: accessPoints }
}
