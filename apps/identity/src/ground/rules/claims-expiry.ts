import { expiryMs } from '@bearing/access/expiry'
import type { Principal } from '@bearing/contracts/principal'

/**
 * Returns when claims expire: after their lifetime, but never later than their credential.
 *
 * @param nowS seconds since 1970
 * @param lifetimeS in seconds
 * @returns seconds since 1970, at least one after `nowS`
 */
export function claimsExpiry(principal: Principal, nowS: number, lifetimeS: number): number {
  const end = nowS + lifetimeS
  const credentialEndMs = expiryMs(principal)
  if (credentialEndMs === undefined) return end
  return Math.max(nowS + 1, Math.min(end, Math.floor(credentialEndMs / 1_000)))
}
