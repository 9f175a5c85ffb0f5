import { Timestamp } from '../../primitives.js'
import { MAX_ATTRIBUTE_LENGTH, type AttributeType, type AttributeValue } from './device-attribute.js'

/** Error texts for a value of each type. */
export const ATTRIBUTE_FAULTS: Readonly<Record<AttributeType, string>> = {
  string: `must be a text of 1 to ${String(MAX_ATTRIBUTE_LENGTH)} characters without control characters and characters that change the direction of text`,
  number: 'must be a number, such as 12.5, and an integer within 2^53: longer ones need the type string',
  boolean: 'must be true or false',
  time: 'must be a date, or a time with Z or an offset, such as 2026-01-31T09:00:00Z',
}

/** Control characters, directional formatting and half characters: they forge lines in terminals, logs and tables. */
const REFUSED = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/**
 * Reads a value as its declared type. Texts of a query or a CSV file are read as numbers, booleans and times.
 *
 * @returns the value as it is stored, a time as `2026-01-31T09:00:00.000Z`; undefined if it is not of the type
 */
export function readAttribute(type: AttributeType, value: AttributeValue): AttributeValue | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' && isText(value) ? value : undefined
    case 'number':
      return readNumber(value)
    case 'boolean':
      if (typeof value === 'boolean') return value
      return value === 'true' ? true : value === 'false' ? false : undefined
    case 'time':
      return typeof value === 'string' ? readTime(value) : undefined
  }
}

/** Returns whether a text can be the value of an attribute. */
export function isText(text: string): boolean {
  return text !== '' && text.length <= MAX_ATTRIBUTE_LENGTH && !REFUSED.test(text)
}

function readNumber(value: AttributeValue): number | undefined {
  if (typeof value === 'number') return isExact(value) ? value : undefined
  if (typeof value !== 'string' || !/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(value)) return undefined
  const number = Number(value)
  return isExact(number) ? number : undefined
}

/** Returns whether a number is none that a double changes: infinite, or an integer beyond 2^53. */
function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
}

/** A date is its first moment in UTC. Seconds may be left out. */
function readTime(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/i.exec(text)
  if (!match) return undefined
  const [, date = '', time = '00:00', seconds = ':00', zone = 'Z'] = match
  const { success, data } = Timestamp.safeParse(`${date}T${time}${seconds}${zone}`)
  return success ? new Date(data).toISOString() : undefined
}
