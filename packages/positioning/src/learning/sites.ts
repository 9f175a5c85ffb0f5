import { fromQuadPlace, type QuadPlace } from '../quad-cell.js'
import { squaredDistance, type Vector } from '../sphere.js'
import { cellKey, cornerOf, edgeSteps, parentKey } from './layer-of-cells.js'

/** A square of about 260 m, or a larger one, in which an access point was heard. */
export interface Site {
  /** As of a cell. */
  readonly key: number
  /** Sum of the weights. */
  readonly weight: number
  /** Days since 1970-01-01. */
  readonly firstDay: number
  readonly lastDay: number
}

/** Where an access point was, coarsely, and when. */
export interface Sites {
  /** As of a layer of cells. */
  readonly level: number
  /** By ascending key, each once; no more than {@link MOST_SITES}. */
  readonly sites: readonly Site[]
}

const FINEST_LEVEL = 6
const MOST_LEVEL = 21
/** The most sites; where there would be more, all double their edges. */
export const MOST_SITES = 8

/** The site of one observation. */
export function siteOf(place: QuadPlace, weight: number, day: number): Sites {
  const key = cellKey(place, FINEST_LEVEL)
  return { level: FINEST_LEVEL, sites: [{ key, weight, firstDay: day, lastDay: day }] }
}

/** Adds sites up; like `mergeLayers` it comes to the same whatever the order. */
export function mergeSites(parts: readonly Sites[]): Sites {
  let level = parts.reduce((most, part) => Math.max(most, part.level), FINEST_LEVEL)
  let sums = new Map<number, Site>()
  for (const part of parts) for (const site of part.sites) add(sums, raised(site, part.level, level))
  while (sums.size > MOST_SITES && level < MOST_LEVEL) {
    const finer = sums
    sums = new Map()
    level++
    for (const site of finer.values()) add(sums, raised(site, level - 1, level))
  }
  return { level, sites: [...sums.values()].sort((a, b) => a.key - b.key) }
}

/** Multiplies the weights. */
export function scaleSites({ level, sites }: Sites, by: number): Sites {
  return { level, sites: sites.map((site) => ({ ...site, weight: site.weight * by })) }
}

function raised(site: Site, from: number, to: number): Site {
  let { key } = site
  for (let level = from; level < to; level++) key = parentKey(key, level)
  return { ...site, key }
}

function add(sums: Map<number, Site>, site: Site): void {
  const before = sums.get(site.key)
  sums.set(
    site.key,
    before === undefined
      ? site
      : {
          key: site.key,
          weight: before.weight + site.weight,
          firstDay: Math.min(before.firstDay, site.firstDay),
          lastDay: Math.max(before.lastDay, site.lastDay),
        },
  )
}

/** Where an access point is now, and how probable it is that it does not stay there. */
export interface Home {
  readonly place: Vector
  /** What lies further away than this belongs to another home, in metres. */
  readonly radiusMeters: number
  /** Probability that it moves, 0 to 1. */
  readonly moving: number
}

/** One access point is heard within a few hundred metres. */
const HEARD_METERS = 600
/** Before anything is observed one in twenty access points moves; this counts as two observations. */
const PRIOR = { moving: 0.1, observations: 2 } as const

/**
 * Where an access point is now: where it was heard last, if everything elsewhere ended before that began (it was moved
 * once); else where it was heard most. What was heard elsewhere in between contradicts: P(moving) is the mean of the beta
 * distribution of contradicting and all observations.
 *
 * @param wholeWeight the weight of one observation
 * @returns undefined where there are no sites
 */
export function homeOf({ level, sites }: Sites, wholeWeight: number): Home | undefined {
  const placed = sites.map((site) => ({ ...site, place: centreOf(site.key, level) }))
  // A coarse site is larger than what is heard from one spot.
  const radiusMeters = Math.max(HEARD_METERS, edgeSteps(level) * MOST_STEP_METERS * 2)
  const groups = placed.map((centre) => {
    const near = placed.filter((one) => squaredDistance(one.place, centre.place) <= radiusMeters ** 2)
    const far = placed.filter((one) => !near.includes(one))
    const firstDay = Math.min(...near.map((site) => site.firstDay))
    const weight = near.reduce((sum, site) => sum + site.weight, 0)
    const isLatest = far.every(({ lastDay }) => lastDay < firstDay)
    const contradicting = isLatest ? 0 : far.reduce((sum, site) => sum + site.weight, 0)
    return { centre, weight, isLatest, contradicting }
  })
  groups.sort(
    (a, b) => Number(b.isLatest) - Number(a.isLatest) || b.weight - a.weight || a.centre.key - b.centre.key,
  )
  const [home] = groups
  if (!home) return undefined
  const contradicting = home.contradicting / wholeWeight
  const all = home.weight / wholeWeight + contradicting
  // A site that grew to kilometres was not heard from one place, whatever the days say.
  const isScattered = radiusMeters > MOST_HOME_METERS
  const moving = (contradicting + PRIOR.moving) / (all + PRIOR.observations)
  return { place: home.centre.place, radiusMeters, moving: isScattered ? 1 : moving }
}

/** Metres of a step, at most. */
export const MOST_STEP_METERS = 0.0104
/** Larger than any neighbourhood. */
const MOST_HOME_METERS = 5_000

function centreOf(key: number, level: number): Vector {
  const { face, i, j } = cornerOf(key, level)
  const half = edgeSteps(level) / 2
  return fromQuadPlace({ face, i: i + half, j: j + half })
}
