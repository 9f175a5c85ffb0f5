import type { SentAccessPoints } from '@bearing/contracts/location/access-points/heard-access-point'
import { mayBeOfOneBox } from '@bearing/positioning/scans/radio'

/** A list of access points, and its place in the request (JSON pointer, RFC 6901). */
export interface SentScan {
  readonly pointer: string
  readonly accessPoints: SentAccessPoints
}

/** Names the first two entries whose addresses may belong to one box, and so count once. @returns a sentence with a leading blank, or nothing */
export function sameBox(scans: readonly SentScan[]): string {
  const sent = scans.flatMap(({ pointer, accessPoints }) =>
    accessPoints.flatMap((entry, index) =>
      entry ? [{ at: `${pointer}/${String(index)}`, address: entry.macAddress }] : [],
    ),
  )
  for (const [index, { at, address }] of sent.entries()) {
    const earlier = sent.slice(0, index).find((other) => mayBeOfOneBox(other.address, address))
    if (earlier) return ` ${earlier.at} and ${at} are addresses of one box.`
  }
  return ''
}
