/** A point in degrees, WGS 84. */
export interface Point {
  readonly lat: number
  readonly lon: number
}

/** An access point of the demo: BSSID, latitude and longitude in degrees (WGS 84), no signal strength. */
export type DemoAccessPoint = [bssid: string, latitude: number, longitude: number, dBm: null]

const METERS_PER_DEGREE = 111_320
/** Potsdamer Platz, Berlin. */
const CENTER: Point = { lat: 52.50965, lon: 13.37592 }
const LON_METERS_PER_DEGREE = METERS_PER_DEGREE * Math.cos((CENTER.lat * Math.PI) / 180)

/** Crossings of the town, about where they are in Berlin. */
const CROSSINGS = {
  platz: CENTER,
  gate: { lat: 52.5163, lon: 13.3772 },
  lindenWilhelm: { lat: 52.5166, lon: 13.3815 },
  lindenFriedrich: { lat: 52.5169, lon: 13.3887 },
  university: { lat: 52.5175, lon: 13.3938 },
  werder: { lat: 52.515, lon: 13.398 },
  spittelmarkt: { lat: 52.5112, lon: 13.4035 },
  leipzigerFriedrich: { lat: 52.5103, lon: 13.3899 },
  leipzigerWilhelm: { lat: 52.5096, lon: 13.3838 },
  checkpoint: { lat: 52.5075, lon: 13.3904 },
  anhalter: { lat: 52.504, lon: 13.382 },
  bridge: { lat: 52.506, lon: 13.369 },
  kurfuersten: { lat: 52.5001, lon: 13.362 },
  park: { lat: 52.5093, lon: 13.365 },
  parkWest: { lat: 52.5085, lon: 13.356 },
  column: { lat: 52.5145, lon: 13.3501 },
} satisfies Record<string, Point>
type Crossing = keyof typeof CROSSINGS

/** Round trips. */
const ROUTES: readonly (readonly [Crossing, ...Crossing[]])[] = [
  ['platz', 'gate', 'lindenWilhelm', 'lindenFriedrich', 'leipzigerFriedrich', 'leipzigerWilhelm', 'platz'],
  ['platz', 'anhalter', 'checkpoint', 'leipzigerFriedrich', 'leipzigerWilhelm', 'platz'],
  ['kurfuersten', 'bridge', 'platz', 'park', 'bridge', 'kurfuersten'],
  ['platz', 'park', 'parkWest', 'column', 'gate', 'platz'],
  ['spittelmarkt', 'leipzigerFriedrich', 'lindenFriedrich', 'university', 'werder', 'spittelmarkt'],
]
export const ROUTE_COUNT = ROUTES.length

/** Returns the place on a round trip after a distance in meters. */
export function placeOnRoute(route: number, distance: number): Point {
  const crossings = ROUTES[route % ROUTES.length]?.map((name) => CROSSINGS[name]) ?? [CENTER]
  const legs = crossings.slice(1).map((to, index) => {
    const from = crossings[index] ?? to
    return { from, to, length: metersBetween(from, to) }
  })
  let left = distance % legs.reduce((sum, { length }) => sum + length, 0)
  for (const { from, to, length } of legs) {
    if (left <= length) return between(from, to, left / length)
    left -= length
  }
  return CENTER
}

export function metersBetween(a: Point, b: Point): number {
  return Math.hypot((a.lat - b.lat) * METERS_PER_DEGREE, (a.lon - b.lon) * LON_METERS_PER_DEGREE)
}

/** Moves a point by meters. */
export function moved({ lat, lon }: Point, north: number, east: number): Point {
  return { lat: round(lat + north / METERS_PER_DEGREE), lon: round(lon + east / LON_METERS_PER_DEGREE) }
}

function between(from: Point, to: Point, share: number): Point {
  return { lat: from.lat + (to.lat - from.lat) * share, lon: from.lon + (to.lon - from.lon) * share }
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

const ROWS = 8
const COLUMNS = 8
const SPACING_METERS = 30
/** Between two access points of a street, which are on its two sides. */
const STREET_SPACING_METERS = 28
const STREET_HALF_WIDTH_METERS = 12

/** The grid on the square, then those along the streets. */
export const DEMO_ACCESS_POINTS: readonly DemoAccessPoint[] = [...onTheSquare(), ...alongTheStreets()]

/**
 * Made-up access points: their addresses begin with 02:00:5e, which is locally administered, so that no real one has them.
 */
function accessPoint(group: number, number: number, { lat, lon }: Point): DemoAccessPoint {
  return [`02:00:5e:${hex(group)}:${hex(number)}:00`, lat, lon, null]
}

function onTheSquare(): DemoAccessPoint[] {
  return Array.from({ length: ROWS * COLUMNS }, (_, index) => {
    const north = Math.floor(index / COLUMNS) - (ROWS - 1) / 2
    const east = (index % COLUMNS) - (COLUMNS - 1) / 2
    return accessPoint(0, index, moved(CENTER, north * SPACING_METERS, east * SPACING_METERS))
  })
}

function alongTheStreets(): DemoAccessPoint[] {
  return streets().flatMap(([from, to], street) => {
    const length = metersBetween(from, to)
    const [north, east] = [
      ((to.lat - from.lat) * METERS_PER_DEGREE) / length,
      ((to.lon - from.lon) * LON_METERS_PER_DEGREE) / length,
    ]
    return Array.from({ length: Math.floor(length / STREET_SPACING_METERS) }, (_, number) => {
      const side = STREET_HALF_WIDTH_METERS * (number % 2 === 0 ? 1 : -1)
      const place = between(from, to, ((number + 0.5) * STREET_SPACING_METERS) / length)
      return accessPoint(street + 1, number, moved(place, side * east, -side * north))
    })
  })
}

/** Returns each stretch between two crossings once, whichever way routes take it. */
function streets(): (readonly [Point, Point])[] {
  const found = new Map<string, readonly [Point, Point]>()
  for (const route of ROUTES)
    for (const [index, to] of route.entries()) {
      const from = route[index - 1]
      if (from !== undefined) found.set([from, to].sort().join(' '), [CROSSINGS[from], CROSSINGS[to]])
    }
  return [...found.values()]
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0')
}

/** The scan of a device in the middle of the square. */
export const DEMO_SCAN = [
  { macAddress: '02:00:5e:00:1b:00', signalStrength: -52 },
  { macAddress: '02:00:5e:00:1c:00', signalStrength: -55 },
  { macAddress: '02:00:5e:00:23:00', signalStrength: -58 },
  { macAddress: '02:00:5e:00:24:00', signalStrength: -61 },
]

const REACH_METERS = 110
const SCAN_LENGTH = 7

/** Returns the access points that a device receives at a place, the nearest first. */
export function scanAt(place: Point): { macAddress: string; signalStrength: number }[] {
  return DEMO_ACCESS_POINTS.map(([macAddress, lat, lon]) => ({
    macAddress,
    meters: metersBetween(place, { lat, lon }),
  }))
    .filter(({ meters }) => meters < REACH_METERS)
    .sort((a, b) => a.meters - b.meters)
    .slice(0, SCAN_LENGTH)
    .map(({ macAddress, meters }) => ({
      macAddress,
      signalStrength: Math.round(-38 - 22 * Math.log10(Math.max(meters, 2))),
    }))
}
