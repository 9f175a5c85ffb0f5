import { randomBytes, randomUUID } from 'node:crypto'
import { newOrganization } from '@bearing/testing/factories'
import { stackForSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { newDeviceSigner, newIdentityProject } from '../tools/device-signer.js'
import { send } from '../tools/http.js'

/** The default. */
const WRONG_PER_ADDRESS = 100
const TOKENS = 100_000

const stack = stackForSuite({
  constants: { gateway: { FAILED_CREDENTIALS_PER_ADDRESS: WRONG_PER_ADDRESS } },
  environment: { gateway: { TRUSTED_PROXIES: '127.0.0.1' } },
  gateways: 1,
})

it('a flood of 100,000 tokens with unknown keys is limited by client network, and keeps no device from sending', async () => {
  const own = await newOrganization(stack)
  const device = await newDeviceSigner(own, await newIdentityProject(own))
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const chunk = async (token: string, address: string) => {
    const { status } = await send(stack.gatewayUrls[0] ?? '', 'POST', `/api/v0/chunks/${device.serial}`, {
      headers: {
        ...{ authorization: `Bearer ${token}`, 'x-forwarded-for': address },
        'content-type': 'application/octet-stream',
      },
      body: 'chunk',
    })
    return status
  }
  const [flooded, other] = ['203.0.113.7', '198.51.100.7']
  expect(await chunk(await device.sign(), flooded)).toBe(202)
  const statuses = new Map<number, number>()
  let left = TOKENS
  const work = async () => {
    while (left-- > 0) {
      const header = encode({ alg: 'ES256', kid: randomBytes(32).toString('base64url') })
      const signature = randomBytes(64).toString('base64url')
      const status = await chunk(`${header}.${encode({ sub: randomUUID() })}.${signature}`, flooded)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  // Those that are on their way when the limit is reached are still answered.
  expect(statuses.get(403)).toBeLessThanOrEqual(WRONG_PER_ADDRESS + 8)
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(TOKENS)
  expect(new Set(statuses.keys())).toEqual(new Set([403, 503]))
  // A new token of the device, from the same address and from another one.
  expect(await chunk(await device.sign(), flooded)).toBe(202)
  expect(await chunk(await device.sign(), other)).toBe(202)
})
