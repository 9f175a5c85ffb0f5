import type { ServerResponse } from 'node:http'
import { GuardedHttp, LOOPBACK_ADDRESSES } from '@bearing/outbound/guarded-http'
import { createLogger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { ConcurrencyLimit } from '@bearing/nats/concurrency-limit'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { eventually } from '@bearing/testing/eventually'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { v7 } from 'uuid'
import { TestProvider, answers } from '../../testing/test-provider.js'
import type { FallbackRow } from './fallback-row.js'
import { Provider } from './provider.js'
import type { Outcome } from './provider-tools.js'
import { questionOf, type Question } from './rules/question.js'

let server: TestProvider
let outcomes: Outcome[]
let room: ConcurrencyLimit
/** The time that providers are left alone by: it stands still unless a test moves it. */
let nowMs: number
beforeEach(async () => {
  server = await TestProvider.start()
  outcomes = []
  room = new ConcurrencyLimit({ limit: 256, tooMany: 'Too many' })
  nowMs = Date.now()
  jest.spyOn(Date, 'now').mockImplementation(() => nowMs)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server[Symbol.asyncDispose]()
})

const LEFT_ALONE_MS = 15_000
/** Longer than an answer takes on a busy machine, in milliseconds. */
const LONG_MS = 60_000
const FOUND = { found: true, lat: 50, lon: 10, accuracy: 100 }
const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())
const limit = limits.limit({ name: 'spec', points: 60_000, windowS: 60, whenStoreIsDown: 'open' })
const http = new GuardedHttp({
  privateRanges: LOOPBACK_ADDRESSES,
  plainRanges: LOOPBACK_ADDRESSES,
  timeoutMs: LONG_MS,
  maxBytes: 16_384,
})

function provider(row: Partial<FallbackRow> = {}, key?: string): Provider {
  const all: FallbackRow = {
    ...{ organizationId: v7(), url: server.url, keyBox: null, keyId: null, keyAs: 'query' },
    ...{ accuracyConfidence: 68, requestsPerMinute: 1_000, timeoutMs: LONG_MS, updatedAt: new Date() },
    ...row,
  }
  const count = (outcome: Outcome) => {
    outcomes.push(outcome)
  }
  return new Provider(all, key, { http, room, limit, count }, { failures: 3, leftAloneMs: LEFT_ALONE_MS })
}

let cells = 0
/** Returns a question that nobody has asked. */
function newQuestion(): Question {
  const question = questionOf({ lte: [{ mcc: 262, mnc: 1, tac: 1, eci: ++cells }] })
  if (!question) throw new Error('there is nothing to ask')
  return question
}

