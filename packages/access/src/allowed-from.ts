import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { isInRanges } from './address-ranges.js'

/**
 * Returns whether a credential may be used from an IP address.
 *
 * @param address of the client; undefined if it is unknown, which is allowed only for credentials without IP ranges
 */
export function isAllowedFrom(principal: Principal, address: string | undefined): boolean {
  if (!isOrganizationToken(principal) || !principal.allowed_addresses) return true
  return address !== undefined && isInRanges(address, principal.allowed_addresses)
}
