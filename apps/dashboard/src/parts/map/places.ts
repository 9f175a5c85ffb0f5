import { loadBase } from './base.js'
import { metersText } from './geometry.js'

const DIRECTIONS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']
/** Meters of a degree of latitude. */
const DEGREE = 111_195
/** A place so near, in meters, is the place itself. */
const IN_IT = 2_000

/** Returns where something is, by the nearest place that the map names: "12 km north of Potsdam". */
export async function nameOfPlace(lat: number, lon: number): Promise<string> {
  const { places } = await loadBase()
  const scale = Math.cos((lat * Math.PI) / 180)
  let nearest = { name: '', x: 0, y: 0, meters: Infinity }
  for (const { properties, geometry } of places.features) {
    if (geometry.type !== 'Point') continue
    const [placeLon = 0, placeLat = 0] = geometry.coordinates
    const [x, y] = [(lon - placeLon) * scale * DEGREE, (lat - placeLat) * DEGREE]
    const meters = Math.hypot(x, y)
    if (meters < nearest.meters) nearest = { name: String(properties?.['name']), x, y, meters }
  }
  const { name, x, y, meters } = nearest
  if (meters < IN_IT) return `in ${name}`
  const eighth = Math.round((Math.atan2(x, y) / (2 * Math.PI)) * 8 + 8) % 8
  return `${metersText(meters)} ${DIRECTIONS[eighth] ?? ''} of ${name}`
}
