import { describe, expect, it } from '@jest/globals'
import { mailboxPauseMs } from './mailbox-pause.js'

const NOW = new Date('2026-01-31T12:00:00Z')
const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS)

describe('the pause before the next mail to an address that many organizations mail', () => {
  it.each([
    ['none has', { count: 0, lastAt: null }, undefined, 0],
    ['nineteen mails were sent today', { count: 19, lastAt: ago(0) }, ago(0), 0],
    ['twenty were, the last one just now', { count: 20, lastAt: ago(0) }, undefined, 10],
    ['the last of twenty was sent while this one waited', { count: 20, lastAt: ago(-0.01) }, ago(-0.01), 60],
    ['twenty were, the last one ten minutes ago', { count: 20, lastAt: ago(10) }, undefined, 0],
    ['a thousand were', { count: 1_000, lastAt: ago(1) }, undefined, 9],
    ['the organization has itself sent one of twenty', { count: 20, lastAt: ago(10) }, ago(25), 35],
    ['it has sent one an hour ago', { count: 20, lastAt: ago(3) }, ago(60), 7],
  ])('where %s', (_, mailbox, ownLastAt, minutes) => {
    expect(mailboxPauseMs(mailbox, ownLastAt, NOW)).toBe(minutes * MINUTE_MS)
  })
})
