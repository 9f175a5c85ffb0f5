import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MacAddress, formatMacAddress, isUsableBssid, parseMacAddress } from './mac-address.js'

const address = fc.nat({ max: 2 ** 48 - 1 })
const cases = fc.constantFrom<(text: string) => string>(
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
)

function notations(value: number): string[] {
  const hex = value.toString(16).padStart(12, '0')
  const pairs = hex.match(/../g) ?? []
  const quads = hex.match(/..../g) ?? []
  const halves = hex.match(/.{6}/g) ?? []
  const short = pairs.map((pair) => pair.replace(/^0/, ''))
  const grouped = [pairs, quads, halves, short].flatMap((groups) =>
    [':', '-', '.'].map((separator) => groups.join(separator)),
  )
  return [hex, ...grouped].flatMap((text) => [text, ` ${text}\n`, `${text} `])
}

describe('MAC address', () => {
  it('is read in every common notation and any case', () => {
    fc.assert(
      fc.property(address, cases, (value, change) => {
        for (const text of notations(value)) expect(parseMacAddress(change(text))).toBe(value)
      }),
    )
  })

  it('is written with colons, and read back', () => {
    fc.assert(
      fc.property(address, (value) => {
        expect(formatMacAddress(value)).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)
        expect(parseMacAddress(formatMacAddress(value))).toBe(value)
      }),
    )
  })

  it('is never read from other text, and nothing throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/^[0-9a-f.:-]{11,17}$/i.test(text.trim()))
        expect(parseMacAddress(text)).toBeUndefined()
      }),
    )
  })

  it.each([
    '00:1a:2b:3c:4d',
    '00:1a:2b:3c:4d:5e:6f',
    '00:1a-2b:3c-4d:5e',
    ':1a:2b:3c:4d:5e',
    '0:1a:2b:3c:4d:5e:',
    '0:1a:2b-3c:4d:5e',
    '0:1a:2b:3c:4d:05e',
    '001a2b-3c4d5',
    '001a2b--3c4d5e',
    '001a:2b3c.4d5e',
    '00:1a:2b: 3c:4d:5e',
    `${' '.repeat(100)}00:1a:2b:3c:4d:5e`,
    '00:1a:2b:3c:4d:5g',
    '',
  ])('is not read from %j', (text) => {
    expect(parseMacAddress(text)).toBeUndefined()
    expect(MacAddress.safeParse(text).success).toBe(false)
  })

  it.each([
    ['00:00:00:00:00:00', false, 'all zero'],
    ['ff:ff:ff:ff:ff:ff', false, 'broadcast'],
    ['01:00:5e:00:00:fb', false, 'multicast'],
    ['33:33:00:00:00:01', false, 'IPv6 multicast'],
    ['02:00:5e:00:00:01', true, 'locally administered'],
    ['00:1a:2b:3c:4d:5e', true, 'universally administered'],
    ['fe:ff:ff:ff:ff:ff', true, 'the largest individual address'],
  ])('%s as a BSSID: %s (%s)', (text, usable) => {
    expect(isUsableBssid(parseMacAddress(text) ?? Number.NaN)).toBe(usable)
  })
})
