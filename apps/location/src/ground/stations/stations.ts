import { ACCESS_POINT } from './access-point.js'
import { RADIO_CELL } from './radio-cell.js'
import type { AnyStation } from './station.js'

/** All kinds of stations, in the order in which their rows are locked (`locks.ts`). */
export const STATIONS: readonly AnyStation[] = [ACCESS_POINT, RADIO_CELL]
