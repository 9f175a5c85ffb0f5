import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readCsv, type CsvOptions, type CsvRow } from './read-csv.js'

const ROWS: CsvOptions = { maxBytes: 4_096, maxLinesField: 128, hasComments: true }

async function* chunksOf(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length)
    yield await Promise.resolve(bytes.subarray(at, at + length))
}

async function read(text: string | Buffer, length = 7, options = ROWS): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const some of readCsv(chunksOf(Buffer.from(text), length), options)) rows.push(...some)
  return rows
}

const fieldsIn = async (text: string, length?: number, options?: CsvOptions) =>
  (await read(text, length, options)).map(({ fields }) => fields)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
/** A row of another address, as the name of a network can have it: 32 bytes. */
const FORGED = '0266aabbccdd,x,48.1,11.5'
const troublesome = fc
  .string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', '#', ' ', 'é', FORGED), maxLength: 12 })
  .map((text) => text.slice(0, 32))
const size = fc.integer({ min: 1, max: 60 })

describe('rows', () => {
  it('have the fields that were written, wherever the chunks end, and say on which line they end', async () => {
    const table = fc.array(fc.array(troublesome, { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n'), size, async (rows, end, length) => {
        const text = rows.map((row) => row.map(quoted).join() + end).join('')
        const found = await read(`\ufeff${text}`, length)
        expect(found.map(({ fields }) => fields)).toEqual(rows)
        expect(found.at(-1)?.line).toBe(text.split('\n').length - 1)
      }),
    )
  })

  it('may be without quotes and without an end, and empty lines and comments are none', async () => {
    expect(await read('a,b\n\n# "c\r\nd,e"f\ng', 3)).toEqual([
      { fields: ['a', 'b'], line: 1 },
      { fields: ['d', 'e"f'], line: 4 },
      { fields: ['g'], line: 5 },
    ])
  })
})

describe('a quoted line break never becomes a row', () => {
  const names = fc.array(troublesome, { minLength: 1, maxLength: 6 })
  const textOf = (list: readonly string[]) =>
    list.map((name, index) => `02:00:00:00:00:${String(index + 10)},${quoted(name)},1.5,2.5\n`).join('')
  const isOwn = (fields: readonly string[]) => /^02:00:00:00:00:1\d$/.test(fields[0] ?? '')

  it('whatever the names are', async () => {
    await fc.assert(
      fc.asyncProperty(names, size, async (list, length) => {
        expect(await fieldsIn(textOf(list), length)).toEqual(
          list.map((name, index) => [`02:00:00:00:00:${String(index + 10)}`, name, '1.5', '2.5']),
        )
      }),
    )
  })

  it('also where a file breaks off anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.nat(), size, async (list, cut, length) => {
        const whole = textOf(list)
        const text = whole.slice(0, cut % (whole.length + 1))
        for (const fields of await fieldsIn(text, length))
          if (fields && fields.length >= 3) expect([fields, isOwn(fields)]).toEqual([fields, true])
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a quote that is never closed', () => {
  const row = (name: string) =>
    `02:00:00:00:00:10,${name},[ESS],2026-01-01 10:00:00,6,-60,48.1,11.5,520,5,WIFI\n`

  it('costs its row and what begins within 128 bytes', async () => {
    const found = await fieldsIn(row('a') + row('"b') + row('c').repeat(200) + row('"d'), 1_000)
    expect(found.filter((fields) => fields === undefined)).toHaveLength(3)
    expect(found).toHaveLength(203)
  })

  it('never joins rows to one, however names begin and end', async () => {
    const odd = fc.string({ unit: fc.constantFrom('"', 'a', ' '), maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 8 }), size, async (list, length) => {
        const text = list.map((name) => row(`${name}x`)).join('')
        for (const fields of await fieldsIn(text, length))
          expect((fields ?? []).filter((field) => field.includes('\n') && field.length > 128)).toEqual([])
      }),
    )
  })
})

it('memory is bounded: a row that is too long costs itself, and so does a quote without end', async () => {
  const long = `${'x'.repeat(20_000)},y\n`
  for (const text of [long, `"${long}`, `a,"${'b\n'.repeat(3_000)}`]) {
    const found = await fieldsIn(`a,b\n${text}${'\n'.repeat(4)}${'c,d\n'.repeat(2_000)}`, 500)
    expect(found[0]).toEqual(['a', 'b'])
    expect(found.filter((fields) => fields === undefined).length).toBeGreaterThan(0)
    expect(found.at(-1)).toEqual(['c', 'd'])
  }
})
