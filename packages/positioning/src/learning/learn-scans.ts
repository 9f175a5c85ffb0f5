import type { Knowledge } from '../access-point-model.js'
import { ReferenceScans } from '../reference-scans.js'
import { toVector } from '../sphere.js'
import type { Contribution } from './contribution.js'
import { lessonOf, taught } from './learn.js'
import { modelOf } from './model-of.js'
import { selectReferences } from './reference-selection.js'

/** What was learned from scans, ready to be asked. */
export interface Learned {
  /** By BSSID. */
  readonly known: ReadonlyMap<number, Knowledge>
  readonly references: ReferenceScans
}

/** A scan to learn from. */
export interface Lecture {
  readonly contribution: Contribution
  /** The device's scan before it, where that is known: stale readings are told by it. */
  readonly previous?: Contribution | undefined
}

/** Learns from scans as the service does, from all of them at once. */
export function learnScans(lectures: readonly Lecture[]): Learned {
  const lessons = lectures.map(({ contribution, previous }) => ({
    contribution,
    lesson: lessonOf(contribution, previous, Infinity),
  }))
  const statistics = taught(
    new Map(),
    lessons.map(({ lesson }) => lesson),
  )
  const known = new Map<number, Knowledge>()
  for (const [bssid, one] of statistics) {
    const model = modelOf(one)
    if (model) known.set(bssid, model)
  }
  const candidates = lessons.flatMap(({ contribution, lesson }, index) =>
    lesson.accepted
      ? [{ ...contribution, id: String(index), heard: lesson.readings.length, readings: lesson.readings }]
      : [],
  )
  const references = selectReferences(candidates).map((candidate) => ({
    place: toVector(candidate),
    readings: candidate.readings.map(({ bssid, signalDbm }) => [bssid, signalDbm] as const),
  }))
  return { known, references: ReferenceScans.of(references) }
}
