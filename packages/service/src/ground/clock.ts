/** The time, passed in so that tests can say what it is. */
export class Clock {
  constructor(
    /** Milliseconds since 1970. */
    readonly nowMs: () => number,
  ) {}

  /** This moment. */
  now(): Date {
    return new Date(this.nowMs())
  }
}
