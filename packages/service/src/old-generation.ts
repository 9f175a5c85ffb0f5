import { setFlagsFromString } from 'node:v8'

/** By how much what is old may grow before it is looked through for garbage, in percent of what was in use the last time. */
const GROWTH_PERCENT = 100

/**
 * Has the old generation collected when it has doubled, whatever the process is asked for meanwhile and however much memory there
 * is. V8 would allow less, and a full collection each time: a process with a limit of 512 MiB grows by some 30 percent, which is
 * a third of what management does to store chunks; and one that makes little garbage by itself, while a thread hands it memory
 * that V8 counts as its own growth, by as little as 9 MiB, which holds its event loop for 3 to 6 ms for each project whose
 * reference scans were indexed (decision 52).
 */
export function collectWhenDoubled(): void {
  setFlagsFromString(`--heap-growing-percent=${String(GROWTH_PERCENT)}`)
}
