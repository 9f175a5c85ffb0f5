import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TOKEN_LENGTH, TOKEN_PREFIX, formatToken, parseToken, type TokenKind } from './token-format.js'

const kind = fc.constantFrom<TokenKind>('organization_token', 'user_key')
const parts = fc.record({ kind, id: fc.uuid(), secret: fc.uint8Array({ minLength: 32, maxLength: 32 }) })

describe('token format', () => {
  it('gives back what was written', () => {
    fc.assert(
      fc.property(parts, (token) => {
        expect(parseToken(formatToken(token))).toEqual(token)
      }),
    )
  })

  it('has a fixed length and the prefix of its kind', () => {
    fc.assert(
      fc.property(parts, (token) => {
        const text = formatToken(token)
        expect(text).toHaveLength(TOKEN_LENGTH)
        expect(text).toMatch(/^brg[ou]_[0-9A-Za-z]{71}$/)
        expect(text.startsWith(TOKEN_PREFIX[token.kind])).toBe(true)
      }),
    )
  })

  it('refuses a token in which any one character was mistyped', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. é'
    fc.assert(
      fc.property(
        parts,
        fc.nat(TOKEN_LENGTH - 1),
        fc.constantFrom(...Array.from(alphabet)),
        (token, position, character) => {
          const text = formatToken(token)
          fc.pre(text.charAt(position) !== character)
          expect(parseToken(text.slice(0, position) + character + text.slice(position + 1))).toBeUndefined()
        },
      ),
    )
  })

  it('refuses a token that was cut off or has something added', () => {
    fc.assert(
      fc.property(parts, fc.nat(TOKEN_LENGTH - 1), fc.string({ minLength: 1 }), (token, length, more) => {
        const text = formatToken(token)
        expect(parseToken(text.slice(0, length))).toBeUndefined()
        expect(parseToken(text + more)).toBeUndefined()
        expect(parseToken(more + text)).toBeUndefined()
      }),
    )
  })

  it('refuses any other text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        expect(parseToken(text)).toBeUndefined()
      }),
    )
  })

  it('refuses the other kind under this prefix', () => {
    fc.assert(
      fc.property(parts, (token) => {
        const text = formatToken(token)
        const other = token.kind === 'user_key' ? TOKEN_PREFIX.organization_token : TOKEN_PREFIX.user_key
        expect(parseToken(other + text.slice(5))).toBeUndefined()
      }),
    )
  })

  it('keeps its published form', () => {
    const token = formatToken({
      kind: 'organization_token',
      id: '0190163d-8694-739b-aea5-966c26f8ad91',
      secret: new Uint8Array(32).fill(7),
    })
    expect(token).toBe('brgo_02wq5mOzTzOALmI3LYnPlJ1fJjkkpe9PiTw9KSulA8Ghct30vZz4HpdQ5c5b9cPF13rdP3A')
    expect(parseToken(token)?.id).toBe('0190163d-8694-739b-aea5-966c26f8ad91')
  })
})
