import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import type { Logger } from './logger.js'
import { warnSeldom } from './warn-seldom.js'

let warned: string[]
const logger = {
  warn: ({ err }: { err: unknown }) => {
    warned.push(String(err))
  },
} as unknown as Logger // all that is used of one

beforeEach(() => {
  warned = []
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

it('warns of the same error once a minute, and of another one immediately', () => {
  const warn = warnSeldom(logger, 'it cannot be done; trying again every second')
  for (let second = 0; second < 61; second++) {
    warn(new Error('first'))
    if (second >= 30) warn(new Error('second'))
    jest.advanceTimersByTime(1_000)
  }
  expect(warned).toEqual(['Error: first', 'Error: second', 'Error: first'])
})

it('is not talked into filling the log by errors that say something else each time', () => {
  const warn = warnSeldom(logger, 'it cannot be done; trying again every second')
  for (let number = 0; number < 1_000; number++) warn(new Error(String(number)))
  expect(warned).toHaveLength(8)
  jest.advanceTimersByTime(60_000)
  warn(new Error('later'))
  expect(warned).toHaveLength(9)
})
