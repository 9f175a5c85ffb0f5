/**
 * Returns whether the owner of a network asks not to be mapped: its name ends in `_nomap`, or has `_optout` in it, in any case.
 * Such a network is neither stored nor used.
 *
 * @param ssid name of the network, as some drivers give it: in quotes, or filled up with blanks or zeros
 */
export function isOptedOut(ssid: string): boolean {
  return ssid.includes('_') && /_nomap"?[\s\0]*$|_optout/i.test(ssid)
}
