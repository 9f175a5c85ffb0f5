import type { Contribution } from '@bearing/positioning/learning/contribution'
import { learnScans, type Learned } from '@bearing/positioning/learning/learn-scans'
import type { TrueScan } from './scan-set.js'

/**
 * Learns from scans as the service does.
 *
 * @param hasWalks whether scans of one track follow each other, so that stale readings can be told
 */
export function learn(train: readonly TrueScan[], hasWalks = false): Learned {
  const last = new Map<string, Contribution>()
  return learnScans(
    train.map((scan) => {
      const contribution = contributionOf(scan)
      const previous = hasWalks ? last.get(scan.track) : undefined
      last.set(scan.track, contribution)
      return { contribution, previous }
    }),
  )
}

/** Times of some sets start anew with each trial; all that matters is the order within a track. */
function contributionOf({ lat, lon, accuracyMeters, seconds, accessPoints }: TrueScan): Contribution {
  return { lat, lon, accuracyMeters, atSeconds: seconds, readings: accessPoints }
}
