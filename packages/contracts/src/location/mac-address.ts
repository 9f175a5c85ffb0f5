import { z } from 'zod'

/**
 * Every common notation of a MAC address, in any case: `00:1a:2b:3c:4d:5e`, `00-1A-2B-3C-4D-5E`, `001a.2b3c.4d5e`,
 * `001a-2b3c-4d5e`, `001a:2b3c:4d5e` and `001a2b3c4d5e`. One notation at a time: separators may not be mixed.
 */
const NOTATIONS =
  /^(?:[0-9a-f]{12}|[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{2}(?:\.[0-9a-f]{2}){5}|[0-9a-f]{4}([.:-])[0-9a-f]{4}\1[0-9a-f]{4})$/i

/**
 * Reads a MAC address.
 *
 * @param text any common notation, 12 to 17 characters
 * @returns the 48 bits as an integer, 0 to 2^48 − 1, or undefined where the text is not a MAC address
 */
export function parseMacAddress(text: string): number | undefined {
  if (text.length > 17 || !NOTATIONS.test(text)) return undefined
  return Number.parseInt(text.replace(/[.:-]/g, ''), 16)
}

/**
 * Writes a MAC address the usual way.
 *
 * @param address 48 bits as an integer, 0 to 2^48 − 1
 * @returns lower-case hexadecimal with colons, 17 characters
 */
export function formatMacAddress(address: number): string {
  return (address.toString(16).padStart(12, '0').match(/../g) ?? []).join(':')
}

/**
 * Whether a MAC address can be the BSSID of an access point: not all zero, and not a group address (the lowest bit of
 * the first octet, IEEE 802-2014 §8.2.2; that includes broadcast). Locally administered addresses can: half of the
 * networks in the street have one.
 *
 * @param address 48 bits as an integer
 */
export function isUsableBssid(address: number): boolean {
  return address !== 0 && (Math.floor(address / 2 ** 40) & 1) === 0
}

/** A MAC address on the wire: any common notation; 48 bits as an integer once read. */
export const MacAddress = z
  .string()
  .transform((text, context) => {
    const address = parseMacAddress(text)
    if (address === undefined) {
      context.issues.push({
        code: 'custom',
        input: text,
        message: 'must be a MAC address, such as 00:1a:2b:3c:4d:5e',
      })
      return z.NEVER
    }
    return address
  })
  .meta({ id: 'MacAddress', example: '00:1a:2b:3c:4d:5e' })
