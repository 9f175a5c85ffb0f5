import { isOrganizationToken, type Principal } from '@bearing/contracts/principal'
import { isInRanges } from './address-ranges.js'

/**
 * Whether a principal's credential may be used from an address.
 *
 * @param address of the client, as the gateway saw it; undefined where it is not known, which only credentials that are
 *   bound to no address may be used from
 */
export function isAllowedFrom(principal: Principal, address: string | undefined): boolean {
  if (!isOrganizationToken(principal) || !principal.allowed_addresses) return true
  return address !== undefined && isInRanges(address, principal.allowed_addresses)
}
