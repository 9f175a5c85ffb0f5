import { Buffer } from 'node:buffer'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { countItems } from './count-items.js'

const FIELD = Buffer.from('scans')
const count = (json: string) => countItems(Buffer.from(json), FIELD)
/** Any JSON value, with blanks wherever JSON allows them. */
const spaced = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 1, '\t', '\r\n '))
  .map(([value, blanks]) => JSON.stringify(value, null, blanks))
const name = fc.oneof(
  fc.constantFrom('"scans"', '"scan"', '"scanss"', '"sc\\u0061ns"', '"\\"scans"', '"a,b"'),
  fc.json({ maxDepth: 0 }).filter((text) => text.startsWith('"')),
)
/** An object that may have the field several times, or under a name with an escape. */
const object = fc
  .array(
    fc.tuple(
      name,
      fc.oneof(
        spaced,
        fc.array(spaced).map((items) => `[ ${items.join(' ,')}\n]`),
      ),
    ),
  )
  .map((fields) => `{ ${fields.map(([key, value]) => `${key} : ${value}`).join(',\n')} }`)

/** Expects the count of the parser, or nothing. */
function expectSame(json: string): number | undefined {
  const counted = count(json)
  if (counted === undefined) return undefined
  const { scans } = JSON.parse(json) as { scans: unknown }
  expect(scans).toHaveLength(counted)
  expect(Array.isArray(scans)).toBe(true)
  return counted
}

describe('the items of a list', () => {
  it('are as many as the parser finds, or it is left to the parser', () => {
    fc.assert(
      fc.property(object, (json) => {
        expectSame(json)
      }),
      { numRuns: 500 },
    )
  })

  it('are counted if the field is there once', () => {
    fc.assert(
      fc.property(fc.array(spaced, { maxLength: 5 }), spaced, (items, other) => {
        const json = `{"other":${other},"scans":[${items.join(',')}],"more":${other}}`
        expect(expectSame(json)).toBe(items.length)
      }),
    )
  })

  it.each([
    ['no field', '{}'],
    ['a field that is no list', '{"scans":{"scans":[1]}}'],
    ['a field that is there twice', '{"scans":[1],"scans":[1,2]}'],
    ['a field whose name may be written with an escape', '{"sc\\u0061ns":[1]}'],
    ['a list that is in another field', '{"other":{"scans":[1]}}'],
    ['no object', '["scans",[1]]'],
    ['no bytes', ''],
  ])('are left to the parser for %s', (_, json) => {
    expect(count(json)).toBeUndefined()
  })

  it('of any bytes are counted without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array(), object, fc.nat(), (bytes, json, at) => {
        countItems(bytes, FIELD)
        count(json.slice(0, at % (json.length + 1)))
      }),
    )
  })
})
