import type { Height } from '@bearing/contracts/location/lookups/height'
import { count } from '../ground/output/format.js'

/** @returns the facts of a height; none where it is not known */
export function heightFacts(height: Height): Record<string, string | undefined> {
  const { altitude, altitudeAccuracy = 0 } = height
  return {
    Floor: height.floor && floorText(height),
    Altitude:
      altitude === undefined
        ? undefined
        : `${count(Math.round(altitude))} m above the sea, ± ${count(Math.ceil(altitudeAccuracy))} m (68 %)`,
  }
}

/** @returns a floor as a table has it: `2 (97 %)` */
export function floorText({ floor }: Height): string {
  return floor ? `${floor.name} (${String(Math.round(floor.probability * 100))} %)` : '–'
}
