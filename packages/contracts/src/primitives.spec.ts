import { domainToASCII, domainToUnicode } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createOrganizationToken } from './identity/tokens/organization-token.js'
import { Domain } from './identity/sso/sso-domain.js'
import { LoginHost } from './identity/people/login.js'
import { changeDevice } from './management/devices/device-attribute.js'
import { readAttribute } from './management/devices/attribute-text.js'
import { Email, Name, Timestamp } from './primitives.js'

/** Every kind of name has the same rule. */
const NAMES = {
  name: Name,
  description: createOrganizationToken.input.shape.description,
  nickname: changeDevice.input.shape.nickname,
  host: LoginHost,
}

describe.each(Object.entries(NAMES))('a name for people: %s', (_, schema) => {
  it.each([
    ...['Fleet 7', 'حافلات', 'צי רכב', 'Flotte Zürich', '車両', '🚌 buses', '7', 'می\u200cخواهم', 'क्\u200dष'],
    ...[
      '👨\u200d👩\u200d👧 room',
      '👩🏽\u200d🚀',
      '🏳\ufe0f\u200d🌈',
      '❤️',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('may be in any script, with emoji: %s', (name) => {
    expect(schema.parse(name)).toBe(name)
  })

  it.each([
    ...[
      0x0a, 0x1b, 0x7f, 0x85, 0xad, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2060, 0x2066,
      0x2069,
    ],
    ...[0x115f, 0x3164, 0xffa0, 0xfeff, 0xd800, 0xdfff, 0xe0041, 0x200c, 0x200d],
  ])('contains no control and nothing invisible: U+%i', (code) => {
    const character = String.fromCodePoint(code)
    for (const name of [`7${character}7`, `Fleet ${character} 7`, `a${character}${character}b`])
      expect([name, schema.safeParse(name).success]).toEqual([name, false])
  })

  it.each([
    '\u200b',
    '\u200b\u2060',
    '\u3164',
    '\u2800',
    '\u2800 \u2800',
    '\u0301',
    '\ufe0f',
    '\u200d',
    '\u00a0',
    '',
  ])('has something to see: %j is refused', (name) => {
    expect(schema.safeParse(name).success).toBe(false)
  })
})

describe('a moment', () => {
  it.each([
    ['Python', '2026-01-31T10:00:00.123456+01:00', '2026-01-31T09:00:00.123Z'],
    ['Go', '2026-01-31T03:30:00.5-05:30', '2026-01-31T09:00:00.500Z'],
    ['.NET', '2026-01-31T10:00:00.0000000+01:00', '2026-01-31T09:00:00.000Z'],
    ['date -Is', '2026-02-01T08:00:00+23:00', '2026-01-31T09:00:00.000Z'],
    ['an unknown place', '2026-01-31T09:00:00-00:00', '2026-01-31T09:00:00.000Z'],
    ['small letters', '2026-01-31t09:00:00z', '2026-01-31T09:00:00Z'],
    ['UTC', '2026-01-31T09:00:00.123456Z', '2026-01-31T09:00:00.123456Z'],
  ])('may have an offset, as RFC 3339 says, and is read as UTC: %s', (_, sent, read) => {
    expect(Timestamp.parse(sent)).toBe(read)
    expect(readAttribute('time', sent)).toBe(new Date(read).toISOString())
  })

  it.each([
    ...[
      '2026-02-29T09:00:00Z',
      '2026-02-30T09:00:00+01:00',
      '2026-01-31T24:00:00+01:00',
      '2026-01-31T09:00:00+24:00',
    ],
    ...[
      '2026-01-31T09:00:00',
      '2026-01-31T09:00:00+0100',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
    ],
  ])('is none if the calendar, the zone or the year is none: %s', (sent) => {
    expect(Timestamp.safeParse(sent).success).toBe(false)
    expect(readAttribute('time', sent)).toBeUndefined()
  })
})

describe('an email address', () => {
  it.each([
    ...[
      'a@xn--e1afmkfd.xn--p1ai',
      'r&d@example.com',
      'a/b=c~d`e|f{g}h@example.com',
      `${'x'.repeat(64)}@example.com`,
    ],
    ...["o'hara+tag@example.com", 'a@b-c.co', `a@${'b'.repeat(63)}.com`, 'a@1.com'],
  ])('is one of RFC 5321: %s', (email) => {
    expect(Email.parse(email.toUpperCase())).toBe(email)
  })

  it.each([
    ...[
      `${'x'.repeat(65)}@example.com`,
      'a@example-.com',
      'a@-example.com',
      `a@${'b'.repeat(64)}.com`,
      'a@b',
      'a@b.1',
    ],
    ...[
      'a..b@example.com',
      '.a@example.com',
      'a.@example.com',
      '"a"@example.com',
      'a b@example.com',
      'a@b.com.',
      'ä@b.de',
    ],
    ...[
      'a@xn--.xn--',
      'a@[192.0.2.1]',
      'a@b.com\n',
      'a:b@example.com',
      'a,b@example.com',
      'a@b@c.com',
      '@b.com',
    ],
    ...[
      '\u212a@example.com',
      'a@bücher.example:80',
      'a@bücher/x.example',
      'a@１２７.0.0.1',
      'a@bü cher.example',
    ],
  ])('is not more than that: %j', (email) => {
    expect(Email.safeParse(email).success).toBe(false)
  })

  it.each([
    ['A@Bücher.example', 'a@xn--bcher-kva.example'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@FAẞ.example', 'a@xn--fa-hia.example'],
  ])('has the domain in ASCII form: %s', (written, stored) => {
    expect(Email.parse(written)).toBe(stored)
    expect(Domain.parse(written.slice(2))).toBe(stored.slice(2))
  })

  it('is one, in whichever form its domain is written', () => {
    const letters = fc.constantFrom(
      ...Array.from('abzäöüßéñçøłšžабвгдяαβγδωשבגالم日本語例え한국어'.normalize('NFC')),
    )
    const label = fc.array(letters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
    const domain = fc.tuple(label, label, fc.constant('example')).map((labels) => labels.join('.'))
    fc.assert(
      fc.property(domain, (unicode) => {
        const ascii = domainToASCII(unicode)
        fc.pre(ascii !== '' && Email.safeParse(`ada@${ascii}`).success)
        for (const written of [
          unicode,
          unicode.toUpperCase(),
          unicode.normalize('NFD'),
          domainToUnicode(ascii),
        ]) {
          // Upper case of ß is SS, which is another domain.
          if (domainToASCII(written) !== ascii) continue
          expect(Email.parse(`ada@${written}`)).toBe(`ada@${ascii}`)
          expect(Domain.parse(written)).toBe(ascii)
        }
        expect(Email.parse(`ada@${ascii}`)).toBe(`ada@${ascii}`)
      }),
    )
  })
})
