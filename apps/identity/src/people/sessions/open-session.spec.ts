import { randomBytes, randomUUID } from 'node:crypto'
import { startSession } from '@bearing/contracts/identity/people/session'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

/** The most sessions of a user. */
const MOST = 50

describe('a sign-in', () => {
  const identity = forSuite(() => TestIdentity.connect())

  const signIn = async ({ email, password }: TestUser, replaces?: string) =>
    (await identity.call(startSession, { email, password, replaces })).session_token ?? ''
  const isActive = async (token: string) => (await identity.introspect({ kind: 'session', token })).active

  it("that ends the browser's session of somebody else, and the oldest of its own user, ends both immediately", async () => {
    const [user, other] = [await identity.newUser(), await identity.newUser()]
    const [oldest, replaced] = [await signIn(user), await signIn(other)]
    const now = Date.now()
    await identity.database.session.createMany({
      data: Array.from({ length: MOST - 1 }, () => ({
        id: randomUUID(),
        userId: user.id,
        secretHash: new Uint8Array(randomBytes(32)),
        pepperId: 'x',
        createdAt: new Date(now + 1_000),
        lastSeenAt: new Date(now),
        endsAt: new Date(now + 3_600_000),
        methods: ['pwd'],
      })),
    })
    // From here on identity has cached both.
    expect([await isActive(oldest), await isActive(replaced)]).toEqual([true, true])
    const opened = await signIn(user, replaced)
    expect([await isActive(oldest), await isActive(replaced), await isActive(opened)]).toEqual([
      false,
      false,
      true,
    ])
    expect(await identity.database.session.count({ where: { userId: user.id } })).toBe(MOST)
  })
})
