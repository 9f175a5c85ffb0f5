import { describe, expect, it } from '@jest/globals'
import { sessionEnd } from './session-end.js'

describe('the end of a session', () => {
  const at = (minutes: number) => new Date(minutes * 60_000)

  it('is put off by use, but not beyond its absolute end', () => {
    expect(sessionEnd({ lastSeenAt: at(0), endsAt: at(100) }, 30 * 60_000)).toEqual(at(30))
    expect(sessionEnd({ lastSeenAt: at(60), endsAt: at(100) }, 30 * 60_000)).toEqual(at(90))
    expect(sessionEnd({ lastSeenAt: at(90), endsAt: at(100) }, 30 * 60_000)).toEqual(at(100))
  })
})
