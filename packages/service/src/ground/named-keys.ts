/** A key that only a service has, under a name that is stored with what was made with it, so that it can be replaced. */
export interface NamedKey {
  readonly id: string
  readonly key: Uint8Array
}

/** The fewest bytes of a key: as many as SHA-256 gives. */
const MIN_BYTES = 32

/**
 * Reads keys written as `id:base64`, comma separated.
 *
 * @param report receives every mistake; no message contains a key
 * @returns undefined where there was a mistake
 */
export function readNamedKeys(
  text: string,
  report: (mistake: string) => void,
): readonly [NamedKey, ...NamedKey[]] | undefined {
  const keys = text.split(',').map((part, index) => readKey(part.trim(), index + 1, report))
  const ids = keys.map((key) => key?.id)
  const twice = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index)
  if (twice !== undefined) report(`two keys have the id "${twice}"`)
  const [first, ...rest] = keys.filter((key) => key !== undefined)
  return first && rest.length + 1 === keys.length && twice === undefined ? [first, ...rest] : undefined
}

function readKey(part: string, number: number, report: (mistake: string) => void): NamedKey | undefined {
  const { id, base64 } = /^(?<id>[a-z0-9-]{1,32}):(?<base64>[A-Za-z0-9+/]+={0,2})$/.exec(part)?.groups ?? {}
  if (id === undefined || base64 === undefined) {
    report(`key ${String(number)} is not of the form id:base64 (id: 1 to 32 of a-z, 0-9 and "-")`)
    return undefined
  }
  const key = Buffer.from(base64, 'base64')
  if (key.length < MIN_BYTES) {
    report(`key "${id}" has fewer than ${String(MIN_BYTES)} bytes`)
    return undefined
  }
  return { id, key }
}
