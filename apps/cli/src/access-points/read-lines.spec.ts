import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { NO_RECORD } from '@bearing/client/access-point-files/cut-members'
import { readLines, readReports } from '@bearing/client/access-point-files/read-lines'
import { readPieces } from './read-pieces.js'

async function linesOf(chunks: Buffer[]): Promise<string[]> {
  const lines: string[] = []
  for await (const piece of readLines(readPieces(asynchronous(chunks)))) lines.push(...piece)
  return lines
}

async function* asynchronous(chunks: Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}

it('lines do not depend on where the chunks end', async () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', ' '), minLength: 1 }), {
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 9 }),
      async (texts, end, length) => {
        const bytes = Buffer.from(texts.join(end) + end)
        const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
          bytes.subarray(at * length, (at + 1) * length),
        )
        expect(await linesOf(chunks)).toEqual(texts)
      },
    ),
  )
})

it('a byte order mark is no part of the first line', async () => {
  expect(await linesOf([Buffer.from('\ufeffbssid,lat'), Buffer.from(',lon\nx')])).toEqual([
    'bssid,lat,lon',
    'x',
  ])
})

describe('a line that is too long', () => {
  const long = 'x'.repeat(4 * 1_048_576 + 1)

  it.each([1_048_576, 65_536, 3_000_000])(
    'is no record, whatever it ends with (pieces of %i)',
    async (bytes) => {
      const text = Buffer.from(`a\n${long}\r\nb\n${long}`)
      const chunks = Array.from({ length: Math.ceil(text.length / bytes) }, (_, at) =>
        text.subarray(at * bytes, (at + 1) * bytes),
      )
      expect(await linesOf(chunks)).toEqual(['a', NO_RECORD, 'b', NO_RECORD])
    },
  )

  it('of many reports is cut into them, and what is none of them is one record', async () => {
    const items = Array.from({ length: 40_000 }, (_, id) => ({
      id,
      note: 'a } ] \\ " { of some length'.repeat(4),
    }))
    const whole = JSON.stringify({ items })
    const lines = ['{"id":1}', whole, '{"id":2}', whole.slice(0, -20), `${whole}x`, '{"id":3}']
    const read = async (bytes: number) => {
      const text = lines.join('\n')
      const pieces = function* () {
        for (let at = 0; at < text.length; at += bytes) yield text.slice(at, at + bytes)
      }
      const records: string[] = []
      for await (const some of readReports(Readable.from(pieces()))) records.push(...some)
      return records
    }
    const records = await read(65_536)
    const texts = items.map((item) => JSON.stringify(item))
    expect(records).toHaveLength(3 * texts.length + 4)
    expect(records[0]).toBe('{"id":1}')
    expect(records.slice(1, texts.length + 2)).toEqual([...texts, '{"id":2}'])
    expect(records.slice(-3)).toEqual([texts.at(-1), NO_RECORD, '{"id":3}'])
    expect(records.filter((record) => record === NO_RECORD)).toHaveLength(2)
    expect(await read(999_983)).toEqual(records)
  })
})
