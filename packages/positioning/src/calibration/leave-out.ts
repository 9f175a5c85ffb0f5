import type { Knowledge } from '../access-points/access-point-model.js'
import type { KnowledgeByBssid } from '../access-points/candidates.js'
import { estimate, type EstimateOptions } from '../estimate/estimate.js'
import type { Contribution } from '../learning/contribution.js'
import { accessPointEvidence } from '../learning/learn.js'
import { modelOf } from '../learning/model-of.js'
import { merge, type AccessPointStatistics } from '../learning/statistics.js'
import { alongCurve, toQuadPlace } from '../earth/quad-cell.js'
import { ReferenceScans } from '../references/reference-scans.js'
import { squaredDistance, toVector } from '../earth/sphere.js'
import { surveyBlocks } from './survey-blocks.js'
import type { Outcome } from '../estimate/uncertainty.js'

/** A scan whose place is known, as it was learned from. */
export interface SurveyedScan extends Contribution {
  /** What it is compared within: scans are references for those of the same project alone. */
  readonly project: string
}

/** How far off scans were, block by block; those that nothing was learned for are left out. */
export interface LeftOut {
  /** By all that was learned of access points. */
  readonly learned: readonly (readonly Outcome[])[]
  /** By their positions alone, as if those had been imported. */
  readonly positions: readonly (readonly Outcome[])[]
}

/** Statistics of one block, by BSSID. */
type Part = ReadonlyMap<number, AccessPointStatistics>

/** As an organization is located by what it has contributed itself. */
const OPTIONS = { minRadios: 1, confidence: 68 }

/**
 * Locates scans from all the others, and says how far off they are. Scans that follow each other are left out together, in
 * blocks ({@link surveyBlocks}): taken a second apart at one spot, each would be the other's answer. So are those at one spot that do
 * not say when.
 * What is learned is sums, so each block is learned from once, and the others are added up for the access points that are
 * asked about.
 *
 * @param scans in any order; each was learned from
 * @param blocks how many at most
 * @param most how many are located, spread evenly over all
 * @returns how far off they were
 */
export function leaveOut(scans: readonly SurveyedScan[], blocks: number, most: number): LeftOut {
  const every = Math.max(1, Math.ceil(scans.length / most))
  const cut = surveyBlocks(inOrder(scans), blocks)
  const parts = cut.map(learned)
  const learnedOutcomes: Outcome[][] = []
  const positionOutcomes: Outcome[][] = []
  let before = 0
  cut.forEach((own, block) => {
    const first = before
    before += own.length
    const asked = own.filter((_, index) => (first + index) % every === 0)
    const heard = new Set(asked.flatMap(({ readings }) => readings.map(({ bssid }) => bssid)))
    const others = parts.filter((_, index) => index !== block)
    const known = new Map([...heard].flatMap((bssid) => modelFrom(bssid, others)))
    const rest = Map.groupBy(cut.filter((_, index) => index !== block).flat(), ({ project }) => project)
    const references = new Map([...rest].map(([project, list]) => [project, referencesOf(list)]))
    const positions = new Map([...known].map(([bssid, one]) => [bssid, positionOf(one)] as const))
    learnedOutcomes.push(
      asked.flatMap((scan) => outcomeOf(scan, known, { references: references.get(scan.project) })),
    )
    positionOutcomes.push(asked.flatMap((scan) => outcomeOf(scan, positions, {})))
  })
  return { learned: learnedOutcomes, positions: positionOutcomes }
}

function outcomeOf(
  scan: SurveyedScan,
  known: KnowledgeByBssid,
  options: Pick<EstimateOptions, 'references'>,
): Outcome[] {
  const found = estimate(scan.readings, known, { ...OPTIONS, ...options })
  if (!found.found) return []
  const errorMeters = Math.sqrt(squaredDistance(toVector(found), toVector(scan)))
  return [{ features: found.features, errorMeters }]
}

/** What an import of positions would say. */
function positionOf({ lat, lon, spreadMeters, observations }: Knowledge): Knowledge {
  return { lat, lon, spreadMeters, observations }
}

/** Sorts by time; scans of the same time by where they are, so that neighbors stay together. */
function inOrder(scans: readonly SurveyedScan[]): SurveyedScan[] {
  return scans
    .map((scan) => ({ scan, place: toQuadPlace(scan) }))
    .sort((a, b) => a.scan.atSeconds - b.scan.atSeconds || alongCurve(a.place, b.place))
    .map(({ scan }) => scan)
}

function learned(scans: readonly SurveyedScan[]): Part {
  const parts = new Map<number, AccessPointStatistics[]>()
  for (const scan of scans)
    for (const { key: bssid, statistics } of accessPointEvidence(scan, scan.readings)) {
      const list = parts.get(bssid)
      if (list) list.push(statistics)
      else parts.set(bssid, [statistics])
    }
  return new Map([...parts].map(([bssid, list]) => [bssid, merge(list)]))
}

function modelFrom(bssid: number, parts: readonly Part[]) {
  const statistics = parts.flatMap((part) => part.get(bssid) ?? [])
  const model = statistics.length > 0 ? modelOf(merge(statistics)) : undefined
  return model ? [[bssid, model] as const] : []
}

function referencesOf(scans: readonly SurveyedScan[]): ReferenceScans {
  return ReferenceScans.of(
    scans.map((scan) => ({
      place: toVector(scan),
      readings: scan.readings.map(({ bssid, signalDbm }) => [bssid, signalDbm] as const),
    })),
  )
}
