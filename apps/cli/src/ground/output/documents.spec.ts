import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parse } from 'yaml'
import { documentText } from './documents.js'

const rows = [
  { slug: 'gate', tags: ['a', 'b'], note: null },
  { slug: 'dock, "east"', count: 7, note: '\u001b[2J\nnext' },
]

describe('documents', () => {
  it('of a list have a line for each item in ndjson, and a row in csv, with the names of all fields', () => {
    expect(
      documentText(rows, 'ndjson')
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(rows)
    expect(documentText(rows, 'csv').split('\n')).toEqual([
      'slug,tags,note,count',
      'gate,"[""a"",""b""]",,',
      '"dock, ""east""",,\\u001b[2J\\u000anext,7',
    ])
    expect(documentText([{ note: '=1+1', rssi: -70 }], 'csv')).toBe("note,rssi\n'=1+1,-70")
    expect(documentText([], 'ndjson')).toBe('')
    expect(documentText([], 'csv')).toBe('')
  })

  it('of one record have one line, or one row', () => {
    expect(documentText({ a: 1, b: { c: 2 } }, 'ndjson')).toBe('{"a":1,"b":{"c":2}}')
    expect(documentText({ a: 1, b: { c: 2 } }, 'csv')).toBe('a,b\n1,"{""c"":2}"')
  })

  it('in yaml are indented, and quote what YAML would read as something else', () => {
    expect(documentText(rows, 'yaml')).toBe(
      [
        '- slug: gate',
        '  tags:',
        '    - a',
        '    - b',
        '  note: null',
        '- slug: "dock, \\"east\\""',
        '  count: 7',
        '  note: "\\u001b[2J\\nnext"',
      ].join('\n'),
    )
    expect(documentText({ a: 'no', b: '1e3', c: {}, d: [], e: [[1], { f: 'x y' }] }, 'yaml')).toBe(
      ['a: "no"', 'b: "1e3"', 'c: {}', 'd: []', 'e:', '  - - 1', '  - f: x y'].join('\n'),
    )
  })

  it('in yaml and json are what they were, for any data, without characters that a terminal interprets', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const expected = JSON.parse(JSON.stringify(value)) as unknown // JSON has no -0
        const text = documentText(value, 'yaml')
        expect(parse(text)).toEqual(expected)
        expect(JSON.parse(documentText(value, 'json'))).toEqual(expected)
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})
