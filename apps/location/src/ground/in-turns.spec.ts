import { expect, it } from '@jest/globals'
import { inTurns } from './in-turns.js'

/** Steps that each take a tenth of a millisecond of the processor. */
function* busy(steps: number): Generator<void, string, undefined> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 0.1
    while (performance.now() < end);
    yield
  }
  return 'done'
}

it('lets others have their turn, and comes to an end', async () => {
  let [turns, isOver] = [0, false]
  const others = (): void => {
    turns++
    if (!isOver) setImmediate(others)
  }
  setImmediate(others)
  expect(await inTurns(busy(300))).toBe('done')
  isOver = true
  // 30 ms of work, half of one at a time; a machine that is busy with other things takes fewer steps to a turn.
  expect(turns).toBeGreaterThan(40)
})

it('fails as its steps do', async () => {
  function* failing(): Generator<void, never, undefined> {
    yield
    throw new Error('nothing came of it')
  }
  await expect(inTurns(failing())).rejects.toThrow('nothing came of it')
})
