import { randomUUID } from 'node:crypto'
import {
  REQUEST_OUTCOMES,
  type recordRequestUsage,
  type RequestOutcome,
} from '@bearing/contracts/identity/credentials/request-usage'
import type { Request } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { RequestUsage } from './request-usage.js'

type Report = Request<typeof recordRequestUsage>

const ORGANIZATION = randomUUID()
const NOON = Date.parse('2026-01-31T12:00:00Z')

const token = (credential_id = randomUUID()): Principal => ({
  kind: 'organization_token',
  credential_id,
  organization_id: ORGANIZATION,
  description: 'CI',
  permissions: [],
  expires_at: null,
})
const session = (user_id: string): Principal => ({
  kind: 'user',
  user_id,
  credential_id: randomUUID(),
  email: 'user@example.com',
  proof: 'session',
  grants: [],
})

/** Receives reports in place of identity. */
class Recorder {
  readonly received: Report[] = []
  failures = 0

  call = (_: unknown, report: Report): Promise<never> => {
    this.received.push(report)
    if (this.failures-- > 0) return Promise.reject(new Error('no reply'))
    return Promise.resolve({} as never)
  }
}

class TestUsage extends RequestUsage {
  override report(): Promise<void> {
    return super.report()
  }
}

describe('request counts', () => {
  let recorder: Recorder
  let nowMs: number
  let usage: TestUsage

  beforeEach(() => {
    recorder = new Recorder()
    nowMs = NOON
    usage = new TestUsage(
      recorder as never,
      new Clock(() => nowMs),
      { REPORT_INTERVAL_MS: 60_000 },
      createLogger('spec', 'silent'),
    )
  })

  const note = (principal: Principal, times = 1, outcome: RequestOutcome = 'ok') => {
    for (let time = 0; time < times; time++) usage.note(ORGANIZATION, principal, outcome)
  }
  const counted = () => recorder.received.flatMap(({ counts }) => counts)

  it('are added up by credential, and for all sessions of a user', async () => {
    const [first, userId] = [token(), randomUUID()]
    note(first, 3)
    note(session(userId))
    note(session(userId), 2)
    await usage.report()
    expect(counted().map(({ kind, requests }) => `${kind} ${String(requests)}`)).toEqual([
      'organization_token 3',
      'session 3',
    ])
    expect(counted()[1]).toMatchObject({ credential_id: userId, day: '2026-01-31' })
    await usage.report()
    expect(recorder.received).toHaveLength(1)
  })

  it('are divided by outcome, and denied requests are not among the authorized ones', async () => {
    const own = token()
    for (const outcome of REQUEST_OUTCOMES) note(own, 2, outcome)
    await usage.report()
    expect(counted()).toMatchObject([{ requests: 8, invalid: 2, denied: 2, limited: 2, failed: 2 }])
  })

  it('belong to the day (UTC) of the request', async () => {
    const one = token()
    nowMs = Date.parse('2026-01-31T23:59:59.999Z')
    note(one)
    nowMs++
    note(one, 2)
    await usage.report()
    await usage.report()
    expect(counted().map(({ day, requests }) => `${day} ${String(requests)}`)).toEqual([
      '2026-01-31 1',
      '2026-02-01 2',
    ])
  })

  it('that are not confirmed are reported again unchanged, and later requests after them', async () => {
    const one = token()
    note(one)
    recorder.failures = 2
    for (let time = 0; time < 2; time++) await expect(usage.report()).rejects.toThrow('no reply')
    note(one, 4)
    await usage.report()
    await usage.report()
    const [first, second, third, fourth] = recorder.received
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(fourth?.counts).toMatchObject([{ requests: 4 }])
    expect(fourth?.report_id).not.toBe(first?.report_id)
  })

  it('of more than 1,000 credentials of an organization are counted together', async () => {
    for (let number = 0; number < 1_500; number++) note(token())
    await usage.report()
    const all = counted()
    expect(all).toHaveLength(1_001)
    expect(all.find(({ kind }) => kind === 'other')).toMatchObject({ requests: 500 })
    expect(Math.max(...recorder.received.map(({ counts }) => counts.length))).toBe(500)
  })
})
