/** Milliseconds between deletions of data whose retention has ended: ten minutes. */
export const SWEEP_INTERVAL_MS = 600_000
