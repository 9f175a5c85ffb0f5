import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { splitMultipart } from './split-multipart.js'

const text = (parts: readonly Uint8Array[]) => parts.map((part) => Buffer.from(part).toString('latin1'))
const split = (body: string, boundary = 'b', atMost = 1_000) =>
  text(splitMultipart(Buffer.from(body, 'latin1'), boundary, atMost))

/** Content that has no line that a boundary could be. */
const content = fc
  .uint8Array({ minLength: 1, maxLength: 200 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))
const boundary = fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{8,70}$/)
const headers = fc.constantFrom(
  '',
  'Content-Type: application/octet-stream\r\n',
  'Content-Disposition: form-data; name="chunk"\r\n',
  'Content-Type:application/octet-stream\r\nX-Other: 1\r\n',
  'Content-Length: 0Content-Type: application/octet-stream\r\n',
)
const eol = fc.constantFrom('', ' ', '\t ')

describe('splitMultipart', () => {
  it('gives back every part as it went in, whatever its headers, the blanks and what stands around it', () => {
    fc.assert(
      fc.property(
        boundary,
        fc.array(fc.tuple(headers, content, eol), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', 'preamble\r\n', '\r\n'),
        fc.constantFrom('', '\r\n', '\r\nepilogue', 'epilogue'),
        (name, parts, before, after) => {
          fc.pre(parts.every(([, data]) => !data.includes(name)))
          const written = parts.map(([head, data, blanks]) => `--${name}${blanks}\r\n${head}\r\n${data}\r\n`)
          expect(split(`${before}${written.join('')}--${name}--${after}`, name)).toEqual(
            parts.map(([, data]) => data),
          )
        },
      ),
    )
  })

  it('believes the length of a part, so that it may hold the boundary itself', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const data = `${before}\r\n--b\r\n${after}`
        const part = `--b\r\nContent-Length: ${String(data.length)}\r\n\r\n${data}`
        expect(split(`${part}\r\n${part}\r\n--b--`)).toEqual([data, data])
      }),
    )
  })

  it('never gives more than went in, whatever that is, and never fails but as malformed', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              '--b',
              '--b--',
              '\r\n',
              '\n',
              '\r',
              'Content-Length: 5',
              'Content-Length: 99',
              ':',
              ' ',
            ),
            fc.string({ maxLength: 8 }),
          ),
          { maxLength: 30 },
        ),
        (pieces) => {
          const body = Buffer.from(pieces.join(''), 'latin1')
          try {
            const parts = splitMultipart(body, 'b', 1_000)
            expect(parts.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(body.length)
            for (const part of parts) expect(part.length).toBeGreaterThan(0)
          } catch (error) {
            expect(error).toMatchObject({ code: 'malformed_chunks' })
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['a length that is not right is not believed', '--b\r\nContent-Length: 99\r\n\r\nabc\r\n--b--', ['abc']],
    ['headers without the empty line behind them', '--b\r\nContent-Type: x\r\nabc\r\n--b--', ['abc']],
    ['no empty line, and data that only looks like a header', '--b\r\nabc:def\r\n--b--', ['abc:def']],
    [
      'no line end between data and boundary, but a length',
      '--b\r\nContent-Length: 3\r\n\r\nabc--b--',
      ['abc'],
    ],
    ['no part at all', '--b--', []],
    ['a boundary that is a header itself', '--:\r\n--:\r\n\r\nabc\r\n--:--', ['abc'], ':'],
    [
      'more lines like headers than a part can have',
      `--b\n${'a:\n'.repeat(33)}\nc\n--b--`,
      [`${'a:\n'.repeat(33)}\nc`],
    ],
    ['a boundary that others begin with', '--b\r\n\r\n--bc\r\n--b--', ['--bc']],
    ['the last boundary without its dashes', '--b\r\n\r\nabc\r\n--b\r\n', ['abc']],
  ])('%s', (_, body, parts, name = 'b') => {
    expect(split(body, name)).toEqual(parts)
  })

  it.each([
    ['no boundary', 'abc'],
    ['cut off', '--b\r\n\r\nabc'],
    ['nothing', ''],
    ['more lines of headers in a part than 32', `--b\nContent-Type: x\n${'a:\n'.repeat(32)}\nc\n--b--`],
    ['more bytes of headers than 256 KiB', `--b\nx:${'x'.repeat(150_000)}\n\nc\n`.repeat(2) + '--b--'],
  ])('refuses a body with %s', (_, body) => {
    expect(() => split(body)).toThrow(expect.objectContaining({ code: 'malformed_chunks' }))
  })

  it.each([
    ['with content', '--b\r\n\r\nx\r\n'],
    ['without', '--b\n\n'],
  ])('stops at more parts than there may be, %s, and does not look at what is behind them', (_, part) => {
    expect(split(`${part.repeat(3)}--b--`, 'b', 3)).toHaveLength(part.includes('x') ? 3 : 0)
    // Cut off, which is an error of its own where it is reached.
    const endless = part.repeat(5) + '--b\r\n\r\nx'
    expect(() => split(endless, 'b', 3)).toThrow('has more than 3 parts')
    expect(() => split(endless, 'b', 1_000)).toThrow('ends within a part')
  })

  it('takes a small constant of processor time for each byte, whatever the boundary and whatever the body repeats', () => {
    const bytes = 128 * 1024
    const plain = Buffer.alloc(bytes, 'x')
    const pass = Math.min(...Array.from({ length: 50 }, () => cpuMs(() => sum(plain))))
    const atMost = 100 * Math.max(pass, 0.05)
    const costs = (body: Buffer, name: string) =>
      cpuMs(() => {
        try {
          splitMultipart(body, name, 1_000)
        } catch {
          // Malformed bodies may not cost more than others.
        }
      })
    const measure = ({ name, pattern }: Repeated) => {
      const body = Buffer.from(pattern.repeat(Math.ceil(bytes / pattern.length)).slice(0, bytes), 'latin1')
      // The cheapest of a few: the machine is shared, and garbage is collected in some.
      for (let run = 0; run < 5; run++) if (costs(body, name) <= atMost) return
      throw new Error(`more than ${String(atMost)} ms for ${JSON.stringify({ name, pattern })}`)
    }
    measure({ name: ':', pattern: '--:\n' })
    fc.assert(fc.property(repeated, measure), { numRuns: 200 })
  })
})

interface Repeated {
  readonly name: string
  /** Repeated, it makes the body. */
  readonly pattern: string
}

/** A boundary of RFC 2046 §5.1.1, and something that may look like delimiters, headers or both. */
const repeated: fc.Arbitrary<Repeated> = fc
  .stringMatching(/^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/)
  .chain((name) =>
    fc
      .array(
        fc.oneof(
          fc.constantFrom(
            `--${name}`,
            `--${name}\n`,
            name,
            '\n',
            '\r\n',
            '-',
            ' ',
            ':',
            'a:',
            'Content-Length:',
            '1',
          ),
          fc.string({ maxLength: 4 }),
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((pieces) => ({ name, pattern: pieces.join('') || '\n' })),
  )

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function sum(bytes: Uint8Array): number {
  return bytes.reduce((total, byte) => total + byte, 0)
}
