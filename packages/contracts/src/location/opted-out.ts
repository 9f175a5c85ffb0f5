/**
 * Whether the owner of a network asks not to be mapped: its name ends in `_nomap`, or has `_optout` in it, in any case.
 * Such a network is neither stored nor used.
 *
 * @param ssid name of the network
 */
export function isOptedOut(ssid: string): boolean {
  return ssid.includes('_') && /_nomap"?$|_optout/i.test(ssid.trim())
}
