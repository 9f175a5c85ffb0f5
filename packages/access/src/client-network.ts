import ipaddr from 'ipaddr.js'

/** Bits of an IPv6 address that a client is given as a whole: it can choose the rest for every request. */
const IPV6_BITS = 64

/**
 * What counts as one client where requests are counted by address: an IPv4 address, or the /64 of an IPv6 one. An
 * IPv4-mapped IPv6 address counts as the IPv4 address.
 *
 * @param text an address, with or without a zone
 * @returns an empty text for anything else, which all counts as one
 */
export function clientNetwork(text: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text
  const host = text.replace(/%.*$/s, '')
  if (host.length > 45 || !ipaddr.IPv6.isValid(host)) return ''
  const address = ipaddr.IPv6.parse(host)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  const [network] = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${String(IPV6_BITS)}`)
    .toString()
    .split('/')
  return `${network ?? ''}/${String(IPV6_BITS)}`
}
