import type { Feature, Geometry } from 'geojson'
import type { PackedLine } from './base-data.js'
import { collection } from './gl-data.js'

const PER_DEGREE = 100

type Line = [lon: number, lat: number][]

let loaded: ReturnType<typeof readBase> | undefined

/** Returns what every map shows below everything else, as GeoJSON. Only pages with a map load it. */
export function loadBase() {
  return (loaded ??= readBase())
}

async function readBase() {
  const { LAND, BORDERS, PLACES } = await import('./base-data.js')
  return {
    land: shape({ type: 'MultiPolygon', coordinates: LAND.map((polygon) => polygon.map(unpack)) }),
    borders: shape({ type: 'MultiLineString', coordinates: BORDERS.map(unpack) }),
    places: collection(
      PLACES.flatMap(({ names, at }, rank) => {
        const places = unpack(at)
        return names.split('|').map((name, index): Feature => ({
          type: 'Feature',
          properties: { name, rank },
          geometry: { type: 'Point', coordinates: places[index] ?? [] },
        }))
      }),
    ),
  }
}

function shape(geometry: Geometry): Feature {
  return { type: 'Feature', properties: {}, geometry }
}

function unpack(line: PackedLine): Line {
  let [x, y] = [0, 0]
  return Array.from({ length: line.length / 2 }, (_, at) => {
    x += line[2 * at] ?? 0
    y += line[2 * at + 1] ?? 0
    return [x / PER_DEGREE, y / PER_DEGREE]
  })
}
