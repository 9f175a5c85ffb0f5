import { backoffMs } from '@bearing/contracts/backoff'
/** Mails that an address was sent into an organization, in one invitation. */
export interface Sent {
  readonly sentAt: Date
  /** How many. */
  readonly sendings: number
}

const FIRST_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 86_400_000
/** What is longer ago counts no more, in milliseconds. */
const COUNTED_MS = 30 * 86_400_000

/** Since when a mail counts that is to be counted at a moment. */
export function countedSince(now: Date): Date {
  return new Date(now.getTime() - COUNTED_MS)
}

/**
 * How long the next mail to an address has to wait: a minute after the first one, then twice as long each time, up to a
 * day. So nobody's mailbox is filled, however many invitations are made, revoked and sent again.
 *
 * @param before what was sent since {@link countedSince}
 * @returns milliseconds, 0 where it may go at once
 */
export function invitationPauseMs(before: readonly Sent[], now: Date): number {
  if (before.length === 0) return 0
  const count = before.reduce((sum, { sendings }) => sum + sendings, 0)
  const lastMs = Math.max(...before.map(({ sentAt }) => sentAt.getTime()))
  const pauseMs = backoffMs(count, { firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS })
  return Math.max(0, lastMs + pauseMs - now.getTime())
}
