import { setFlagsFromString } from 'node:v8'

/** By how much what is old may grow before it is looked through for garbage, in percent of what was in use the last time. */
const GROWTH_PERCENT = 100

/**
 * Has the old generation collected when it has doubled, whatever the process is asked for meanwhile and however much memory there
 * is. V8 would allow less, and a full collection each time. With a limit of 512 MiB it is about a third, which was a fifth of the
 * processor's time that management took to store chunks. One that makes little garbage by itself, while a thread hands it memory
 * that V8 counts as its own growth, may grow by as little as 9 MiB, which holds its event loop for 3 to 6 ms for each project
 * whose reference scans were indexed (decision 52).
 */
export function collectWhenDoubled(): void {
  setFlagsFromString(`--heap-growing-percent=${String(GROWTH_PERCENT)}`)
}
