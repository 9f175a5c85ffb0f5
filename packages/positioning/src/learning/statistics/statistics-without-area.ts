import type { Coordinates } from '../../earth/sphere.js'
import { edgeSteps, parentKey, type Layer } from './layer-of-cells.js'
import { MOST_STEP_METERS, type Site } from './sites.js'
import { squaresOutside } from './squares-outside.js'
import type { AccessPointStatistics } from './statistics.js'

/** An access point is nowhere further from all the sites in which it was heard, in meters; nor than two of their edges. */
const BESIDE_METERS = 2_000

/**
 * Statistics of an access point without what was observed in an area: all cells go that have a part in it. Of a site that has one
 * stays what the cells in it still weigh.
 *
 * @param radius of the area, in meters
 * @returns undefined where nothing is left; the same where nothing went
 */
export function statisticsWithoutArea(
  statistics: AccessPointStatistics,
  middle: Coordinates,
  radius: number,
): AccessPointStatistics | undefined {
  const isOutside = squaresOutside(middle, radius)
  const { level, sites } = statistics.sites
  // Cells lie in sites: there may be 16 of them in a band, and no more than 8 sites in all.
  if (sites.every(({ key }) => isOutside(key, level))) return statistics
  const bands = statistics.bands.map((band): Layer => {
    const cells = band.cells.filter(({ key }) => isOutside(key, band.level))
    return cells.length === band.cells.length ? band : { level: band.level, cells }
  })
  if (bands.every((band, index) => band === statistics.bands[index])) return statistics
  const left = sites.flatMap((site): Site[] => {
    if (isOutside(site.key, level)) return [site]
    const weight = weightWithin(bands, site.key, level)
    return weight > 0 ? [{ ...site, weight }] : []
  })
  if (left.length === 0 || bands.every(({ cells }) => cells.length === 0)) return undefined
  return { ...statistics, bands, sites: { level, sites: left } }
}

/** Returns whether an access point may be in an area, or was heard there: quick, and true too often. */
export function mayTouchArea({ sites }: AccessPointStatistics, middle: Coordinates, radius: number): boolean {
  const besideMeters = Math.max(BESIDE_METERS, 2 * edgeSteps(sites.level) * MOST_STEP_METERS)
  const isOutside = squaresOutside(middle, radius + besideMeters)
  return sites.sites.some(({ key }) => !isOutside(key, sites.level))
}

function weightWithin(bands: readonly Layer[], site: number, level: number): number {
  let sum = 0
  for (const band of bands)
    for (const cell of band.cells) {
      let { key } = cell
      for (let at = band.level; at < level; at++) key = parentKey(key, at)
      if (key === site) sum += cell.weight
    }
  return sum
}
