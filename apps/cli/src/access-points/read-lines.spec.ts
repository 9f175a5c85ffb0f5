import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readLines, readPieces } from './read-lines.js'

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

it('a file without line ends does not fill the memory', async () => {
  const chunks = Array.from({ length: 64 }, () => Buffer.alloc(131_072, 'a'))
  const [line] = await linesOf(chunks)
  expect(line?.length).toBe(4 * 1_048_576)
})
