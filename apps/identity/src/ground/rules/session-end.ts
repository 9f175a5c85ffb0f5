/** Ends of sessions, in milliseconds. */
export interface SessionLimits {
  /** Expiry after the last use. */
  readonly idleMs: number
  /** Expiry after the start. */
  readonly lifetimeMs: number
}

export interface SessionLife {
  readonly lastSeenAt: Date
  /** The latest end, even with use. */
  readonly endsAt: Date
}

/** Returns when a session expires without further use. */
export function sessionEnd({ lastSeenAt, endsAt }: SessionLife, idleMs: number): Date {
  return new Date(Math.min(lastSeenAt.getTime() + idleMs, endsAt.getTime()))
}
