import { backoffMs } from '@bearing/contracts/durations'

/** The mails of one invitation. */
export interface Sent {
  readonly sentAt: Date
  readonly sendings: number
}

const FIRST_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 86_400_000
/** Older mails do not count, in milliseconds. */
const COUNTED_MS = 30 * 86_400_000

/** Returns since when mails count. */
export function countedSince(now: Date): Date {
  return new Date(now.getTime() - COUNTED_MS)
}

/**
 * Returns how long the next invitation mail to an email address must wait, in milliseconds: a minute after the first one,
 * then doubling up to a day, however many invitations are created, revoked and sent again.
 *
 * @param before mails since {@link countedSince}
 */
export function invitationPauseMs(before: readonly Sent[], now: Date): number {
  if (before.length === 0) return 0
  const count = before.reduce((sum, { sendings }) => sum + sendings, 0)
  const lastMs = Math.max(...before.map(({ sentAt }) => sentAt.getTime()))
  const pauseMs = backoffMs(count, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS })
  return Math.max(0, lastMs + pauseMs - now.getTime())
}
