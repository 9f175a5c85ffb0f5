import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { NumberError, parseJson } from './parse-json.js'

function mistakeOf(text: string, integers?: 'refuse' | 'as_text'): unknown {
  try {
    return { read: parseJson(text, integers) }
  } catch (error) {
    return error instanceof NumberError ? { pointer: error.pointer, message: error.message } : 'no JSON'
  }
}

describe('a number of JSON', () => {
  it.each(['1e400', '-1e400', '1E+0400', '1.5e309', '9'.repeat(400), `${'9'.repeat(20)}e299`])(
    'that no double holds is refused, however integers are read: %s',
    (number) => {
      for (const integers of ['refuse', 'as_text'] as const)
        expect(mistakeOf(`{"policy":{"days":${number}}}`, integers)).toEqual({
          pointer: '/policy/days',
          message: expect.stringContaining('too large'),
        })
    },
  )

  it.each(['9007199254740992', '-9007199254740993', '8988303000000614227', '1e16', '9007199254740993.0'])(
    'that is an integer beyond 2^53 is refused with its place, or read as its text: %s',
    (number) => {
      const text = `{"a":"x,1e400","list":[1,{"b~/\\"":${number}}]}`
      expect(mistakeOf(text)).toEqual({
        pointer: '/list/1/b~0~1"',
        message: expect.stringContaining('sent as text'),
      })
      expect(parseJson(text, 'as_text')).toEqual({ a: 'x,1e400', list: [1, { 'b~/"': number }] })
    },
  )

  it('that a double holds is read as ever, and so is a text that looks like one', () => {
    for (const text of [
      '[9007199254740991,-9007199254740991,0.30000000000000004,1e-400,1e15,0e999]',
      '{"iccid":"8988303000000614227","other":"[1e400","\\\\":": 1e400"}',
    ])
      expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it('is never changed, wherever it is in whatever JSON', () => {
    const integer = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.string(), { maxLength: 4 }),
        integer,
        (beside, names, number) => {
          const marked = names.reduceRight<unknown>((inner, name) => ({ beside, [name]: [inner] }), '\u0001')
          const text = JSON.stringify(marked).replaceAll(JSON.stringify('\u0001'), String(number))
          const outcome = mistakeOf(text)
          if (/\d{16}|e\+/.test(JSON.stringify(beside))) return // has such a number itself
          const isSafe = Number.isSafeInteger(Number(number))
          expect(outcome).toEqual(
            isSafe
              ? { read: JSON.parse(text) as unknown }
              : { pointer: expect.any(String), message: expect.any(String) },
          )
        },
      ),
    )
  })
})
