import { normal, numbers } from '../../numbers.js'
import type { Spot } from '../flat.js'

/** 3GPP TR 38.901, table 7.5-6: shadowing in a street canyon decorrelates within 10 m in sight, 13 m out of it (7 m into houses). */
const DECORRELATED_METERS = 13
const CORNERS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const

/**
 * Returns what houses and trees between a transmitter and a spot add, with a standard deviation of 1: the same at the same spot,
 * and nearly the same a few meters further (after M. Gudmundson, Electronics Letters 27(23), 1991).
 */
export function shadowing(transmitter: number, { x, y }: Spot): number {
  const column = Math.floor(x / DECORRELATED_METERS)
  const row = Math.floor(y / DECORRELATED_METERS)
  const right = x / DECORRELATED_METERS - column
  const up = y / DECORRELATED_METERS - row
  let [sum, squares] = [0, 0]
  for (const [east, north] of CORNERS) {
    const weight = (east === 1 ? right : 1 - right) * (north === 1 ? up : 1 - up)
    sum += weight * at(transmitter, column + east, row + north)
    squares += weight ** 2
  }
  return sum / Math.sqrt(squares)
}

function at(transmitter: number, column: number, row: number): number {
  return normal(numbers(mixed(mixed(mixed(transmitter) + column) + row)))
}

/** The finalizer of MurmurHash3. */
export function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
