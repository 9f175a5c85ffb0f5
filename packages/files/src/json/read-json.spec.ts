import { Readable } from 'node:stream'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { NO_JSON, readJsonLines, readMembers } from './read-json.js'

const chunksOf = (text: string, length: number) => {
  const bytes = Buffer.from(text)
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
      bytes.subarray(at * length, (at + 1) * length),
    ),
  )
}

async function all(records: AsyncIterable<unknown[]>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const some of records) found.push(...some)
  return found
}

const value = fc.jsonValue({ maxDepth: 3 })

it('members are those that were written, wherever the chunks end, with anything beside them', async () => {
  const members = fc.array(value, { maxLength: 5 })
  const document = fc.record({ note: value, features: members, more: fc.record({ features: members }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom(undefined, 2),
      async (documents, length, indent) => {
        const text = documents.map((one) => `\u001e${JSON.stringify(one, null, indent)}\n`).join('')
        expect(await all(readMembers(chunksOf(text, length), 'features', 'x'))).toEqual(
          documents.flatMap(({ features }) => JSON.parse(JSON.stringify(features)) as unknown[]),
        )
      },
    ),
  )
})

it('a document without members is a record itself', async () => {
  expect(await all(readMembers(chunksOf('{"a":1} {"items":[{"b":2}]}{"c":[3]}', 5), 'items', 'x'))).toEqual([
    ...[{ a: 1 }, { b: 2 }, { c: [3] }],
  ])
})

it.each([
  ['{"items":[{"a":1}', 'x is damaged: its JSON ends early.'],
  ['{"items":[{"a":1},]}', 'x is damaged: its JSON is not valid.'],
  ['{"items":[}', 'x is damaged: its JSON is not valid.'],
  [`{"items":[{"a":"${'b'.repeat(5_000_000)}"}]}`, 'x has a record that is larger than 4 MiB.'],
])('a document that is damaged is refused: %.20s', async (text, message) => {
  await expect(all(readMembers(chunksOf(text, 65_536), 'items', 'x'))).rejects.toThrow(message)
})

it('a line that is no JSON, or too long, costs itself', async () => {
  const long = JSON.stringify({ long: 'x'.repeat(5_000_000) })
  const text = `\ufeff{"a":1}\r\n\n{"open\n\u001e[2]\n${long}\n{"c":3}\n${long}`
  expect(await all(readJsonLines(chunksOf(text, 65_536)))).toEqual([
    ...[{ a: 1 }, NO_JSON, [2], NO_JSON, { c: 3 }, NO_JSON],
  ])
})
