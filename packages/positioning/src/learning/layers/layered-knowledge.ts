import type { Knowledge, KnownAccessPoint } from '../../access-points/access-point-model.js'
import type { LayeredKnowledge } from '../../estimate/layered-estimate.js'
import { modelOf } from '../statistics/model-of.js'
import type { AccessPointStatistics } from '../statistics/statistics.js'

/** What one layer has of an access point. */
export interface LayerRecord {
  /** What was imported. */
  readonly place?: (KnownAccessPoint & { readonly isDeclared: boolean }) | undefined
  /** What was learned. */
  readonly statistics?: AccessPointStatistics | undefined
}

/**
 * Returns what the layers know of an access point: the organization itself if it knows anything, else the base layer, in which nothing
 * is learned.
 *
 * @returns undefined if neither knows anything
 */
export function layeredKnowledge(own: LayerRecord, base: LayerRecord): LayeredKnowledge | undefined {
  const known = knowledgeOf(own)
  if (known) return { known, isOwn: true }
  return base.place && { known: base.place, isOwn: false }
}

/** Returns what a layer says alone: what is declared, else what more observations say. Undefined where it knows nothing. */
export function knowledgeOf({ place, statistics }: LayerRecord): Knowledge | undefined {
  const model = !place?.isDeclared && statistics ? modelOf(statistics) : undefined
  if (!place) return model
  return model && model.observations >= place.observations ? model : place
}
