/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 24 * 3_600_000
