import { expect, it, jest } from '@jest/globals'
import { inTime } from './shared-fetches.js'

it('waiting for an answer with no time left returns undefined, and an answer that is there already, without a negative time-out', async () => {
  const timeouts = jest.spyOn(globalThis, 'setTimeout')
  const never = new Promise<string>(() => undefined)
  expect(await inTime(never, -5)).toBeUndefined()
  expect(await inTime(Promise.resolve('answer'), -5)).toBe('answer')
  const delays = timeouts.mock.calls.map(([, delayMs]) => delayMs)
  timeouts.mockRestore()
  expect(delays).toEqual([0, 0])
})
