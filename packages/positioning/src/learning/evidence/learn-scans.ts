import type { Knowledge } from '../../access-points/access-point-model.js'
import { ReferenceScans } from '../../references/reference-scans.js'
import { toVector } from '../../earth/sphere.js'
import { addScans, type ScanUpdate } from './learn.js'
import { modelOf } from '../statistics/model-of.js'
import { selectReferences } from './reference-selection.js'

/** Models that were learned from scans, ready for queries. */
export interface Learned {
  /** By BSSID. */
  readonly known: ReadonlyMap<number, Knowledge>
  readonly references: ReferenceScans
}

/** Learns from scans as the service does, from all of them together. */
export function learnScans(scans: readonly ScanUpdate[]): Learned {
  const statistics = addScans(new Map(), scans)
  const known = new Map<number, Knowledge>()
  for (const [bssid, one] of statistics) {
    const model = modelOf(one)
    if (model) known.set(bssid, model)
  }
  const candidates = scans.flatMap(({ contribution, update }, index) =>
    update.accepted
      ? [{ ...contribution, id: String(index), heard: update.readings.length, readings: update.readings }]
      : [],
  )
  const references = selectReferences(candidates).map((candidate) => ({
    place: toVector(candidate),
    height: candidate.height,
    readings: candidate.readings.map(({ bssid, signalDbm }) => [bssid, signalDbm] as const),
  }))
  return { known, references: ReferenceScans.of(references) }
}
