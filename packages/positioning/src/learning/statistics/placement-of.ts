import { stays } from '../../access-points/candidates.js'
import { fromQuadPlace } from '../../earth/quad-cell.js'
import { toCoordinates, type Coordinates } from '../../earth/sphere.js'
import { cornerOf } from './layer-of-cells.js'
import { modelOf } from './model-of.js'
import type { AccessPointStatistics } from './statistics.js'

/** Place of an access point, without its signals. */
export interface Placement extends Coordinates {
  /** Meters: weighted root mean square. */
  readonly spreadMeters: number
  /** True if positions are not determined with it, because it moves or is heard over too wide an area. */
  readonly moves: boolean
}

/** Returns where statistics put an access point: as {@link modelOf}, without making a model of a single cell. */
export function placementOf(statistics: AccessPointStatistics): Placement | undefined {
  const heard = statistics.bands.flatMap(({ level, cells }) => cells.map((cell) => ({ cell, level })))
  const [only] = heard
  if (only && heard.length === 1 && statistics.sites.sites.length === 1) {
    const { key, weight, i, j } = only.cell
    const corner = cornerOf(key, only.level)
    const place = fromQuadPlace({ face: corner.face, i: corner.i + i / weight, j: corner.j + j / weight })
    return { ...toCoordinates(place), spreadMeters: 0, moves: false }
  }
  const model = modelOf(statistics)
  if (!model) return undefined
  const { lat, lon, spreadMeters } = model
  return { lat, lon, spreadMeters, moves: !stays(model) }
}
