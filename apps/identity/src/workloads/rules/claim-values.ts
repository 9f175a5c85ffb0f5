import { valueAt } from '../../ground/rules/value-at.js'

/** Characters that `*` of a value never stands for: they separate the parts of refs, subjects and paths. */
const SEPARATORS = /([/:])/

/**
 * Returns the text of a claim; undefined if there is none, or it is no single value.
 *
 * @param path name of the claim; parts of an object follow "/", and a "/" of a name is written "~1" (as in RFC 6901)
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): string | undefined {
  const value = valueAt(claims, path)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** Returns whether a value is exact: it has no `*`. */
export function isExact(pattern: string): boolean {
  return !pattern.includes('*')
}

/** Returns whether a text is a value, in which `*` stands for any characters but "/" and ":". Takes linear time for each part. */
export function matchesValue(text: string, pattern: string): boolean {
  if (isExact(pattern)) return text === pattern
  const [parts, wanted] = [text.split(SEPARATORS), pattern.split(SEPARATORS)]
  return (
    parts.length === wanted.length && wanted.every((part, index) => matchesPart(parts[index] ?? '', part))
  )
}

function matchesPart(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  let at = first.length
  const end = text.length - last.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

/** Returns whether claims are those that a trust requires. */
export function hasClaims(
  claims: Readonly<Record<string, unknown>>,
  required: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(required).every(([path, pattern]) => {
    const text = claimAt(claims, path)
    return text !== undefined && matchesValue(text, pattern)
  })
}
