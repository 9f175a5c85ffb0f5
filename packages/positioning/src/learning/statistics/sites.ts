import type { QuadPlace } from '../../earth/quad-cell.js'
import { cellKey, parentKey } from './layer-of-cells.js'

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

/** Coarse places of an access point, with times. */
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

/** Returns the site of one observation. */
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

/** Meters of a step, at most. */
export const MOST_STEP_METERS = 0.0104
