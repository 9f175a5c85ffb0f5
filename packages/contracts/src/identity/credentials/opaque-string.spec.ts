import { expect, it } from '@jest/globals'
import { NewPassword } from '../people/password.js'
import { isOpaqueString, mapOpaque } from './opaque-string.js'

it.each([
  'correct horse battery staple',
  'pässwörter überall',
  '日本語パスワードです',
  'пароль-пароль!',
  '한국어 비밀번호입니다',
  '한국어', // as macOS spells Hangul: composed before it is judged
  'smile 😀😀😀 smile',
  'می\u200cخواهم رمز عبور',
  'क्\u200dष क्ष क्ष क्ष',
  'a\u00a0b\u3000c\u1680d no-break',
  'col·laboració',
])('a password of RFC 8265 can be set: %s', (password) => {
  expect(isOpaqueString(password)).toBe(true)
})

it.each([
  ['a control character', 'twelve\u0007letters'],
  ['a line break', 'twelve letters\n'],
  ['a tab', 'twelve\tletters'],
  ['DEL', 'twelve\u007fletters'],
  ['a lone surrogate', 'twelve\ud800letters'],
  ['a space without width', 'twelve\u200bletters'],
  ['a soft hyphen', 'twelve\u00adletters'],
  ['a byte order mark', '\ufefftwelve letters'],
  ['a variation selector', 'twelve letters \u2764\ufe0f'],
  ['a filler', 'twelve\u3164letters'],
  ['a joiner between Latin letters', 'twelve\u200dletters'],
  ['a control of direction', 'twelve\u202eletters'],
  ['a private character', 'twelve\ue000letters'],
  ['digits of two Arabic systems', 'twelve ٣۳ letters'],
])('a password with %s cannot be set: it could not be sent or typed again', (_, password) => {
  expect(isOpaqueString(password)).toBe(false)
  expect(NewPassword.safeParse(password).success).toBe(false)
})

it('passwords that differ in the kind of space or in composition are the same', () => {
  expect(mapOpaque('a\u00a0b\u1680c\u3000d')).toBe('a b c d')
  expect(mapOpaque('e\u0301')).toBe('\u00e9')
})
