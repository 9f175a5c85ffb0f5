import type { Knowledge } from '../access-point-model.js'
import { ReferenceScans } from '../reference-scans.js'
import { toVector } from '../sphere.js'
import type { Contribution } from './contribution.js'
import { taught, type Lesson } from './learn.js'
import { modelOf } from './model-of.js'
import { selectReferences } from './reference-selection.js'

/** What was learned from scans, ready to be asked. */
export interface Learned {
  /** By BSSID. */
  readonly known: ReadonlyMap<number, Knowledge>
  readonly references: ReferenceScans
}

/** A scan to learn from, and what it teaches (`lessonOf`, `compareTrack`). */
export interface Lecture {
  readonly contribution: Contribution
  readonly lesson: Lesson
}

/** Learns from scans as the service does, from all of them at once. */
export function learnScans(lectures: readonly Lecture[]): Learned {
  const statistics = taught(
    new Map(),
    lectures.map(({ lesson }) => lesson),
  )
  const known = new Map<number, Knowledge>()
  for (const [bssid, one] of statistics) {
    const model = modelOf(one)
    if (model) known.set(bssid, model)
  }
  const candidates = lectures.flatMap(({ contribution, lesson }, index) =>
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
