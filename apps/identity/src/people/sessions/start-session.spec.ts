import { startSession } from '@bearing/contracts/identity/people/session'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { whileHeld } from '../../testing/held-row.js'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

const identity = forSuite(() => TestIdentity.connect())

const signIn = ({ email }: TestUser, password: string) => identity.call(startSession, { email, password })
const sessionsOf = ({ id: userId }: TestUser) => identity.database.session.count({ where: { userId } })

it('a session is not begun with a password that is replaced while it is asked about', async () => {
  const [user, other] = [await identity.newUser(), await identity.newUser()]
  // The new password is set, and not committed yet: the old one is found right, and then somebody has to wait.
  const outcomes = await whileHeld(
    'UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = $2) WHERE id = $1',
    [user.id, other.id],
    [() => signIn(user, user.password)],
  )
  expect(outcomes).toMatchObject([{ status: 'rejected', reason: { code: 'credential_invalid' } }])
  expect(await sessionsOf(user)).toBe(0)
  await signIn(user, other.password)
  expect(await sessionsOf(user)).toBe(1)
})
