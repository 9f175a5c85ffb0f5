import type { Spot } from '../location-accuracy/flat.js'

/**
 * How far measured distances are off, in meters.
 *
 * - Fixed devices in sight measure with 0.2 m, but from place to place errors differ by 1 to 2 m; each kind of device has an offset, of
 *   0.2 to 5.5 m before it is calibrated; walls make distances longer, exponentially; some are off by several meters (Horn, Sensors
 *   20(14) 4027, 2020, with its page on measurement errors; Applied Sciences 14(17) 7805, 2024).
 * - A meter at 80 MHz in the open, several meters with multipath or less bandwidth (Ibrahim et al., MobiCom 2018).
 * - A meter in sight, 5 m out of it (arXiv 2511.17935, 2025).
 * - Offset of the hardware, offset of what is in the way, noise, and outliers (Dong et al., Algorithms 15(12) 464, 2022).
 */
export interface ErrorModel {
  /** Standard deviation of the offset that a device has to all access points. */
  readonly offset: number
  /** Standard deviation from place to place, in sight. */
  readonly places: number
  /** Standard deviation from measurement to measurement. */
  readonly noise: number
  /** Mean of what one wall adds, exponentially distributed. */
  readonly wall: number
  /** Mean of what the first wall adds beside that. */
  readonly detour: number
  /** Share of outliers, 0 to 1; they are longer by 3 to 15 m. */
  readonly outliers: number
}

/** A place with responders: a rectangle, with walls around rooms or houses. */
export interface Scene {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly responders: number
  /** How far a responder answers. */
  readonly reach: number
  readonly errors: ErrorModel
  /** How many walls are between two spots. */
  walls(one: Spot, other: Spot): number
  /** Whether devices are there. */
  isOpen(spot: Spot): boolean
}

const ROOM = { width: 6, height: 5 } as const
/** Rooms are on both sides of corridors, of this width. */
const CORRIDOR = 2.5
const BLOCK = { side: 60, street: 16 } as const

/** Lines between rooms that are crossed. */
function lines(from: number, to: number, every: number): number {
  return Math.abs(Math.floor(from / every) - Math.floor(to / every))
}

const officeWalls = (one: Spot, other: Spot) => {
  const across = ROOM.height + CORRIDOR / 2
  const isInCorridor = ({ y }: Spot) => y % (2 * across) > 2 * ROOM.height
  if (isInCorridor(one) && isInCorridor(other) && lines(one.y, other.y, 2 * across) === 0) return 0
  return lines(one.x, other.x, ROOM.width) + lines(one.y, other.y, across)
}

/** Houses fill blocks; who looks along a street looks past them. */
const isInHouse = ({ x, y }: Spot) => x % BLOCK.side > BLOCK.street && y % BLOCK.side > BLOCK.street
const STEPS = 24
const houseWalls = (one: Spot, other: Spot) => {
  let walls = 0
  let wasInside = false
  for (let step = 1; step < STEPS; step++) {
    const share = step / STEPS
    const isInside = isInHouse({ x: one.x + share * (other.x - one.x), y: one.y + share * (other.y - one.y) })
    if (isInside !== wasInside) walls++
    wasInside = isInside
  }
  return walls
}

const CALIBRATED = { offset: 0.3, places: 1, noise: 0.3 } as const
const everywhere = () => true

export const SCENES: readonly Scene[] = [
  {
    ...{ name: 'hall', width: 60, height: 40, responders: 12, reach: 40 },
    errors: { ...CALIBRATED, wall: 0, detour: 0, outliers: 0.02 },
    walls: () => 0,
    isOpen: everywhere,
  },
  {
    ...{ name: 'offices', width: 72, height: 45, responders: 16, reach: 35 },
    errors: { ...CALIBRATED, wall: 0.7, detour: 0.8, outliers: 0.05 },
    walls: officeWalls,
    isOpen: everywhere,
  },
  {
    ...{ name: 'offices, bad', width: 72, height: 45, responders: 16, reach: 35 },
    errors: { offset: 1.5, places: 1.5, noise: 0.6, wall: 1, detour: 3, outliers: 0.1 },
    walls: officeWalls,
    isOpen: everywhere,
  },
  {
    ...{ name: 'street', width: 240, height: 240, responders: 90, reach: 80 },
    errors: { ...CALIBRATED, places: 1.5, wall: 1, detour: 3, outliers: 0.05 },
    walls: houseWalls,
    isOpen: (spot) => !isInHouse(spot),
  },
]
