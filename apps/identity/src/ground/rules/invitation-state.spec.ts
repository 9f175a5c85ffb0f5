import { describe, expect, it } from '@jest/globals'
import { invitationState } from './invitation-state.js'

describe('the state of an invitation', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
  const open = { expiresAt: at(10), acceptedAt: null, revokedAt: null }

  it('is pending until the moment it expires', () => {
    expect(invitationState(open, at(9))).toBe('pending')
    expect(invitationState(open, at(10))).toBe('expired')
  })

  it('is what ended it, whatever comes later', () => {
    expect(invitationState({ ...open, acceptedAt: at(9) }, at(11))).toBe('accepted')
    expect(invitationState({ ...open, revokedAt: at(9) }, at(11))).toBe('revoked')
    expect(invitationState({ ...open, revokedAt: at(10) }, at(11))).toBe('expired')
  })
})
