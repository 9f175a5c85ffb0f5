import { isLearned, type Knowledge } from '../access-point-model.js'
import type { LayeredKnowledge } from '../layered-estimate.js'
import type { KnownAccessPoint } from '../locate.js'
import { modelOf } from './model-of.js'
import { merge, type AccessPointStatistics } from './statistics.js'

/** What one layer has of an access point. */
export interface LayerRecord {
  /** What was imported. */
  readonly place?: (KnownAccessPoint & { readonly isDeclared: boolean }) | undefined
  /** What was learned. */
  readonly statistics?: AccessPointStatistics | undefined
}

/**
 * What the layers know of an access point. What an organization has declared is how it is; what it has learned is added to
 * what is shared; what it has imported stands in the place of what is shared.
 *
 * @returns undefined where neither knows anything
 */
export function layeredKnowledge(own: LayerRecord, shared: LayerRecord): LayeredKnowledge | undefined {
  const ownAlone = best(own)
  if (!ownAlone) {
    const all = best(shared)
    return all && { all, own: undefined, isShared: true }
  }
  const isAdded = isLearned(ownAlone) && own.statistics && shared.statistics && !shared.place?.isDeclared
  const all = isAdded ? modelOf(merge([own.statistics, shared.statistics])) : undefined
  return all ? { all, own: ownAlone, isShared: true } : { all: ownAlone, own: ownAlone, isShared: false }
}

/** What a layer says alone: what is declared, else what more observations say. */
function best({ place, statistics }: LayerRecord): Knowledge | undefined {
  const model = !place?.isDeclared && statistics ? modelOf(statistics) : undefined
  if (!place) return model
  return model && model.observations >= place.observations ? model : place
}
