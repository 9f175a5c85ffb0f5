/** When sessions end, in milliseconds. */
export interface SessionLimits {
  /** After so much time without use. */
  readonly idleMs: number
  /** After so much time, however much it is used. */
  readonly lifetimeMs: number
}

/** What decides over the end of a session. */
export interface SessionLife {
  readonly lastSeenAt: Date
  /** However much it is used. */
  readonly endsAt: Date
}

/** When a session ends, unless it is used again before that. */
export function sessionEnd({ lastSeenAt, endsAt }: SessionLife, idleMs: number): Date {
  return new Date(Math.min(lastSeenAt.getTime() + idleMs, endsAt.getTime()))
}
