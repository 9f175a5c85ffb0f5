import { describe, expect, it } from '@jest/globals'
import { webhookHeaders, webhookSecretText } from './webhook-signature.js'

/** The example that receivers' libraries are tested with. */
const SECRET = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
const AT = new Date(1_614_265_330_999)
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const BODY = '{"test": 2432232314}'
const SIGNED = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

describe('the signature of a delivery', () => {
  it('is the one that libraries for Standard Webhooks expect', () => {
    expect(webhookHeaders(ID, AT, BODY, [SECRET])).toEqual({
      'webhook-id': ID,
      'webhook-timestamp': '1614265330',
      'webhook-signature': SIGNED,
    })
    expect(webhookSecretText(SECRET)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  })

  it('is there once for each secret', () => {
    const { 'webhook-signature': both } = webhookHeaders(ID, AT, BODY, [Buffer.alloc(32), SECRET])
    expect(both).toMatch(/^v1,\S{44} v1,\S{44}$/)
    expect(both?.split(' ')[1]).toBe(SIGNED)
  })
})
