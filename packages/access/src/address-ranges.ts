import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Bits in front of the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). */
const MAPPED_BITS = 96
/** Public IPv6 addresses (RFC 4291 §2.4). The others are reserved or have a special meaning. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Converts an IP address or range to its canonical form: CIDR, without bits after the prefix. An IPv4-mapped IPv6 range becomes
 * one of IPv4.
 *
 * @returns undefined if the text is neither an address nor a range
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
  // A shorter prefix covers IPv6 addresses too, which its author did not expect.
  return bits < MAPPED_BITS ? undefined : networkOf(unmapped, bits - MAPPED_BITS)
}

/**
 * Returns whether an IP address is in one of the ranges. An IPv4-mapped IPv6 address counts as its IPv4 address: which of the
 * two a server sees depends on its socket.
 *
 * @param text an IP address, with or without a zone
 * @param ranges from {@link normalizeRange}
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
 * Returns whether a range is within one of the others.
 *
 * @param range from {@link normalizeRange}
 * @param ranges from {@link normalizeRange}
 */
export function isRangeWithin(range: string, ranges: readonly string[]): boolean {
  const [address, bits] = ipaddr.parseCIDR(range)
  return ranges.some((wider) => {
    const [network, prefix] = ipaddr.parseCIDR(wider)
    return network.kind() === address.kind() && prefix <= bits && address.match(network, prefix)
  })
}

/**
 * Returns whether an IP address is public: not private, loopback, link-local or reserved.
 *
 * @param text an IP address, with or without a zone
 */
export function isPublicAddress(text: string): boolean {
  const parsed = parse(text.replace(/%.*$/s, ''))
  if (!parsed) return false
  const address = unmap(parsed)
  return address.range() === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(GLOBAL_UNICAST))
}

/** Strict: programs read `010.0.0.1`, `10.1` and zones differently. */
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
