import ipaddr from 'ipaddr.js'

/** Bits of an IPv6 address that identify a client: it can choose the others for every request. */
const IPV6_BITS = 64
/** Prefixes above a client network that one customer of a network operator may own, widest first. */
const WIDER_BITS = { ipv4: [24], ipv6: [48, 56] } as const

/** An IPv4 address as it is written usually. Such a text is its own network, and to parse it takes ten times as long as to see that. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/**
 * Returns the network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. An IPv4-mapped IPv6 address
 * counts as its IPv4 address.
 *
 * @param text an IP address, with or without a zone
 * @returns an empty text for any other text
 */
export function clientNetwork(text: string): string {
  if (IPV4.test(text)) return text
  const address = parse(text)
  if (!address) return ''
  return address instanceof ipaddr.IPv4 ? address.toString() : prefixOf(address, IPV6_BITS)
}

/** Returns whether two IP addresses belong to one client network. Unknown ones do not. */
export function isSameNetwork(one: string | null | undefined, other: string | null | undefined): boolean {
  const network = clientNetwork(one ?? '')
  return network !== '' && network === clientNetwork(other ?? '')
}

/**
 * Returns the client network of an IP address and the prefixes that contain it, widest first: /24 and address for IPv4,
 * /48, /56 and /64 for IPv6. The owner of a prefix has many client networks, but only one of the widest prefixes.
 *
 * @param text an address, with or without a zone; anything else has one path
 */
export function clientNetworkPath(text: string): readonly string[] {
  const address = parse(text)
  const wider = address ? WIDER_BITS[address.kind()].map((bits) => prefixOf(address, bits)) : []
  return [...wider, clientNetwork(text)]
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  const host = text.replace(/%.*$/s, '')
  if (host.length > 45 || !ipaddr.IPv6.isValid(host)) return undefined
  const address = ipaddr.IPv6.parse(host)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function prefixOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const parser = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  return `${parser.networkAddressFromCIDR(`${address.toString()}/${String(bits)}`).toString()}/${String(bits)}`
}