describe('a provider', () => {
  it('is asked once what was answered, also that it does not know; another one is asked for itself', async () => {
    const [one, other] = [provider(), provider()]
    const [known, unknown] = [newQuestion(), newQuestion()]
    for (let i = 0; i < 3; i++) expect(await one.ask(known)).toEqual(FOUND)
    server.respond = answers(404, {})
    for (let i = 0; i < 3; i++) expect(await one.ask(unknown)).toEqual({ found: false })
    expect(server.asked).toHaveLength(2)
    expect(outcomes).toEqual(['found', 'remembered', 'remembered', 'not_found', 'remembered', 'remembered'])
    expect(await other.ask(known)).toEqual({ found: false })
    expect(server.asked).toHaveLength(3)
  })

  it('is asked once what many ask at the same time', async () => {
    const one = provider()
    const question = newQuestion()
    const all = await Promise.all(Array.from({ length: 50 }, () => one.ask(question)))
    expect(all).toEqual(all.map(() => FOUND))
    expect(server.asked).toHaveLength(1)
  })

  it.each([
    ['in the query', 'query', { url: '/v1/geolocate?key=s%26cret%3D%2B', authorization: undefined }],
    ['as a bearer', 'bearer', { url: '/v1/geolocate', authorization: 'Bearer s&cret=+' }],
  ])('is sent its key %s', async (_, keyAs, expected) => {
    await provider({ keyAs }, 's&cret=+').ask(newQuestion())
    const [asked] = server.asked
    expect({ url: asked?.url, authorization: asked?.headers.authorization }).toEqual(expected)
  })

  it.each([
    ['is slow', () => undefined, 3_000],
    ['fails', answers(500, {})],
    ['refuses the key', answers(403, {})],
    ['is asked too often', answers(429, {})],
    ['sends too much', answers(200, { location: { lat: 1, lng: 2 }, accuracy: 3, more: 'x'.repeat(20_000) })],
    ['says what cannot be', answers(200, { location: { lat: 91, lng: 2 }, accuracy: 3 })],
    ['says NaN', answers(200, '{"location":{"lat":1,"lng":2},"accuracy":NaN}')],
    [
      'hangs up',
      (response: { destroy(): void }) => {
        response.destroy()
      },
    ],
    [
      'redirects',
      (response: Parameters<TestProvider['respond']>[0]) => {
        response.writeHead(307, { location: server.url }).end()
      },
    ],
  ])('that %s gives no answer, which is not cached', async (_, how, timeoutMs = LONG_MS) => {
    const one = provider({ timeoutMs })
    const question = newQuestion()
    const before = server.respond
    server.respond = how
    const startedMs = performance.now()
    expect(await one.ask(question)).toBeUndefined()
    expect(performance.now() - startedMs).toBeLessThan(LONG_MS)
    server.respond = before
    expect(await one.ask(question)).toEqual(FOUND)
    expect(server.asked).toHaveLength(2)
    expect(outcomes).toEqual(['failed', 'found'])
  })

  it('that keeps failing is left alone, tried once after a while, and asked again when it is back', async () => {
    const one = provider()
    const back = server.respond
    server.respond = answers(503, {})
    for (let i = 0; i < 3; i++) await one.ask(newQuestion())
    for (let i = 0; i < 5; i++) expect(await one.ask(newQuestion())).toBeUndefined()
    expect(server.asked).toHaveLength(3)
    expect(outcomes.slice(3)).toEqual(Array.from({ length: 5 }, () => 'left_alone'))
    nowMs += LEFT_ALONE_MS - 1
    expect(await one.ask(newQuestion())).toBeUndefined()
    expect(server.asked).toHaveLength(3)
    nowMs += 1
    await one.ask(newQuestion())
    expect(server.asked).toHaveLength(4)
    // The one that tried it found it down: it is left alone again.
    expect(await one.ask(newQuestion())).toBeUndefined()
    expect(server.asked).toHaveLength(4)
    server.respond = back
    nowMs += LEFT_ALONE_MS
    expect(await one.ask(newQuestion())).toEqual(FOUND)
    const questions = [newQuestion(), newQuestion(), newQuestion()]
    expect(await Promise.all(questions.map((each) => one.ask(each)))).toEqual([FOUND, FOUND, FOUND])
  })

  it('that is left alone costs another one nothing, nor does it count as a failure that it does not know', async () => {
    const [one, other] = [provider(), provider()]
    server.respond = answers(503, {})
    for (let i = 0; i < 4; i++) await one.ask(newQuestion())
    server.respond = answers(404, {})
    expect(await one.ask(newQuestion())).toBeUndefined()
    for (let i = 0; i < 10; i++) expect(await other.ask(newQuestion())).toEqual({ found: false })
  })

  it('is asked no more often in a minute than was said, and what it has answered counts no more', async () => {
    const one = provider({ requestsPerMinute: 3 })
    const questions = Array.from({ length: 3 }, newQuestion)
    for (const question of questions) expect(await one.ask(question)).toEqual(FOUND)
    for (const question of questions) expect(await one.ask(question)).toEqual(FOUND)
    for (let i = 0; i < 5; i++) expect(await one.ask(newQuestion())).toBeUndefined()
    expect(server.asked).toHaveLength(3)
    expect(outcomes.slice(-5)).toEqual(Array.from({ length: 5 }, () => 'too_many'))
    expect(await provider({ requestsPerMinute: 3 }).ask(newQuestion())).toEqual(FOUND)
  })

  it('that is slow is asked by so many concurrently, and by no more', async () => {
    const held: ServerResponse[] = []
    server.respond = (response) => {
      held.push(response)
    }
    const one = provider()
    const asking = Promise.all(Array.from({ length: 40 }, () => one.ask(newQuestion())))
    await eventually(() => {
      expect(held).toHaveLength(16)
      expect(outcomes).toEqual(Array.from({ length: 24 }, () => 'too_many'))
    })
    held.forEach(answers(503, {}))
    expect((await asking).every((answer) => answer === undefined)).toBe(true)
    expect(server.asked).toHaveLength(16)
  })

  it('that is slow keeps a share of what may wait, for one answer too, and all together leave the process room', async () => {
    const held: ServerResponse[] = []
    server.respond = (response) => {
      held.push(response)
    }
    const question = newQuestion()
    const slow = Array.from({ length: 4 }, () => provider())
    const asking = slow.flatMap((one) => Array.from({ length: 80 }, () => one.ask(question)))
    await eventually(() => {
      expect(held).toHaveLength(4)
    })
    expect(outcomes).toEqual(Array.from({ length: 4 * 16 }, () => 'too_many'))
    expect(await provider().ask(question)).toBeUndefined()
    server.respond = answers(200, { location: { lat: 50, lng: 10 }, accuracy: 100 })
    held.forEach(server.respond)
    const answered = (await Promise.all(asking)).filter((answer) => answer !== undefined)
    expect(answered).toEqual(Array.from({ length: 256 }, () => FOUND))
    expect(await provider().ask(question)).toEqual(FOUND)
  })
})
