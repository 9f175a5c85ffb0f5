import { isLearned, type Knowledge, type KnownAccessPoint } from '../access-points/access-point-model.js'
import { stays } from '../access-points/candidates.js'
import type { LayeredKnowledge } from '../estimate/layered-estimate.js'
import { fromQuadPlace } from '../earth/quad-cell.js'
import { squaredDistance, toVector, type Vector } from '../earth/sphere.js'
import type { Contributors } from './contributors.js'
import { hasEnoughContributors, hasIndependentEvidence, type GroupOf } from './independent-evidence.js'
import { cornerOf, edgeSteps, EMPTY_LAYER, raised, type Layer } from './layer-of-cells.js'
import { modelOf } from './model-of.js'
import { MOST_STEP_METERS } from './sites.js'
import { age, merge, type AccessPointStatistics } from './statistics.js'

/** What one layer has of an access point. */
export interface LayerRecord {
  /** What was imported. */
  readonly place?: (KnownAccessPoint & { readonly isDeclared: boolean }) | undefined
  /** What was learned. */
  readonly statistics?: AccessPointStatistics | undefined
  /** Of the shared layer: who contributed what was learned. */
  readonly contributors?: Contributors | undefined
}

/** A record whose model may have been made already: making it takes most of the time. */
interface ModeledRecord extends LayerRecord {
  readonly model?: ReturnType<typeof modelOf>
}

/** What others have observed lies no further than this from where the shared layer puts an access point, in meters. */
const OTHERS_METERS = 250

/**
 * Returns what the layers know of an access point. What an organization has declared is how it is; what it has learned is added to
 * what is shared; what it has imported stands in the place of what is shared.
 *
 * An organization that shares is a part of what is shared, and may have moved it. So others say where an access point is only
 * if of what they have observed, beyond what the organization has itself, there is some within 250 m.
 *
 * What was learned in the shared layer is used only if independent organizations contributed it ({@link hasIndependentEvidence}).
 *
 * @returns undefined if neither knows anything
 */
export function layeredKnowledge(
  own: LayerRecord,
  contributed: LayerRecord,
  groupOf: GroupOf,
): LayeredKnowledge | undefined {
  const shared = usableRecord(contributed, groupOf)
  const ownAlone = knowledgeOf(own)
  if (!ownAlone) {
    const all = knowledgeOf(shared)
    return all && { all, own: undefined, shared: all, isOthers: true }
  }
  const ofBoth =
    isLearned(ownAlone) && own.statistics && shared.statistics && !shared.place?.isDeclared
      ? addedUp(own.statistics, shared.statistics, knowledgeOf(shared))
      : undefined
  return { all: ownAlone, own: ownAlone, shared: undefined, isOthers: false, ...ofBoth }
}

/** The operator vouches for what was imported into the shared layer; what was learned needs independent contributors. */
function usableRecord(shared: LayerRecord, groupOf: GroupOf): ModeledRecord {
  const { place, statistics, contributors } = shared
  if (!statistics) return shared
  if (!contributors || !hasEnoughContributors(contributors)) return { place }
  const model = modelOf(statistics)
  return model && hasIndependentEvidence(contributors, model, groupOf) ? { ...shared, model } : { place }
}

/** @param sharedAlone what is known by the shared layer */
function addedUp(
  own: AccessPointStatistics,
  shared: AccessPointStatistics,
  sharedAlone: Knowledge | undefined,
): Partial<LayeredKnowledge> {
  const others = cellsBeyond(shared, own)
  const all = others.length > 0 ? modelOf(merge([own, shared])) : undefined
  if (!sharedAlone || !stays(sharedAlone)) return all ? { all } : {}
  const { lat, lon, spreadMeters, observations } = sharedAlone
  const place = toVector(sharedAlone)
  return {
    ...(all && { all }),
    // The cells of its model are in `all`.
    shared: { lat, lon, spreadMeters, observations },
    isOthers: others.some((cell) => isWithin(cell, place)),
  }
}

/** Returns what a layer says alone: what is declared, else what more observations say. Undefined where it knows nothing. */
export function knowledgeOf(record: ModeledRecord): Knowledge | undefined {
  const { place, statistics } = record
  const model = !place?.isDeclared && statistics ? (record.model ?? modelOf(statistics)) : undefined
  if (!place) return model
  return model && model.observations >= place.observations ? model : place
}

interface CellOfLevel {
  readonly key: number
  readonly level: number
}

/** Returns the cells in which statistics have more than others. */
function cellsBeyond(one: AccessPointStatistics, other: AccessPointStatistics): CellOfLevel[] {
  const period = Math.max(one.period, other.period)
  const [ours, theirs] = [age(one, period), age(other, period)]
  return ours.bands.flatMap((layer, band) => cellsOfLayerBeyond(layer, theirs.bands[band] ?? EMPTY_LAYER))
}

function cellsOfLayerBeyond(one: Layer, other: Layer): CellOfLevel[] {
  const level = Math.max(one.level, other.level)
  const left = new Map<number, number>()
  for (const { key, weight } of raised(one, level)) left.set(key, (left.get(key) ?? 0) + weight)
  for (const { key, weight } of raised(other, level)) left.set(key, (left.get(key) ?? 0) - weight)
  return [...left].flatMap(([key, weight]) => (weight > 0 ? [{ key, level }] : []))
}

/** Returns whether all of a cell is within {@link OTHERS_METERS}. */
function isWithin({ key, level }: CellOfLevel, place: Vector): boolean {
  const edge = edgeSteps(level)
  const { face, i, j } = cornerOf(key, level)
  const center = fromQuadPlace({ face, i: i + edge / 2, j: j + edge / 2 })
  const left = OTHERS_METERS - edge * MOST_STEP_METERS * Math.SQRT1_2
  return left > 0 && squaredDistance(center, place) <= left ** 2
}
