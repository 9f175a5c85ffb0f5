import { setFlagsFromString } from 'node:v8'

/** By how much what is old may grow before it is looked through for garbage, in percent of what was in use the last time. */
const GROWTH_PERCENT = 100

/**
 * For a process that others hand memory to, in large pieces: its old generation is collected when it has doubled, whatever it is
 * asked for meanwhile. V8 counts such memory as its own growth, and allows a process that makes little garbage by itself as
 * little as 9 MiB of it: one full collection, and 3 to 6 ms of the event loop, for each project whose reference scans a thread
 * had indexed (decision 52).
 */
export function collectWhenDoubled(): void {
  setFlagsFromString(`--heap-growing-percent=${String(GROWTH_PERCENT)}`)
}
