import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readJsonObject } from './json-object.js'
import { joinUnread, readUnread } from './unread-input.js'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns what is read, or undefined where that is no object. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Expects the joined text to be read as the input is, but for numbers that no double holds in fields that do not count. */
function expectSame(text: string, over: Readonly<Record<string, unknown>>) {
  const input = { json: bytesOf(text), over }
  const joined = joinUnread(input)
  if (!joined) return undefined
  const read = outcomeOf(() => readJsonObject(joined, 'as_text'))
  if (read === undefined || !hasInfinite(text, Object.keys(over)))
    expect(read).toStrictEqual(outcomeOf(() => readUnread(input)))
  return joined
}

function hasInfinite(text: string, names: readonly string[]): boolean {
  const value = JSON.parse(text) as Readonly<Record<string, unknown>> // joined, it is an object
  let isFound = false
  for (const name of names)
    JSON.stringify(value[name], (_, part: unknown) => {
      isFound ||= part === Infinity || part === -Infinity
      return part
    })
  return isFound
}

const blanks = fc.stringMatching(/^[ \t\r\n]{0,2}$/)
const name = fc.constantFrom('id', 'scans', '__proto__', 'x"', '')
const object = fc.dictionary(name, fc.jsonValue())
const fields = fc.dictionary(fc.constantFrom('id', 'project_id'), fc.oneof(fc.string(), fc.integer()))

describe('the text of an input and the fields that count in its place', () => {
  it('says what the input says, for every object', () => {
    fc.assert(
      fc.property(object, fields, blanks, blanks, (value, over, inside, after) => {
        const text = JSON.stringify(value).replace(/}$/, `${inside}}${after}`)
        expect(expectSame(text, over)).toBeDefined()
      }),
    )
  })

  it('is JSON only where the input is, with any characters changed, removed or added', () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(3),
      add: fc.stringMatching(/^[{}[\]",:a1 \\]{0,3}$/),
    })
    fc.assert(
      fc.property(object, fields, fc.array(edit, { maxLength: 3 }), (value, over, edits) => {
        let text = JSON.stringify(value)
        for (const { at, remove, add } of edits) {
          const from = at % (text.length + 1)
          text = text.slice(0, from) + add + text.slice(from + remove)
        }
        expectSame(text, over)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(['', ' ', '[]', '1', '"}', '{', '}', '{}}', '{"a":{}', '{"a":1},{}', '[{}', '{,}', '{}\ufeff'])(
    'is as good as the input: %j',
    (text) => {
      expectSame(text, { id: 1 })
      expectSame(text, {})
    },
  )

  it('does not judge numbers of fields that do not count', () => {
    const joined = joinUnread({ json: bytesOf('{"id":{"a":1e400},"b":2}'), over: { id: 1 } })
    expect(readJsonObject(joined ?? bytesOf(''), 'as_text')).toEqual({ id: 1, b: 2 })
  })

  it('is not given where a field is removed', () => {
    expect(joinUnread({ json: bytesOf('{"id":1}'), over: { id: null } })).toBeUndefined()
  })
})
