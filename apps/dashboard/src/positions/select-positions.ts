import type { Position } from './position.js'

/** What of the positions is shown. Texts of the URL; empty: everything. */
export interface PositionFilter {
  /** A method, or `fallback`. */
  readonly method: string
  /** The beginning of the serial number. */
  readonly q: string
  /** The last moment, in UTC. */
  readonly until: string
}

/** Returns the positions that match, the newest first. */
export function selectPositions(
  positions: readonly Position[],
  { method, q, until }: PositionFilter,
): Position[] {
  const latest = until === '' ? Infinity : Date.parse(until)
  const start = q.trim().toLowerCase()
  return positions
    .filter(
      (position) =>
        (method === '' || (method === 'fallback' ? position.fallback : position.fulfilledWith === method)) &&
        position.device_serial.toLowerCase().startsWith(start) &&
        !(Date.parse(position.resolved_at) > latest),
    )
    .toSorted((a, b) => compare(b.resolved_at, a.resolved_at) || compare(a.device_serial, b.device_serial))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
