import { count } from '../../ground/amounts.js'
import type { Position } from './position.js'

type Height = Pick<Position, 'floor' | 'altitude' | 'altitudeAccuracy'>

/** @returns facts of a height; those that are not known are undefined */
export function heightFacts({ floor, altitude, altitudeAccuracy = 0 }: Height) {
  return {
    Floor: floor && `${floor.name}, right in ${String(Math.round(floor.probability * 100))} of 100 cases`,
    Altitude:
      altitude === undefined
        ? undefined
        : `${count(Math.round(altitude))} m above the sea, ± ${count(Math.ceil(altitudeAccuracy))} m`,
  }
}

/** @returns the floors of positions, each once, those with numbers by number */
export function floorsOf(positions: readonly Height[]): string[] {
  const names = new Set(positions.flatMap(({ floor }) => floor?.name ?? []))
  return [...names].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}
