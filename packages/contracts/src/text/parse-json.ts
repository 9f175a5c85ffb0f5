/** A JSON text has a number that cannot be read as it was sent. */
export class NumberError extends Error {
  override readonly name = 'NumberError'

  /** @param pointer JSON pointer (RFC 6901) to the number */
  constructor(
    readonly pointer: string,
    message: string,
  ) {
    super(message)
  }
}

const NUMBER = /[-+\d.eE]+/y

/**
 * Parses JSON as `JSON.parse`, but changes no number: of one that no double holds (`1e400`) it would make `Infinity`, which JSON writes as null,
 * and of an integer beyond 2^53 another one.
 *
 * @param integers what is done with integers beyond 2^53 (default: `refuse`)
 * @throws NumberError for a number that no double holds, and for an integer beyond 2^53 if these are refused
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string, integers: 'refuse' | 'as_text' = 'refuse'): unknown {
  const value: unknown = JSON.parse(text)
  // Cheap: what was parsed shows whether there is such a number, and only then the text says where.
  if (!hasUnsafeNumber(value)) return value
  const changed = changedIntegers(text)
  const [first] = changed
  if (!first) return value
  if (integers === 'refuse')
    throw new NumberError(
      first.pointer,
      'must be within 2^53, or be sent as text: as a number it would change',
    )
  let quoted = ''
  let end = 0
  for (const { from, to } of changed) {
    quoted += `${text.slice(end, from)}"${text.slice(from, to)}"`
    end = to
  }
  return JSON.parse(quoted + text.slice(end)) as unknown
}

/** Returns whether a value contains a number that is infinite or beyond 2^53. */
function hasUnsafeNumber(root: unknown): boolean {
  const rest: object[] = [[root]]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    for (const part of parts)
      if (typeof part === 'number') {
        if (part > Number.MAX_SAFE_INTEGER || part < Number.MIN_SAFE_INTEGER) return true
      } else if (typeof part === 'object' && part !== null) rest.push(part)
  }
  return false
}

interface Place {
  readonly from: number
  readonly to: number
  readonly pointer: string
}

/**
 * Finds integers beyond 2^53 in a JSON text.
 *
 * @throws NumberError for a number that no double holds
 */
function changedIntegers(text: string): Place[] {
  const found: Place[] = []
  /** Path of the place: names of members, and indexes in lists. */
  const path: (string | number)[] = []
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') {
      const end = endOfString(text, at)
      if (isName) path[path.length - 1] = text.slice(at, end + 1)
      at = end
    } else if (character === '{' || character === '[') {
      path.push(character === '[' ? 0 : '')
      isName = character === '{'
    } else if (character === '}' || character === ']') {
      path.pop()
      isName = false
    } else if (character === ',') {
      const last = path.at(-1)
      isName = typeof last === 'string'
      if (typeof last === 'number') path[path.length - 1] = last + 1
    } else if (character === ':') isName = false
    else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at
      const [token = character] = NUMBER.exec(text) ?? []
      const number = Number(token)
      if (!Number.isFinite(number)) throw new NumberError(pointerOf(path), 'is too large for a number')
      if (Number.isInteger(number) && !Number.isSafeInteger(number))
        found.push({ from: at, to: at + token.length, pointer: pointerOf(path) })
      at += token.length - 1
    }
  }
  return found
}

/** Returns where a string ends: at its closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at
  }
}

function pointerOf(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? String(part) : (JSON.parse(part) as string))) // a string of the text
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}
