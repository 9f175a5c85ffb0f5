import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Bits in front of the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96
/** Where the addresses of the public network are; the rest of IPv6 is kept or has a meaning of its own (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * A range of addresses in the one form that it is stored and shown in: CIDR, without bits after the prefix. An address
 * alone is a range of one, and an IPv4-mapped IPv6 range is one of IPv4.
 *
 * @returns undefined where the text is neither an address nor a range
 */
export function normalizeRange(text: string): string | undefined {
  const { host = '', bits: written } =
    /^(?<host>[^/]+)(?:\/(?<bits>0|[1-9]\d{0,2}))?$/.exec(text)?.groups ?? {}
  const address = parse(host)
  if (!address) return undefined
  const width = address.kind() === 'ipv4' ? 32 : 128
  const bits = written === undefined ? width : Number(written)
  if (bits > width) return undefined
  if (address.kind() === 'ipv4') return networkOf(address, bits)
  const unmapped = unmap(address)
  if (unmapped === address) return networkOf(address, bits)
  // A shorter prefix would be a range of IPv6 that somebody took for one of IPv4.
  return bits < MAPPED_BITS ? undefined : networkOf(unmapped, bits - MAPPED_BITS)
}

/**
 * Whether an address lies in one of the ranges. An IPv4-mapped IPv6 address counts as the IPv4 address that it stands
 * for: which of the two a server sees depends on the socket it listens on.
 *
 * @param text an address, with or without a zone; anything else lies in no range
 * @param ranges as {@link normalizeRange} gives them
 */
export function isInRanges(text: string, ranges: readonly string[]): boolean {
  const parsed = parse(text.replace(/%.*$/s, ''))
  if (!parsed) return false
  const address = unmap(parsed)
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}

/**
 * Whether an address is one of the public network: neither private, of this machine, of the link, nor one of the ranges
 * that only stand for others.
 *
 * @param text an address, with or without a zone; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  const parsed = parse(text.replace(/%.*$/s, ''))
  if (!parsed) return false
  const address = unmap(parsed)
  return address.range() === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(GLOBAL_UNICAST))
}

/** Strict: `010.0.0.1`, `10.1` and zones are what one program reads differently from another. */
function parse(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return /^[0-9a-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

function unmap(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function networkOf(address: Address, bits: number): string {
  const cidr = `${address.toString()}/${String(bits)}`
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${String(bits)}`
}
