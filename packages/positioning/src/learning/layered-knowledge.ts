import { isLearned, type Knowledge } from '../access-point-model.js'
import type { LayeredKnowledge } from '../layered-estimate.js'
import type { KnownAccessPoint } from '../locate.js'
import { modelOf } from './model-of.js'
import { EMPTY_LAYER, raised, type Layer } from './layer-of-cells.js'
import { age, merge, type AccessPointStatistics } from './statistics.js'

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
  const ownAlone = knowledgeOf(own)
  if (!ownAlone) {
    const all = knowledgeOf(shared)
    return all && { all, own: undefined, isShared: true }
  }
  const isLearnedByBoth =
    isLearned(ownAlone) && own.statistics && shared.statistics && !shared.place?.isDeclared
  const all =
    isLearnedByBoth && saysMore(shared.statistics, own.statistics)
      ? modelOf(merge([own.statistics, shared.statistics]))
      : undefined
  return all ? { all, own: ownAlone, isShared: true } : { all: ownAlone, own: ownAlone, isShared: false }
}

/** What a layer says alone: what is declared, else what more observations say. Undefined where it knows nothing. */
export function knowledgeOf({ place, statistics }: LayerRecord): Knowledge | undefined {
  const model = !place?.isDeclared && statistics ? modelOf(statistics) : undefined
  if (!place) return model
  return model && model.observations >= place.observations ? model : place
}

/** Whether statistics have anything that others do not contain. */
function saysMore(one: AccessPointStatistics, other: AccessPointStatistics): boolean {
  const period = Math.max(one.period, other.period)
  const [ours, theirs] = [age(one, period), age(other, period)]
  return ours.bands.some((layer, band) => hasMore(layer, theirs.bands[band] ?? EMPTY_LAYER))
}

function hasMore(one: Layer, other: Layer): boolean {
  const level = Math.max(one.level, other.level)
  const left = new Map<number, number>()
  for (const { key, weight } of raised(one, level)) left.set(key, (left.get(key) ?? 0) + weight)
  for (const { key, weight } of raised(other, level)) left.set(key, (left.get(key) ?? 0) - weight)
  return [...left.values()].some((weight) => weight > 0)
}
