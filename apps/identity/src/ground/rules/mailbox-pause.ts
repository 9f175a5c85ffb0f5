/** What an address was sent into all organizations since {@link mailboxSince}. */
export interface Mailbox {
  /** How many mails. */
  readonly count: number
  /** The last one. Null: none. */
  readonly lastAt: Date | null
}

/** Mails to an address in a day that nobody has to wait for. */
const FREE = 20
const PAUSE_MS = 600_000
const OWN_PAUSE_MS = 3_600_000
/** What is longer ago counts no more, in milliseconds. */
const COUNTED_MS = 86_400_000

/** Since when a mail counts that is to be counted at a moment. */
export function mailboxSince(now: Date): Date {
  return new Date(now.getTime() - COUNTED_MS)
}

/**
 * How long the next mail to an address has to wait for those of other organizations: not at all for the first ones of a
 * day, then ten minutes after the last one of anybody, and an hour after the organization's own. So many organizations
 * together do not fill a mailbox either, and who has sent least is let through first.
 *
 * @param ownLastAt the organization's last mail to the address; undefined: there was none
 * @returns milliseconds, 0 where it may go at once
 */
export function mailboxPauseMs({ count, lastAt }: Mailbox, ownLastAt: Date | undefined, now: Date): number {
  if (count < FREE || !lastAt) return 0
  // What was sent while this one waited, or by a process whose clock is ahead, was sent now: no pause is longer than it is.
  const left = (last: Date, pauseMs: number) => pauseMs - Math.max(0, now.getTime() - last.getTime())
  return Math.max(0, left(lastAt, PAUSE_MS), ownLastAt ? left(ownLastAt, OWN_PAUSE_MS) : 0)
}
