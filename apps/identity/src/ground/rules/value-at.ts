/**
 * Returns the value of a claim; undefined if there is none.
 *
 * @param path name of the claim; parts of an object follow "/", and a "/" of a name is written "~1" (as in RFC 6901)
 */
export function valueAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = claims
  for (const name of namesOf(path)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

/** Returns the names in a path, the claim first. */
export function namesOf(path: string): string[] {
  return path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
