import type { Contribution } from '@bearing/positioning/learning/evidence/contribution'
import { compareTrack } from '@bearing/positioning/learning/evidence/compare-track'
import { updateFrom, type ScanUpdate } from '@bearing/positioning/learning/evidence/learn'
import { learnScans, type Learned } from '@bearing/positioning/learning/evidence/learn-scans'
import { EARLIEST_SECONDS } from '@bearing/contracts/location/observations/observation'
import type { TrueScan } from './scan-set.js'

/** Learned models, by their scans: each is needed several times. */
const LEARNED = new WeakMap<readonly TrueScan[], Learned>()

/**
 * Learns from scans as the service does.
 *
 * @param hasWalks whether scans of one track follow each other, so that stale readings can be recognized
 */
export function learn(train: readonly TrueScan[], hasWalks = false): Learned {
  const known = LEARNED.get(train)
  if (known) return known
  const learned = learnScans(updatesOf(train, hasWalks))
  LEARNED.set(train, learned)
  return learned
}

/** Returns what is learned of each scan; the scans of a track in their order. */
export function updatesOf(train: readonly TrueScan[], hasWalks = false): readonly ScanUpdate[] {
  if (!hasWalks)
    return train.map(contributionOf).map((contribution) => ({
      contribution,
      update: updateFrom(contribution, undefined, Infinity),
    }))
  const tracks = Map.groupBy(train, ({ track }) => track)
  return [...tracks.values()].flatMap((scans) => {
    const ordered = scans.map(contributionOf).sort((a, b) => a.atSeconds - b.atSeconds)
    return compareTrack(ordered, undefined, true, Infinity).compared
  })
}

/** 2023-01-01: when the trials of sets were whose times start at zero in each of them. All that matters is the order in it. */
const TRIAL_SECONDS = 1_672_531_200

function contributionOf({ lat, lon, accuracyMeters, seconds, floor, accessPoints }: TrueScan): Contribution {
  const atSeconds = seconds < EARLIEST_SECONDS ? TRIAL_SECONDS + seconds : seconds
  return { lat, lon, accuracyMeters, atSeconds, height: { floor }, readings: accessPoints }
}
