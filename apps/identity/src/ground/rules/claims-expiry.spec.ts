import type { Principal } from '@bearing/contracts/principal'
import { describe, expect, it } from '@jest/globals'
import { claimsExpiry } from './claims-expiry.js'

const NOW_S = 1_800_000_000

function token(expiresInMs: number | null): Principal {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  return {
    kind: 'organization_token',
    credential_id: id,
    organization_id: id,
    description: 'CI',
    permissions: [],
    expires_at: expiresInMs === null ? null : new Date(NOW_S * 1_000 + expiresInMs).toISOString(),
  }
}

describe('the end of claims', () => {
  it.each([
    ['their lifetime', { kind: 'service', name: 'gateway' } as const, 60],
    ['their lifetime, where the credential never expires', token(null), 60],
    ['their lifetime, where the credential lasts longer', token(61_000), 60],
    ["the credential's end, where that is sooner", token(10_900), 10],
    ['one second, where the credential ends immediately', token(300), 1],
  ])('is %s', (_, principal, afterS) => {
    expect(claimsExpiry(principal, NOW_S, 60)).toBe(NOW_S + afterS)
  })
})
