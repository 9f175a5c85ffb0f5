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
    ['a boundary that others begin with', '--b\r\n\r\n--bc\r\n--b--', ['--bc']],
    ['the last boundary without its dashes', '--b\r\n\r\nabc\r\n--b\r\n', ['abc']],
  ])('%s', (_, body, parts) => {
    expect(split(body)).toEqual(parts)
  })

  it.each([
    ['no boundary', 'abc'],
    ['cut off', '--b\r\n\r\nabc'],
    ['nothing', ''],
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
    expect(() => split(endless, 'b', 3)).toThrow('more parts in one request than 3')
    expect(() => split(endless, 'b', 1_000)).toThrow('ends within a part')
  })
})
