import { ProblemError, UnreachableError } from './errors.js'
import { OperationError } from '@bearing/contracts/errors'
import { expect, it } from '@jest/globals'
import { waitMs } from './retry-transient.js'

const limited = (retryAfter?: number) =>
  new ProblemError({
    ...{ status: 429, code: 'rate_limited', title: 'x', detail: 'Too many.', mistakes: [] },
    ...(retryAfter !== undefined && { retryAfter }),
  })

it('who is asked to wait waits until the minute of a quota is over, and no longer', () => {
  expect(waitMs(limited(60), 1)).toBe(60_000)
  expect(waitMs(limited(1), 3)).toBe(1_000)
  expect(waitMs(limited(3_600), 1)).toBe(60_000)
  expect(waitMs(new OperationError('overloaded', 'Busy.', { retry_after: 7 }), 1)).toBe(7_000)
})

it('who is not waits a little, and longer each time', () => {
  const gone = new UnreachableError('network', 'Nobody listens.')
  expect([1, 2, 3].map((failures) => waitMs(gone, failures))).toEqual([250, 500, 1_000])
  expect(waitMs(limited(), 5)).toBe(4_000)
})
