import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { sanitize, toJson } from './sanitize.js'

/** Characters that a terminal acts on, apart from the line ends of our own. */
const ACTIVE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

it('nothing that a terminal acts on is left of a text', () => {
  expect(sanitize('Evil \u001b[31m\u009b2J\u202e\r\n')).toBe('Evil \\u001b[31m\\u009b2J\\u202e\\u000d\\u000a')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sanitize(text)).not.toMatch(ACTIVE)
      expect(sanitize(text)).not.toContain('\n')
    }),
  )
})

it('text of any language stays as it is', () => {
  for (const text of ['Höhenmeter', '日本語', 'עברית', '👩‍🔧']) expect(sanitize(text)).toBe(text)
})

it('a JSON document stays the same document, and harmless in a terminal', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = toJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(text).not.toMatch(ACTIVE)
    }),
  )
})
