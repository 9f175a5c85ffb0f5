import { describe, expect, it } from '@jest/globals'
import { encode } from 'uqr'
import type { Format } from './documents.js'
import type { Cells } from './cells.js'
import { Output } from './output.js'
import { Secrets } from './secrets.js'

function outputTo({
  isTTY = false,
  format = 'table' as Format,
  noColor = false,
  columns = 80,
  wide = false,
}) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    columns,
    write: (text: string) => (written[name] += text),
  })
  const output = new Output(stream('stdout'), stream('stderr'), new Secrets(), {
    format,
    verbose: false,
    noColor,
    wide,
  })
  return { output, written }
}

const rows = [
  { name: 'gate', count: 7 },
  { name: 'dock', count: 1_200 },
]
const columns: Cells<(typeof rows)[number]> = { Name: 'name', Count: { right: ({ count }) => String(count) } }

describe('a table', () => {
  it('is plain where it goes into a file', () => {
    const { output, written } = outputTo({})
    output.table(rows, columns, null)
    expect(written.stdout).toBe('NAME  COUNT\ngate      7\ndock   1200\n')
  })

  it('is colored on a terminal, unless colors are unwanted', () => {
    const { output, written } = outputTo({ isTTY: true })
    output.table(rows, columns, null)
    expect(written.stdout).toContain('\u001b[2m')
    const plain = outputTo({ isTTY: true, noColor: true })
    plain.output.table(rows, columns, null)
    expect(plain.written.stdout).not.toContain('\u001b')
  })

  it('fits a terminal: long texts are cut and columns left out, unless it may be wide', () => {
    const device = {
      name: 'Forklift 7',
      note: 'on loan to the northern warehouse until May',
      state: 'seen',
      id: '0199c0de-7c1f',
    }
    const wide: Cells<typeof device> = { Id: 'id', Name: 'name', Note: 'note', State: 'state' }
    const printed = (options: Parameters<typeof outputTo>[0]) => {
      const { output, written } = outputTo({ noColor: true, ...options })
      output.table([device], wide, null)
      return written
    }
    const all = 'Forklift 7  on loan to the northern warehouse until May  seen   0199c0de-7c1f'
    expect(printed({ isTTY: false, columns: 40 }).stdout).toContain(all)
    expect(printed({ isTTY: true, columns: 40, wide: true }).stdout).toContain(all)
    expect(printed({ isTTY: true, columns: 60 }).stdout).toContain(
      'Forklift 7  on loan to the northern…  seen',
    )
    const narrow = printed({ isTTY: true, columns: 40 })
    expect(narrow.stdout).toMatch(/^ {2}NAME {8}ID\n {2}Forklift 7 {2}0199c0de-7c1f\n$/)
    expect(narrow.stderr).toBe('Not shown: NOTE, STATE (--wide shows all)\n')
  })

  it('may be long, and is as wide everywhere', () => {
    const { output, written } = outputTo({})
    const many = Array.from({ length: 1_250 }, (_, index) => ({
      name: index === 1_100 ? 'größer – 大' : 'x',
      count: index,
    }))
    output.table(many, columns, null)
    const lines = written.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(1_251)
    expect(lines[0]).toBe('NAME         COUNT')
    expect(lines[1]).toBe('x                0')
    expect(lines[1_101]).toBe('größer – 大   1100')
    expect(lines[1_250]).toBe('x             1249')
  })

  it('cannot be forged by what is in it', () => {
    const { output, written } = outputTo({ isTTY: true, noColor: true })
    output.table([{ name: '\u001b]0;owned\u0007\nroot  9', count: 1 }], columns, null)
    expect(written.stdout.split('\n')).toHaveLength(3)
    expect(written.stdout).not.toContain('\u001b')
  })

  it('is one JSON document for programs', () => {
    const { output, written } = outputTo({ format: 'json', isTTY: true })
    output.table(rows, columns, null)
    output.done('printed nowhere')
    expect(JSON.parse(written.stdout)).toEqual(rows)
    expect(written.stderr).toBe('')
  })
})

describe('a QR code', () => {
  const uri =
    'otpauth://totp/Bearing:ann%40acme.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Bearing'

  it('is on a terminal, in colors of its own, and holds what it was given', async () => {
    const { output, written } = outputTo({ isTTY: true })
    await output.qrCode(uri)
    const lines = written.stdout.trimEnd().split('\n')
    for (const line of lines) expect(line).toMatch(/^\u001b\[97;40m[█▀▄ ]+\u001b\[0m$/)
    const plain = outputTo({ isTTY: true, noColor: true })
    await plain.output.qrCode(uri)
    expect(plain.written.stdout).toBe(`${lines.map((line) => line.slice(8, -4)).join('\n')}\n`)
    expect(modulesIn(plain.written.stdout)).toEqual(encode(uri, { border: 2 }).data)
  })

  it('is neither in a file or pipe, nor in JSON, nor where it would be broken into pieces', async () => {
    for (const options of [
      { isTTY: false },
      { isTTY: true, format: 'json' as const },
      { isTTY: true, columns: 40 },
    ]) {
      const { output, written } = outputTo(options)
      await output.qrCode(uri)
      expect(written).toEqual({ stdout: '', stderr: '' })
    }
  })

  /** Returns the dark modules: each character has two, one above the other. */
  function modulesIn(text: string): boolean[][] {
    const rows = text
      .trimEnd()
      .split('\n')
      .flatMap((line) => [
        Array.from(line, (character) => '▄ '.includes(character)),
        Array.from(line, (character) => '▀ '.includes(character)),
      ])
    // The last line has one row more than the code where that has an odd number.
    return rows.slice(0, rows[0]?.length)
  }
})

it('an empty list is a hint on standard error for people, and an empty document for programs', () => {
  const people = outputTo({})
  people.output.table([], columns, 'None yet.')
  expect(people.written).toEqual({ stdout: '', stderr: 'None yet.\n' })
  for (const [format, text] of [
    ['json', '[]\n'],
    ['yaml', '[]\n'],
    ['ndjson', ''],
    ['csv', ''],
  ] as const) {
    const programs = outputTo({ format })
    programs.output.table([], columns, 'None yet.')
    expect(programs.written).toEqual({ stdout: text, stderr: '' })
  }
})
