import type { Principal } from '@bearing/contracts/principal'
import { describe, expect, it } from '@jest/globals'
import { decide } from './decide.js'

const NOW_MS = Date.parse('2026-01-01T00:00:00Z')
const OWN = '00000000-0000-7000-8000-00000000000a'
const OTHER = '00000000-0000-7000-8000-00000000000b'
const token = {
  kind: 'organization_token',
  credential_id: '00000000-0000-7000-8000-000000000001',
  organization_id: OWN,
  description: '',
  permissions: ['project:list'],
  expires_at: null,
} as const satisfies Principal
const bound = { ...token, allowed_addresses: ['203.0.113.0/24'] }
const wanted = { permission: 'project:list', organization_id: OWN } as const
const from = (address: string | undefined) => ({ nowMs: NOW_MS, from: { address } })

describe('a decision', () => {
  it('names the principal where it is yes, and code and reason where it is no', () => {
    expect(decide(token, wanted, from(undefined))).toEqual({ allowed: true, principal: token })
    expect(decide(token, { ...wanted, organization_id: OTHER }, from(undefined))).toEqual({
      allowed: false,
      code: 'organization_not_found',
      reason: 'There is no such organization, or the credential does not reach it.',
    })
  })

  it('is no from the very moment on at which the credential expires', () => {
    const expiring = { ...token, expires_at: new Date(NOW_MS).toISOString() }
    expect(decide(expiring, wanted, { ...from(undefined), nowMs: NOW_MS - 1 })).toMatchObject({
      allowed: true,
    })
    expect(decide(expiring, wanted, from(undefined))).toMatchObject({ code: 'credential_expired' })
  })

  it('refuses a token that is bound to addresses from other addresses and from unknown ones', () => {
    expect(decide(bound, wanted, from('203.0.113.7'))).toMatchObject({ allowed: true })
    for (const address of ['198.51.100.1', 'nonsense', '', undefined])
      expect(decide(bound, wanted, from(address))).toMatchObject({ code: 'address_not_allowed' })
    expect(decide(bound, wanted, { nowMs: NOW_MS, from: 'checked' })).toMatchObject({ allowed: true })
  })
})
