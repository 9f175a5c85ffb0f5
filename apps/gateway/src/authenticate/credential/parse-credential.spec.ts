import { Buffer } from 'node:buffer'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseCredential } from './parse-credential.js'

const HEADERS = new Set(['service-project-key', 'x-vendor-project-key'])
const KEY = '0123456789abcdef0123456789abcdef'
const parse = (headers: readonly string[], device = false) => parseCredential(headers, HEADERS, device)
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,200}$/)
/** RFC 7617: no control characters; a user name has no ":". */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((value) => !/\p{Cc}/u.test(value))

describe('credential of a request', () => {
  it('is an organization token as Bearer, in any case of the scheme', () => {
    fc.assert(
      fc.property(token, fc.constantFrom('Bearer', 'bearer', 'BEARER'), (value, scheme) => {
        expect(parse(['Authorization', `${scheme} ${value}`])).toEqual({
          outcome: 'one',
          credential: { kind: 'organization_token', token: value },
        })
      }),
    )
  })

  it('is the session of a command line as Bearer with its prefix, and not in a cookie', () => {
    expect(parse(['Authorization', 'Bearer brgs_x'])).toEqual({
      outcome: 'one',
      credential: { kind: 'session', token: 'brgs_x' },
    })
  })

  it('is an organization token as Basic with an empty user name, whatever characters it has', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(parse(['authorization', basic(`:${value}`)])).toEqual({
          outcome: 'one',
          credential: { kind: 'organization_token', token: value },
        })
      }),
    )
  })

  it('is a user as Basic; the secret keeps every ":"', () => {
    fc.assert(
      fc.property(
        text.filter((email) => !email.includes(':')),
        text,
        text,
        (email, start, end) => {
          const secret = `${start}:${end}:`
          expect(parse(['AUTHORIZATION', basic(`${email}:${secret}`)])).toEqual({
            outcome: 'one',
            credential: { kind: 'user', email, secret },
          })
        },
      ),
    )
  })

  it.each(['Service-Project-Key', 'service-project-key', 'X-Vendor-Project-Key'])(
    'is a project key in %s',
    (name) => {
      expect(parse([name, KEY])).toEqual({ outcome: 'one', credential: { kind: 'project_key', key: KEY } })
    },
  )

  it('is not taken from headers of other names', () => {
    expect(
      parse(['X-Other-Project-Key', KEY, 'Proxy-Authorization', 'Bearer x', 'Cookie', 'token=x']),
    ).toEqual({
      outcome: 'none',
    })
  })

  it.each([
    ['two Authorization headers', ['Authorization', 'Bearer a', 'authorization', 'Bearer b']],
    ['the same Authorization twice', ['Authorization', 'Bearer a', 'Authorization', 'Bearer a']],
    ['a project key beside a token', ['Authorization', 'Bearer a', 'Service-Project-Key', KEY]],
    ['two project keys', ['Service-Project-Key', KEY, 'X-Vendor-Project-Key', KEY]],
  ])('is unclear with %s', (_, headers) => {
    expect(parse(headers)).toEqual({ outcome: 'several' })
  })

  it('is the project key on a device route, where HTTP clients add an Authorization from .netrc', () => {
    expect(parse(['Authorization', basic('netrc:login'), 'Service-Project-Key', KEY], true)).toEqual({
      outcome: 'one',
      credential: { kind: 'project_key', key: KEY },
    })
    expect(parse(['Service-Project-Key', KEY, 'X-Vendor-Project-Key', KEY], true)).toEqual({
      outcome: 'several',
    })
  })

  describe('in the session cookie', () => {
    const COOKIE = '__Host-bearing_session'
    const session = (value: string) => ({
      ...{ outcome: 'one', inCookie: true },
      credential: { kind: 'session', token: value },
    })
    /** Other cookies, well formed or not; ours is never among them. */
    const others = fc
      .array(fc.string().filter((pair) => !/[;]|__Host-bearing_session/.test(pair)))
      .map((pairs) => pairs.map((pair) => `${pair}; `).join(''))
    const cookieToken = fc.stringMatching(/^[\w.-]{1,200}$/)

    it('is found wherever it stands, and other cookies do not matter', () => {
      fc.assert(
        fc.property(others, cookieToken, others, (before, value, after) => {
          expect(parse(['Cookie', `${before}${COOKIE}=${value}; ${after}`])).toEqual(session(value))
        }),
      )
    })

    it('is unclear twice, in one header or two, and beside every other credential', () => {
      fc.assert(
        fc.property(others, cookieToken, cookieToken, (other, first, second) => {
          const cookie = ['Cookie', `${other}${COOKIE}=${first}`]
          for (const headers of [
            ['Cookie', `${COOKIE}=${first}; ${other}${COOKIE}=${second}`],
            [...cookie, 'cookie', `${COOKIE}=${second}`],
            [...cookie, 'Authorization', `Bearer ${second}`],
            ['Authorization', basic(`${first}:${second}`), ...cookie],
            ['Authorization', 'noise', ...cookie],
            [...cookie, 'Service-Project-Key', KEY],
          ])
            expect(parse(headers)).toEqual({ outcome: 'several' })
        }),
      )
    })

    it.each([
      'bearing_session',
      '__host-bearing_session',
      '__Host-Bearing_Session',
      'x__Host-bearing_session',
    ])('is not taken from a cookie named %s', (name) => {
      expect(parse(['Cookie', `${name}=x`])).toEqual({ outcome: 'none' })
    })

    it('is no credential on a device route', () => {
      const cookie = ['Cookie', `${COOKIE}=x`]
      expect(parse(cookie, true)).toEqual({ outcome: 'none' })
      expect(parse([...cookie, 'Service-Project-Key', KEY], true)).toMatchObject({
        credential: { kind: 'project_key' },
      })
    })

    it.each(['', 'a'.repeat(1_025)])('is malformed where it is empty or too long', (value) => {
      expect(parse(['Cookie', `${COOKIE}=${value}`])).toMatchObject({ outcome: 'malformed', of: 'session' })
    })
  })

  it.each([
    ['a scheme that only begins like Basic', `NotBasicAtAll ${Buffer.from('a:b').toString('base64')}`],
    ['a scheme that only ends like Basic', `XBasic ${Buffer.from('a:b').toString('base64')}`],
    ['another scheme', 'Digest username="a"'],
    ['no scheme', 'brgo_abc'],
    ['an empty header', ''],
    ['an empty bearer token', 'Bearer '],
    ['two bearer tokens', 'Bearer a b'],
    ['Basic that is not base64', 'Basic a:b'],
    ['Basic without ":"', basic('nocolon')],
    ['Basic with an empty password', basic('user@example.com:')],
    ['Basic that is not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`],
    ['Basic with a NUL', basic('user@example.com:a\0b')],
    ['Basic with a line break', basic('user@example.com:a\r\nb')],
    ['a bearer token that is too long', `Bearer ${'a'.repeat(1_025)}`],
    ['a header that is far too long', `Basic ${'a'.repeat(20_000)}`],
  ])('is malformed: %s', (_, header) => {
    expect(parse(['Authorization', header]).outcome).toBe('malformed')
  })

  it('is never found in noise, nothing throws, and no detail repeats what was sent', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (headers, device) => {
        expect(parse(headers, device).outcome).toBeDefined()
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 8 }), (noise) => {
        const presented = parse(['Authorization', noise])
        if (presented.outcome === 'malformed') expect(presented.detail).not.toContain(noise)
      }),
    )
  })
})
