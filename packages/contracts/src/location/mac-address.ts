import { z } from 'zod'

/** Lengths of the notations: digits alone, in three groups, in six groups. */
const NOTATIONS = { digits: 12, groupsOfFour: 14, groupsOfTwo: 17 } as const

/**
 * Reads a MAC address in every common notation, in any case: `00:1a:2b:3c:4d:5e`, `00-1A-2B-3C-4D-5E`,
 * `00.1a.2b.3c.4d.5e`, `001a.2b3c.4d5e`, `001a-2b3c-4d5e`, `001a:2b3c:4d5e` and `001a2b3c4d5e`. One notation at a time:
 * separators may not be mixed.
 *
 * @param text 12, 14 or 17 characters
 * @returns the 48 bits as an integer, 0 to 2^48 − 1, or undefined where the text is not a MAC address
 */
export function parseMacAddress(text: string): number | undefined {
  const group = groupOf(text.length)
  if (group === undefined) return undefined
  const separator = text.charCodeAt(group)
  if (group < 12 && !isSeparator(separator)) return undefined
  let upper = 0
  let lower = 0
  let digits = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (index % (group + 1) === group) {
      if (code !== separator) return undefined
      continue
    }
    const digit = digitOf(code)
    if (digit === undefined) return undefined
    if (digits++ < 6) upper = upper * 16 + digit
    else lower = lower * 16 + digit
  }
  return upper * 2 ** 24 + lower
}

/** How many digits stand between separators in a notation of this length. */
function groupOf(length: number): number | undefined {
  if (length === NOTATIONS.groupsOfTwo) return 2
  if (length === NOTATIONS.digits) return 12
  return length === NOTATIONS.groupsOfFour ? 4 : undefined
}

/** `-`, `.` or `:`. */
function isSeparator(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x3a
}

/** The value of a hexadecimal digit in ASCII. */
function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
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

/** A MAC address as it is sent: any common notation. */
export const MacAddressText = z.string().meta({ id: 'MacAddress', example: '00:1a:2b:3c:4d:5e' })

/**
 * Reads a MAC address, or adds the mistake to those of what it is part of.
 *
 * @param path where it stands in what is read
 */
export function readMacAddress(
  text: string,
  context: z.RefinementCtx,
  path: readonly string[] = [],
): number | undefined {
  const address = parseMacAddress(text)
  if (address === undefined)
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'must be a MAC address, such as 00:1a:2b:3c:4d:5e',
      path: [...path],
    })
  return address
}

/** A MAC address on the wire: any common notation; 48 bits as an integer once read. */
export const MacAddress = MacAddressText.transform(
  (text, context) => readMacAddress(text, context) ?? z.NEVER,
)
