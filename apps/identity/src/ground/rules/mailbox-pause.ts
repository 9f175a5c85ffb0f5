/** The invitation mails of all organizations to an email address since {@link mailboxSince}. */
export interface Mailbox {
  readonly count: number
  readonly lastAt: Date | null
}

/** Mails per email address and day without a wait. */
const FREE = 20
const PAUSE_MS = 600_000
const OWN_PAUSE_MS = 3_600_000
/** Older mails do not count, in milliseconds. */
const COUNTED_MS = 86_400_000

/** Returns since when mails count. */
export function mailboxSince(now: Date): Date {
  return new Date(now.getTime() - COUNTED_MS)
}

/**
 * Returns how long the next invitation mail must wait because of other organizations, in milliseconds: 0 for the first ones
 * of a day, then ten minutes after the last mail and an hour after the organization's own. So many organizations together
 * cannot fill a mailbox, and those that sent the fewest mails go first.
 *
 * @param ownLastAt the organization's last mail to the email address, if any
 */
export function mailboxPauseMs({ count, lastAt }: Mailbox, ownLastAt: Date | undefined, now: Date): number {
  if (count < FREE || !lastAt) return 0
  // A mail from the future (the clock of another process) counts as sent now.
  const left = (last: Date, pauseMs: number) => pauseMs - Math.max(0, now.getTime() - last.getTime())
  return Math.max(0, left(lastAt, PAUSE_MS), ownLastAt ? left(ownLastAt, OWN_PAUSE_MS) : 0)
}
