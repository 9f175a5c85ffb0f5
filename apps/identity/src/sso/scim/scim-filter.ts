import { scimInvalid } from './scim-error.js'

/** An attribute that has to be equal to a value. Attributes are in lower case. */
export interface Condition {
  readonly attribute: string
  readonly value: string
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/
const EQUALS = /^([\w:.$-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)(?:\s+and\s+(.+))?$/is

/**
 * Parses a filter of RFC 7644 §3.4.2.2 as providers send it: `eq`, joined by `and`.
 *
 * @throws OperationError `scim_request_invalid` (`invalidFilter`) for other filters
 */
export function parseFilter(text: string): Condition[] {
  const conditions: Condition[] = []
  for (let rest = text.trim(); rest !== '';) {
    const [, name = '', literal = '', more = ''] = EQUALS.exec(rest) ?? []
    if (name === '')
      throw scimInvalid('invalidFilter', 'Filters have the form: attribute eq "value", joined by "and".')
    conditions.push({ attribute: attributeOf(name), value: valueOf(literal) })
    rest = more.trim()
  }
  return conditions
}

/** Returns the name of an attribute in lower case, without the URN of its schema. */
export function attributeOf(name: string): string {
  return name.toLowerCase().replace(CORE, '')
}

function valueOf(literal: string): string {
  if (!literal.startsWith('"')) return literal.toLowerCase()
  try {
    return String(JSON.parse(literal))
  } catch {
    throw scimInvalid('invalidFilter', 'A text of the filter is no JSON string.')
  }
}
