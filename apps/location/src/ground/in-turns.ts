import { setImmediate as nextTurn } from 'node:timers/promises'

/** Time for which the event loop is held in one go, in milliseconds. */
const SLICE_MS = 0.5

/** Takes steps to their end, and lets others have their turn after each half a millisecond. */
export async function inTurns<Result>(steps: Generator<void, Result, undefined>): Promise<Result> {
  for (;;) {
    const endMs = performance.now() + SLICE_MS
    let step = steps.next()
    while (!step.done && performance.now() < endMs) step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}
