import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { Output } from './output.js'
import { startProgress } from './progress.js'
import { Secrets } from './secrets.js'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Returns the standard error while half of something is done, and some seconds later three quarters. */
function shown({ isTTY, json }: { readonly isTTY: boolean; readonly json: boolean }): string {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 100 })
  let text = ''
  stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const output = new Output(new PassThrough(), stderr, new Secrets(), {
    format: json ? 'json' : 'table',
    verbose: false,
    noColor: true,
  })
  const progress = startProgress(output, 'survey.csv', 1_000)
  for (const done of [500, 750]) {
    jest.advanceTimersByTime(6_000)
    progress.update(done, `${String(done)} rows sent`)
    jest.advanceTimersByTime(200)
    progress.update(done + 1, 'soon after')
  }
  jest.advanceTimersByTime(200)
  progress[Symbol.dispose]()
  return text
}

it('is a bar on a terminal', () => {
  const text = shown({ isTTY: true, json: false })
  expect(text).toMatch(/survey\.csv {2}━{15}─{15} {3}50 % {2}500 rows sent {2}0:06 left/)
  expect(text).toMatch(/ 75 % {2}soon after/)
})

it('is a line every few seconds elsewhere', () => {
  expect(shown({ isTTY: false, json: false })).toBe(
    'survey.csv: 50 %, 500 rows sent\nsurvey.csv: 75 %, 750 rows sent\n',
  )
})

it('is not printed for programs', () => {
  expect(shown({ isTTY: false, json: true })).toBe('')
})
