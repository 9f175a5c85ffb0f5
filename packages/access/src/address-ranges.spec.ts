import { describe, expect, it } from '@jest/globals'
import { isInRanges, isPublicAddress, normalizeRange } from './address-ranges.js'

describe('a range of addresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1/32'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:0:0:1::7/64', '2001:db8::/64'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
    ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ])('%s is kept as %s', (text, range) => {
    expect(normalizeRange(text)).toBe(range)
    expect(normalizeRange(range)).toBe(range)
  })

  it.each([
    ...[
      '',
      '/',
      '/8',
      'example.com',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
    ],
    ...['10.0.0', '010.0.0.1', '0x0a.0.0.1', '10.0.0.256', '10.0.0.1 ', '*'],
    ...['2001:db8::/129', '2001:db8::g', 'fe80::1%eth0', '::ffff:192.0.2.1/95', '[::1]'],
  ])('"%s" is none', (text) => {
    expect(normalizeRange(text)).toBeUndefined()
  })
})

describe('an address', () => {
  it.each([
    ['192.0.2.1', ['198.51.100.0/24', '192.0.2.0/24']],
    ['::ffff:192.0.2.1', ['192.0.2.0/24']],
    ['::FFFF:C000:0201', ['192.0.2.0/24']],
    ['2001:db8::5', ['2001:db8::/32']],
    ['fe80::1%eth0', ['fe80::/10']],
    ['127.0.0.1', ['0.0.0.0/0']],
  ])('%s lies in %j', (address, ranges) => {
    expect(isInRanges(address, ranges)).toBe(true)
  })

  it.each([
    ['192.0.3.1', ['192.0.2.0/24']],
    ['192.0.2.1', []],
    ['2001:db8::5', ['0.0.0.0/0']],
    ['192.0.2.1', ['::/0']],
    ['::ffff:192.0.2.1', ['::/0']],
    ['', ['0.0.0.0/0', '::/0']],
    ['unknown', ['0.0.0.0/0', '::/0']],
  ])('"%s" does not lie in %j', (address, ranges) => {
    expect(isInRanges(address, ranges)).toBe(false)
  })
})

describe('a public address', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '', 'localhost'],
    ...['::1', '::', '::7f00:1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
    ...['fe80::1', 'fe80::1%eth0', 'fd00::1', 'fec0::1', 'ff02::1', '4000::1'],
  ])('is not "%s"', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
