/** Characters of JSON in ASCII. */
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts the items of a list without parsing it: the gateway needs no more of a batch, and parsing takes several times as long.
 *
 * @param json what is counted if it is a JSON object in UTF-8. Of other bytes the result means nothing, and no service accepts them.
 * @param field name of the list in that object, in ASCII
 * @returns undefined where it takes a parser to know: the field is missing, is there twice or is no list, or a name has an escape
 */
export function countItems(json: Uint8Array, field: Uint8Array): number | undefined {
  let depth = 0
  let items: number | undefined
  let isInList = false
  for (let at = 0; at < json.length; at++)
    switch (json[at] ?? 0) {
      case OBJECT_START:
      case LIST_START:
        depth++
        break
      case OBJECT_END:
      case LIST_END:
        depth--
        if (depth === 1) isInList = false
        break
      case COMMA:
        if (isInList && depth === 2 && items !== undefined) items++
        break
      case QUOTE: {
        const first = at + 1
        at = endOfText(json, first)
        if (depth !== 1) break
        const colon = skipBlanks(json, at + 1)
        if (json[colon] !== COLON) break
        const name = json.subarray(first, at)
        if (name.includes(BACKSLASH)) return undefined
        if (!isSame(name, field)) break
        const list = skipBlanks(json, colon + 1)
        if (items !== undefined || json[list] !== LIST_START) return undefined
        items = json[skipBlanks(json, list + 1)] === LIST_END ? 0 : 1
        isInList = true
      }
    }
  return items
}

/** Returns where the quote behind a text is; the length where there is none. */
function endOfText(json: Uint8Array, first: number): number {
  let at = first
  for (; at < json.length; at++) {
    const code = json[at]
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return at
}

function skipBlanks(json: Uint8Array, first: number): number {
  let at = first
  while (isBlank(json[at])) at++
  return at
}

function isBlank(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
