import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By how much V8 lets its young generation grow at a time, where nothing else is said. */
const GROWTH = 2

let collectNow: ((options: { type: 'minor' }) => void) | undefined

/** Whether the young generation of this process may grow. V8 looks at it each time that it could. */
export function mayGrow(allowed: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${String(allowed ? GROWTH : 1)}`)
}

/**
 * Lets nothing begin its life in the old generation. V8 makes objects there of whose kind some have once lived long, as when a
 * program starts; what they refer to then stays until the next full collection, which was 6 kB of each scan that was read.
 */
export function beginYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** Collects young garbage, in about a millisecond: it copies what is in use, and that is little. No reason to grow. */
export function collectYoung(): void {
  collectNow ??= collector()
  mayGrow(false)
  collectNow({ type: 'minor' })
  mayGrow(true)
}

/** Node gives its collector to programs that were started with a flag; a new context sees flags that are set later too. */
function collector(): NonNullable<typeof collectNow> {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as NonNullable<typeof collectNow>
}
