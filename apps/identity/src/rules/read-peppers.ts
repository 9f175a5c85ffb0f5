import type { Pepper } from './peppers.js'

/** The fewest bytes of a pepper: as many as the hash has. */
const MIN_BYTES = 32

/**
 * Reads peppers written as `id:base64`, comma separated.
 *
 * @param told hears of every mistake; no message holds a key
 * @returns undefined where there was a mistake
 */
export function readPeppers(
  text: string,
  told: (mistake: string) => void,
): readonly [Pepper, ...Pepper[]] | undefined {
  const peppers = text.split(',').map((part, index) => readPepper(part.trim(), index + 1, told))
  const ids = peppers.map((pepper) => pepper?.id)
  const twice = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index)
  if (twice !== undefined) told(`two peppers have the id "${twice}"`)
  const [first, ...rest] = peppers.filter((pepper) => pepper !== undefined)
  return first && rest.length + 1 === peppers.length && twice === undefined ? [first, ...rest] : undefined
}

function readPepper(part: string, number: number, told: (mistake: string) => void): Pepper | undefined {
  const { id, base64 } = /^(?<id>[a-z0-9-]{1,32}):(?<base64>[A-Za-z0-9+/]+={0,2})$/.exec(part)?.groups ?? {}
  if (id === undefined || base64 === undefined) {
    told(`pepper ${String(number)} is not of the form id:base64 (id: 1 to 32 of a-z, 0-9 and "-")`)
    return undefined
  }
  const key = Buffer.from(base64, 'base64')
  if (key.length < MIN_BYTES) {
    told(`pepper "${id}" has fewer than ${String(MIN_BYTES)} bytes`)
    return undefined
  }
  return { id, key }
}
