import type { Contribution } from '@bearing/positioning/learning/contribution'
import { lessonOf, taught } from '@bearing/positioning/learning/learn'
import { modelOf } from '@bearing/positioning/learning/model-of'
import { selectReferences } from '@bearing/positioning/learning/reference-selection'
import type { Knowledge } from '@bearing/positioning/access-point-model'
import { ReferenceScans } from '@bearing/positioning/reference-scans'
import { toVector } from '@bearing/positioning/sphere'
import type { TrueScan } from './scan-set.js'

/** What Bearing learned from the training part of a set. */
export interface Learned {
  readonly known: ReadonlyMap<number, Knowledge>
  readonly references: ReferenceScans
}

/**
 * Learns from scans as the service does.
 *
 * @param hasWalks whether scans of one track follow each other, so that stale readings can be told
 */
export function learn(train: readonly TrueScan[], hasWalks = false): Learned {
  const last = new Map<string, Contribution>()
  const lessons = train.map((scan) => {
    const contribution = contributionOf(scan)
    const lesson = lessonOf(contribution, hasWalks ? last.get(scan.track) : undefined, Infinity)
    last.set(scan.track, contribution)
    return { scan, lesson }
  })
  const statistics = taught(
    new Map(),
    lessons.map(({ lesson }) => lesson),
  )
  const known = new Map<number, Knowledge>()
  for (const [bssid, one] of statistics) {
    const model = modelOf(one)
    if (model) known.set(bssid, model)
  }
  const candidates = lessons.flatMap(({ scan, lesson }, index) =>
    lesson.accepted
      ? [{ ...contributionOf(scan), id: String(index), heard: lesson.readings.length, lesson }]
      : [],
  )
  const references = selectReferences(candidates).map((candidate) => ({
    place: toVector(candidate),
    readings: candidate.lesson.readings.map(({ bssid, signalDbm }) => [bssid, signalDbm] as const),
  }))
  return { known, references: new ReferenceScans(references) }
}

/** Times of some sets start anew with each trial; all that matters is the order within a track. */
function contributionOf({ lat, lon, accuracyMeters, seconds, accessPoints }: TrueScan): Contribution {
  return { lat, lon, accuracyMeters, atSeconds: seconds, readings: accessPoints }
}
