import { FlatMap } from './flat.js'
import { normal, numbers } from '../numbers.js'
import type { Reading, ScanSet, TrueScan } from './scan-set.js'

/** Side of the district, and the distance between its streets, in meters. */
const SIDE = 800
const BLOCK = 100
const ACCESS_POINTS = 700
const WALKS = 60
const STEPS = 60
/** Meters between the scans of a walk, and seconds. */
const STRIDE = 20
const SECONDS = 15
/** Access points that a phone reports of those that it receives. */
const REPORTED = { least: 2, most: 3 } as const
/** Of what a phone heard before and reports again this share is what it heard then. */
const STALE = 0.6
/** Standard deviation of GPS on an axis between houses, in meters. */
const GPS_METERS = 6
const SHADOW_DB = 6

interface Transmitter {
  readonly bssid: number
  readonly x: number
  readonly y: number
  readonly sentDbm: number
}

/**
 * A made-up district: streets, access points in houses beside them, phones that walk along and report two or three access
 * points with old entries among them, with the position that GPS gave. Path loss n = 3, shadowing 6 dB, per place.
 * Every fifth walk is held out; the truth of those is exact. There is no real outdoor set in the data.
 */
export function streetSet(): ScanSet {
  const next = numbers(11)
  const transmitters = Array.from({ length: ACCESS_POINTS }, (_, index) => transmitter(index, next))
  const walks = Array.from({ length: WALKS }, (_, index) => walk(index, transmitters, next))
  return {
    name: 'street (made up)',
    group: 'street',
    isTracked: true,
    folds: [
      {
        train: walks.filter((_, index) => index % 5 > 0).flatMap(({ noisy }) => noisy),
        test: walks.filter((_, index) => index % 5 === 0).flatMap(({ exact }) => exact),
      },
    ],
  }
}

function transmitter(index: number, next: () => number): Transmitter {
  const street = BLOCK * Math.floor(next() * (SIDE / BLOCK + 1))
  const beside = (next() < 0.5 ? -1 : 1) * (8 + 22 * next())
  const along = SIDE * next()
  const [x, y] = next() < 0.5 ? [street + beside, along] : [along, street + beside]
  return { bssid: 0x02_00_00_00_00_00 + 64 * (index + 1), x, y, sentDbm: -32 + 4 * normal(next) }
}

const MAP = new FlatMap({ lat: 48.1, lon: 11.5 })

function walk(index: number, transmitters: readonly Transmitter[], next: () => number) {
  const noisy: TrueScan[] = []
  const exact: TrueScan[] = []
  let [x, y] = [BLOCK * Math.floor(next() * (SIDE / BLOCK)), BLOCK * Math.floor(next() * (SIDE / BLOCK))]
  let direction = 0
  const offsetDb = 3 * normal(next)
  let before = new Map<number, Reading>()
  for (let step = 0; step < STEPS; step++) {
    if ((x % BLOCK === 0 && y % BLOCK === 0) || x < 0 || y < 0 || x > SIDE || y > SIDE)
      direction = turned(x, y, next)
    x += STRIDE * Math.round(Math.cos(direction))
    y += STRIDE * Math.round(Math.sin(direction))
    const accessPoints = report(x, y, offsetDb, transmitters, before, next)
    before = new Map(accessPoints.map((reading) => [reading.bssid, reading]))
    const scan = { seconds: step * SECONDS, track: String(index), device: String(index % 6), accessPoints }
    exact.push({ ...scan, ...MAP.place({ x, y }), accuracyMeters: 1 })
    const seen = { x: x + GPS_METERS * normal(next), y: y + GPS_METERS * normal(next) }
    noisy.push({ ...scan, ...MAP.place(seen), accuracyMeters: 2 * GPS_METERS })
  }
  return { noisy, exact }
}

/** A direction that stays in the district. */
function turned(x: number, y: number, next: () => number): number {
  for (;;) {
    const direction = (Math.floor(4 * next()) * Math.PI) / 2
    const [ahead, up] = [x + BLOCK * Math.cos(direction), y + BLOCK * Math.sin(direction)]
    if (ahead > -1 && up > -1 && ahead < SIDE + 1 && up < SIDE + 1) return direction
  }
}

function report(
  x: number,
  y: number,
  offsetDb: number,
  transmitters: readonly Transmitter[],
  before: ReadonlyMap<number, Reading>,
  next: () => number,
): Reading[] {
  const heard = transmitters
    .map(({ bssid, x: east, y: north, sentDbm }) => {
      const meters = Math.max(3, Math.hypot(east - x, north - y))
      const signal = sentDbm - 30 * Math.log10(meters) + SHADOW_DB * normal(next) + offsetDb
      return { bssid, signalDbm: Math.round(Math.min(-25, signal)), ageMs: 0 }
    })
    .filter(({ signalDbm }) => signalDbm > -92)
    .sort((a, b) => b.signalDbm - a.signalDbm)
    .slice(0, REPORTED.least + Math.floor(next() * (REPORTED.most - REPORTED.least + 1)))
  return heard.map((reading) => {
    const old = before.get(reading.bssid)
    return old && next() < STALE ? old : reading
  })
}
