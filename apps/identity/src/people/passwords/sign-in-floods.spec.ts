import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'

/** Passwords that may wait. */
const WAITING = 16
/** Networks of the flood, each with one request under way: more than may wait. */
const NETWORKS = 20
/**
 * Hashes of the flood that may end while one caller waits: the running one, and one for each turn of another group. The rest is
 * for requests that are not in the queue yet, or whose response is under way. Without a fair share it would be all that wait.
 */
const MOST_HASHES_BEFORE = 8

describe('a flood of sign-ins from one IPv6 /48', () => {
  let stack: Stack
  let identity: TestIdentity
  /** Of the flood: passwords that were hashed, and requests that were not. */
  let hashed = 0
  let refused = 0
  let flooding = true
  let flood: Promise<unknown>

  beforeAll(async () => {
    stack = await startStack({
      services: ['identity'],
      gateways: 0,
      constants: {
        // A turn takes much longer than all else of a sign-in, as it does by default.
        identity: {
          PASSWORD_HASH_CONCURRENCY: 1,
          PASSWORD_HASH_MEMORY_KIB: 19_456,
          PASSWORD_HASH_SHARE: 10,
          PASSWORD_HASH_PASSES: 2,
          PASSWORD_HASH_WAITING: WAITING,
        },
      },
    })
    identity = await TestIdentity.connect(stack)
  })

  afterAll(async () => {
    flooding = false
    await flood
    await identity.close()
    await stack.stop()
  })

  const signIn = async (email: string, secret: string, clientAddress: string): Promise<string> => {
    try {
      const answer = await identity.introspect(
        { kind: 'user', email, secret },
        { clientAddress, fresh: true },
      )
      return answer.active ? 'active' : answer.reason
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  /** Others are refused as overloaded, or wait until their deadline. */
  const count = (outcome: string) => {
    if (outcome === 'unknown') hashed++
    else refused++
  }

  /** One network of the flood: a made-up account after the other. */
  const attack = async (network: number) => {
    for (let attempt = 0; flooding; attempt++) {
      const email = `nobody-${String(network)}-${String(attempt)}@example.com`
      const outcome = await signIn(email, 'a made-up password', `2001:db8:1:${network.toString(16)}::1`)
      count(outcome)
    }
  }

  it('keeps neither users who signed in from their network before nor a newcomer from another network waiting for more than a few hashes', async () => {
    const regular = await identity.newUser()
    const newcomer = await identity.newUser()
    expect(await signIn(regular.email, regular.password, '203.0.113.9')).toBe('active')
    flood = Promise.all(Array.from({ length: NETWORKS }, (_, network) => attack(network)))
    while (refused < NETWORKS) await new Promise((resolve) => setTimeout(resolve, 20))
    for (let visit = 0; visit < 3; visit++)
      for (const [user, address] of [
        [regular, '203.0.113.9'],
        [newcomer, `198.51.100.${String(visit + 1)}`],
      ] as const) {
        const before = hashed
        expect([user.email, await signIn(user.email, user.password, address)]).toEqual([user.email, 'active'])
        expect(hashed - before).toBeLessThanOrEqual(MOST_HASHES_BEFORE)
      }
  })

  it('and from many unrelated networks besides keeps neither users who signed in from their network before nor a newcomer waiting for more than a few hashes, once each of them sent a wrong password', async () => {
    const regular = await identity.newUser()
    const newcomer = await identity.newUser()
    // Each is as small as the user's own network.
    const scattered = Array.from({ length: NETWORKS }, (_, network) => `192.0.${String(network)}.1`)
    expect(await signIn(regular.email, regular.password, '203.0.113.9')).toBe('active')
    let attempt = 0
    let failed = 0
    const more = Promise.all(
      scattered.map(async (address) => {
        for (let waiting = true; flooding;) {
          const outcome = await signIn(
            `nobody-${String(attempt++)}@example.net`,
            'a made-up password',
            address,
          )
          count(outcome)
          if (waiting && outcome === 'unknown') failed++
          if (outcome === 'unknown') waiting = false
        }
      }),
    )
    while (failed < NETWORKS) await new Promise((resolve) => setTimeout(resolve, 20))
    for (let visit = 0; visit < 2; visit++)
      for (const [user, address] of [
        [regular, '203.0.113.9'],
        [newcomer, `198.51.${String(visit + 1)}.1`],
      ] as const) {
        const before = hashed
        expect([user.email, await signIn(user.email, user.password, address)]).toEqual([user.email, 'active'])
        expect(hashed - before).toBeLessThanOrEqual(MOST_HASHES_BEFORE)
      }
    flooding = false
    await more
  })
})
