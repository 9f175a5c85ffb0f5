import type { AccessPointModel, Knowledge, KnownAccessPoint } from '../../access-points/access-point-model.js'
import { squaredDistance, toVector } from '../../earth/sphere.js'
import type { LayeredKnowledge } from '../../estimate/layered-estimate.js'
import { modelOf } from '../statistics/model-of.js'
import type { AccessPointStatistics } from '../statistics/statistics.js'

/** Observations from which on what was learned says more than a place that was declared. */
const LEAST_OBSERVATIONS = 3
/** Lists are off by as much, in meters. */
const NEAR_METERS = 10

/** Record of an access point in one layer. */
export interface LayerRecord {
  /** Imported position. */
  readonly place?: (KnownAccessPoint & { readonly isDeclared: boolean }) | undefined
  /** Learned statistics. */
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

/**
 * Returns what a layer says alone, undefined where it knows nothing:
 * - of a declared place what was learned around it, with the place; else the place: it has moved, or hardly anything was learned;
 * - of an imported one what more observations say.
 */
export function knowledgeOf({ place, statistics }: LayerRecord): Knowledge | undefined {
  const model = statistics && modelOf(statistics)
  if (!place) return model
  if (!model) return place
  if (place.isDeclared) return isAround(model, place) ? { ...model, declared: place } : place
  return model.observations >= place.observations ? model : place
}

/** Returns whether an access point is heard around a declared place: within three standard deviations of its observations. */
function isAround(model: AccessPointModel, place: KnownAccessPoint): boolean {
  const most = 3 * model.spreadMeters + NEAR_METERS
  return (
    model.observations >= LEAST_OBSERVATIONS && squaredDistance(toVector(model), toVector(place)) <= most ** 2
  )
}
