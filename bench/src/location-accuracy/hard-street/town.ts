import { normal, numbers } from '../../numbers.js'
import type { Spot } from '../flat.js'
import type { Severity } from './severities.js'
import { mixed } from './shadowing.js'

/** Side of the town, distance between its streets, and side of a quarter, in meters. */
export const SIDE = 1_200
export const BLOCK = 100
const QUARTER = 300
/** Average area in which an access point is received, in m²: it follows from the radio of `phone.ts`. */
const RECEIVED_SQUARE_METERS = 13_000
/** The same of phones and buses. */
const OUTDOORS_SQUARE_METERS = 57_000
/** Distances of houses from the middle of a street, in meters. */
const HOUSES = { from: 8, to: 35 } as const
/** From the first scan to the last: weeks of survey, weeks until the last query. */
export const SURVEY_SECONDS = 14 * 86_400
export const QUERY_SECONDS = { from: 49 * 86_400, to: 56 * 86_400 } as const
const HOUR_SECONDS = 3_600
const BUS_METERS_PER_SECOND = 6
/**
 * Power of an access point, as received at 1 m: 20 dBm, the limit of ETSI EN 300 328, less 30.5 dB of the first meter, 12.1 dB of a
 * wall and 0.5 dB for each meter behind it, 8.3 on average (3GPP TR 38.901, 7.4.1 and 7.4.3 at 2.4 GHz, low loss, with 4.4 dB from
 * house to house). Phones and buses send 5 dB less, outdoors.
 */
const SENT = { dbm: -26.8, deviationDb: 4.4 } as const
const OUTDOORS_DBM = -15.5

/** A sender that can be received. Its index distinguishes the shadows behind it. */
export interface Transmitter {
  readonly index: number
  readonly sentDbm: number
  /** Its position at a time, and its BSSID then. */
  spotAt(seconds: number): Spot
  bssidAt(seconds: number): number
}

/** Streets, access points in houses beside them, buses, and people with hotspots. */
export interface Town {
  readonly transmitters: readonly Transmitter[]
  isSurveyed(spot: Spot): boolean
  isCanyon(spot: Spot): boolean
}

const QUARTERS = SIDE / QUARTER

export function townOf(severity: Severity): Town {
  const next = numbers(severity.seed)
  const quarters = Array.from({ length: QUARTERS ** 2 }, () => ({
    isSurveyed: next() >= severity.unsurveyed,
    isCanyon: next() < severity.canyons,
    density: severity.density.least * (severity.density.most / severity.density.least) ** next(),
  }))
  const transmitters: Transmitter[] = []
  quarters.forEach(({ density }, quarter) => {
    const count = poisson((density * QUARTER ** 2) / RECEIVED_SQUARE_METERS, next)
    for (let one = 0; one < count; one++)
      transmitters.push(inHouse(transmitters.length, inQuarter(quarter, next), severity, next))
  })
  const inTown = (inScan: number) => Math.round((inScan * SIDE ** 2) / OUTDOORS_SQUARE_METERS)
  for (let one = 0; one < inTown(severity.hotspots); one++) transmitters.push(hotspot(transmitters.length))
  for (let one = 0; one < inTown(severity.buses); one++) transmitters.push(bus(transmitters.length, next))
  const quarterAt = ({ x, y }: Spot) => {
    const place = (along: number) => Math.max(0, Math.min(QUARTERS - 1, Math.floor(along / QUARTER)))
    return quarters[place(x) * QUARTERS + place(y)]
  }
  return {
    transmitters,
    isSurveyed: (spot) => quarterAt(spot)?.isSurveyed ?? false,
    isCanyon: (spot) => quarterAt(spot)?.isCanyon ?? false,
  }
}

/** Locally administered addresses, each of a radio of its own. */
function bssidOf(index: number, generation = 0): number {
  return 0x02_00_00_00_00_00 + 64 * (2 * index + generation + 1)
}

function inQuarter(quarter: number, next: () => number): Spot {
  const [west, south] = [Math.floor(quarter / QUARTERS) * QUARTER, (quarter % QUARTERS) * QUARTER]
  return besideStreet({ x: west + QUARTER * next(), y: south + QUARTER * next() }, next)
}

/** The nearest place in a house. */
function besideStreet({ x, y }: Spot, next: () => number): Spot {
  const beside = (next() < 0.5 ? -1 : 1) * (HOUSES.from + (HOUSES.to - HOUSES.from) * next())
  const street = (along: number) => BLOCK * Math.round(along / BLOCK)
  return next() < 0.5 ? { x: street(x) + beside, y } : { x, y: street(y) + beside }
}

function inHouse(index: number, spot: Spot, severity: Severity, next: () => number): Transmitter {
  const changesAt = QUERY_SECONDS.to * next()
  const fate = next()
  const isMoved = fate < severity.moved
  const isReplaced = !isMoved && fate < severity.moved + severity.replaced
  const moved = besideStreet({ x: SIDE * next(), y: SIDE * next() }, next)
  return {
    index,
    sentDbm: SENT.dbm + SENT.deviationDb * normal(next),
    spotAt: (seconds) => (isMoved && seconds > changesAt ? moved : spot),
    bssidAt: (seconds) => bssidOf(index, isReplaced && seconds > changesAt ? 1 : 0),
  }
}

/** Somebody who is somewhere else every hour. */
function hotspot(index: number): Transmitter {
  return {
    index,
    sentDbm: OUTDOORS_DBM,
    spotAt: (seconds) => {
      const next = numbers(mixed(mixed(index) + Math.floor(seconds / HOUR_SECONDS)))
      return { x: SIDE * next(), y: SIDE * next() }
    },
    bssidAt: () => bssidOf(index),
  }
}

/** To and fro on one street. */
function bus(index: number, next: () => number): Transmitter {
  const street = BLOCK * Math.floor(next() * (SIDE / BLOCK + 1))
  const isEastward = next() < 0.5
  const start = 2 * SIDE * next()
  return {
    index,
    sentDbm: OUTDOORS_DBM,
    spotAt: (seconds) => {
      const driven = (start + BUS_METERS_PER_SECOND * seconds) % (2 * SIDE)
      const along = Math.min(driven, 2 * SIDE - driven)
      return isEastward ? { x: along, y: street } : { x: street, y: along }
    },
    bssidAt: () => bssidOf(index),
  }
}

/** Returns a number with a Poisson distribution (Knuth). */
function poisson(mean: number, next: () => number): number {
  let [count, product] = [0, next()]
  for (; product > Math.exp(-mean); count++) product *= next()
  return count
}
