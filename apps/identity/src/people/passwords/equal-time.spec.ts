import { randomBytes } from 'node:crypto'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'

/** Number of times that a known and an unknown account are tried, one right after the other. */
const PAIRS = 60
/**
 * If both take equally long, which one takes longer is random: fewer than 8 or more than 52 of 60 occur less than once in a billion
 * runs. If one of them skips the hash, it is 60 of 60. The result does not depend on the speed or load of the machine.
 */
const LEAST = 8

describe('a wrong password', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const known: string[] = []

  beforeAll(async () => {
    for (let i = 0; i < 6; i++) known.push((await identity.newUser()).email)
  })

  /** From an address of its own each time, so that nothing but the password is judged. */
  async function timeMs(email: string, attempt: number): Promise<number> {
    const clientAddress = `2001:db8:${String(attempt)}::1`
    const secret = randomBytes(9).toString('base64')
    const began = performance.now()
    const outcome = await identity.client.call(
      introspectCredential,
      { kind: 'user', email, secret },
      { clientAddress },
    )
    const took = performance.now() - began
    expect(outcome).toEqual({ active: false, reason: 'unknown' })
    return took
  }

  it('takes as long for an account that there is not as for one that there is, and gets the same answer', async () => {
    let longer = 0
    for (let pair = 0; pair < PAIRS; pair++) {
      const ofKnown = () => timeMs(known[pair % known.length] ?? '', pair)
      const ofUnknown = () => timeMs(`nobody-${randomBytes(6).toString('hex')}@example.com`, pair)
      // The first one may find the machine warmer or colder: each is first as often.
      const [first, second] = pair % 2 === 0 ? [ofKnown, ofUnknown] : [ofUnknown, ofKnown]
      const [firstMs, secondMs] = [await first(), await second()]
      const [knownMs, unknownMs] = pair % 2 === 0 ? [firstMs, secondMs] : [secondMs, firstMs]
      if (knownMs > unknownMs) longer++
    }
    expect(longer).toBeGreaterThanOrEqual(LEAST)
    expect(longer).toBeLessThanOrEqual(PAIRS - LEAST)
  })
})
