import { DAY_MS } from '@bearing/contracts/durations'
import { describe, expect, it } from '@jest/globals'
import { noticeOf } from './expiry-notice.js'

const CREATED_MS = Date.parse('2026-01-01T00:00:00Z')
const token = (lifeDays: number) => ({
  id: 'token',
  organizationId: 'organization',
  createdAt: new Date(CREATED_MS),
  expiresAt: new Date(CREATED_MS + lifeDays * DAY_MS),
  replacedBy: null,
  boundProjectIds: [],
})

describe('a notice of expiry', () => {
  it('says how many whole days are left, also if it comes late', () => {
    const at = (day: number) => noticeOf(token(30), 7, CREATED_MS + day * DAY_MS)?.days_left
    expect([at(23), at(23.5), at(26), at(29.9)]).toEqual([7, 7, 4, 1])
  })

  it('is not made for a token whose whole life is no longer than that', () => {
    expect(noticeOf(token(7), 7, CREATED_MS)).toBeUndefined()
    expect(noticeOf(token(7.01), 7, CREATED_MS)).toBeDefined()
    expect(noticeOf(token(3), 7, CREATED_MS)).toBeUndefined()
    expect(noticeOf(token(3), 1, CREATED_MS + 2 * DAY_MS)).toMatchObject({ days_left: 1 })
  })
})
