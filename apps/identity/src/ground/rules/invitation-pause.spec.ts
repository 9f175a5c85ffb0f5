import { describe, expect, it } from '@jest/globals'
import { invitationPauseMs } from './invitation-pause.js'

const NOW = new Date('2026-01-31T12:00:00Z')
const MINUTE_MS = 60_000
const ago = (minutes: number, sendings: number) => ({
  sentAt: new Date(NOW.getTime() - minutes * MINUTE_MS),
  sendings,
})

describe('the pause before the next mail to an address', () => {
  it.each([
    ['there was none before', [], 0],
    ['there was one just now', [ago(0, 1)], 1],
    ['there was one a minute ago', [ago(1, 1)], 0],
    ['three mails were sent, the last one a minute ago', [ago(1, 3)], 3],
    ['they were mails of several invitations', [ago(1, 2), ago(50, 1)], 3],
    ['there were a thousand', [ago(0, 1_000)], 24 * 60],
    ['the clock was turned back', [ago(-5, 1)], 6],
  ])('where %s', (_, before, minutes) => {
    expect(invitationPauseMs(before, NOW)).toBe(minutes * MINUTE_MS)
  })
})
