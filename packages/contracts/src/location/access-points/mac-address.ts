import { z } from 'zod'

/** Lengths of the notations: digits alone, in three groups, in six groups. */
const NOTATIONS = { digits: 12, groupsOfFour: 14, groupsOfTwo: 17 } as const

/** Two groups of six digits; and six groups, of which some are without the zero in front. */
const HALVES = /^([\da-f]{6})[:.-]([\da-f]{6})$/i
const WITHOUT_ZEROS = /^[\da-f]{1,2}([:.-])[\da-f]{1,2}(?:\1[\da-f]{1,2}){4}$/i
/** The longest notation with blanks around it that is looked at. */
const LONGEST = 64

/**
 * Reads a MAC address in every common notation, in any case: `00:1a:2b:3c:4d:5e`, `00-1A-2B-3C-4D-5E`,
 * `00.1a.2b.3c.4d.5e`, `001a.2b3c.4d5e`, `001a-2b3c-4d5e`, `001a:2b3c:4d5e`, `001a2b-3c4d5e` (with any separator),
 * `001a2b3c4d5e`, and `0:1a:2b:3c:4d:5e` without zeros in front. One notation at a time: separators may not be mixed. Blanks
 * around it are no part of it.
 *
 * @returns the 48 bits as an integer, 0 to 2^48 − 1, or undefined where the text is not a MAC address
 */
export function parseMacAddress(text: string): number | undefined {
  return parseUsual(text) ?? (text.length <= LONGEST ? parseUnusual(text.trim()) : undefined)
}

/** In notations that few write; apart from the others, which are read for each access point of each scan. */
function parseUnusual(text: string): number | undefined {
  const halves = HALVES.exec(text)
  if (halves) return parseUsual(`${halves[1] ?? ''}${halves[2] ?? ''}`)
  const separator = WITHOUT_ZEROS.exec(text)?.[1]
  if (separator === undefined) return parseUsual(text)
  return parseUsual(
    text
      .split(separator)
      .map((digits) => digits.padStart(2, '0'))
      .join(''),
  )
}

/** Digits alone, or in groups of the same size. */
function parseUsual(text: string): number | undefined {
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

/** Returns how many digits stand between separators in a notation of this length. */
function groupOf(length: number): number | undefined {
  if (length === NOTATIONS.groupsOfTwo) return 2
  if (length === NOTATIONS.digits) return 12
  return length === NOTATIONS.groupsOfFour ? 4 : undefined
}

/** `-`, `.` or `:`. */
function isSeparator(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x3a
}

/** Returns the value of a hexadecimal digit in ASCII. */
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
 * Returns whether a MAC address can be the BSSID of an access point: not all zero, and not a group address (the lowest bit of
 * the first octet, IEEE 802-2014 §8.2.2; that includes broadcast). Locally administered addresses can: half of the
 * networks in the street have one.
 *
 * @param address 48 bits as an integer
 */
export function isUsableBssid(address: number): boolean {
  return address !== 0 && (Math.floor(address / 2 ** 40) & 1) === 0
}

export const MAC_ADDRESS_EXAMPLE = '00:1a:2b:3c:4d:5e'
/** The error for a text that is no MAC address. */
export const NOT_A_MAC_ADDRESS = `must be a MAC address, such as ${MAC_ADDRESS_EXAMPLE}`

/** A MAC address on the wire: any common notation; 48 bits as an integer once read. */
export const MacAddress = z
  .string()
  .meta({ id: 'MacAddress', example: MAC_ADDRESS_EXAMPLE })
  .transform((text, context) => {
    const address = parseMacAddress(text)
    if (address !== undefined) return address
    context.issues.push({ code: 'custom', input: text, message: NOT_A_MAC_ADDRESS })
    return z.NEVER
  })
