import { describe, expect, it } from '@jest/globals'
import { clientNetwork, clientNetworkPath } from './client-network.js'

describe('what counts as one client', () => {
  it('is an IPv4 address, however the socket writes it', () => {
    for (const text of ['192.0.2.7', '0.0.0.0', '1.20.199.249', '255.255.255.255'])
      expect(clientNetwork(text)).toBe(text)
    expect(clientNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(clientNetwork('192.0.2.7')).not.toBe(clientNetwork('192.0.2.8'))
  })

  it('is the /64 of an IPv6 address', () => {
    expect(clientNetwork('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(clientNetwork('2001:DB8:1:2::1%eth0')).toBe('2001:db8:1:2::/64')
    expect(clientNetwork('2001:db8:1:3::1')).not.toBe(clientNetwork('2001:db8:1:2::1'))
  })

  it.each([
    '',
    'unix:',
    '192.0.2',
    '010.0.0.1',
    '256.0.0.1',
    '1.2.3.4.5',
    '1.2.3.4.',
    '1.2.3.4\n',
    '1'.repeat(100),
    'a\0b',
  ])('is nobody for %j', (text) => {
    expect(clientNetwork(text)).toBe('')
  })
})

describe('the path of an IP address', () => {
  it('contains the prefixes that one customer may own, widest first', () => {
    expect(clientNetworkPath('192.0.2.7')).toEqual(['192.0.2.0/24', '192.0.2.7'])
    expect(clientNetworkPath('::ffff:192.0.2.7')).toEqual(['192.0.2.0/24', '192.0.2.7'])
    expect(clientNetworkPath('2001:db8:1:203:4::5')).toEqual([
      '2001:db8:1::/48',
      '2001:db8:1:200::/56',
      '2001:db8:1:203::/64',
    ])
  })

  it('is one for everything that is no IP address', () => {
    expect(clientNetworkPath('unix:')).toEqual(clientNetworkPath(''))
  })
})
