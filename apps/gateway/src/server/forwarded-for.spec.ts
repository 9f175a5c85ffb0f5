import { describe, expect, it } from '@jest/globals'
import { withoutPorts } from './http-server.js'

describe('the addresses that proxies forward for', () => {
  it.each([
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[::1]:80', '::1'],
    ['[2001:DB8::7]', '2001:DB8::7'],
    ['[::ffff:192.0.2.1]:65535', '::ffff:192.0.2.1'],
    ['1.2.3.4:5678,[::1]:80 , 10.0.0.1', '1.2.3.4, ::1, 10.0.0.1'],
  ])('come without ports: %s', (forwardedFor, addresses) => {
    expect(withoutPorts(forwardedFor)).toBe(addresses)
  })

  it.each(['1.2.3.4', '2001:db8::7', '2001:db8::7:80', 'unknown', '[nobody]:80', '1.2.3.4:x', ''])(
    'stay as they are where there is no port: %j',
    (forwardedFor) => {
      expect(withoutPorts(forwardedFor)).toBe(forwardedFor)
    },
  )
})
