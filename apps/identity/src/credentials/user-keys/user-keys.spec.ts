import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import { cycleUserKey, deleteUserKey, showUserKey } from '@bearing/contracts/identity/people/user-key'
import { onEvent } from '@bearing/nats/events'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

describe("a user's API key", () => {
  const identity = forSuite(() => TestIdentity.connect())
  const changed: string[] = []

  beforeAll(() => {
    onEvent(
      identity.connection,
      credentialChanged,
      ({ tags }) => changed.push(...tags),
      () => undefined,
    )
  })

  const works = async ({ email }: TestUser, key: string) =>
    (await identity.introspect({ kind: 'user', email, secret: key })).active

  it('is there once it was made, and its secret is never shown again', async () => {
    const { claims } = await identity.newUser()
    await expect(identity.call(showUserKey, {}, claims)).rejects.toMatchObject({ code: 'user_key_not_found' })
    const made = await identity.call(cycleUserKey, {}, claims)
    expect(await identity.call(showUserKey, {}, claims)).toEqual({
      id: made.id,
      created_at: made.created_at,
      expires_at: null,
      second_factor: false,
      api_key: null,
    })
  })

  it('is refused once another one has replaced it, and gateways are notified', async () => {
    const user = await identity.newUser()
    const first = await identity.call(cycleUserKey, {}, user.claims)
    const second = await identity.call(cycleUserKey, {}, user.claims)
    expect(changed).toContain(`credential:${first.id}`)
    expect(await works(user, first.api_key)).toBe(false)
    expect(await works(user, second.api_key)).toBe(true)
  })

  it('is one, even when it is cycled many times concurrently', async () => {
    const user = await identity.newUser()
    const made = await Promise.all(
      Array.from({ length: 6 }, () => identity.call(cycleUserKey, {}, user.claims)),
    )
    const working = await Promise.all(made.map(({ api_key }) => works(user, api_key)))
    expect(working.filter(Boolean)).toHaveLength(1)
    const { id } = await identity.call(showUserKey, {}, user.claims)
    expect(made[working.indexOf(true)]?.id).toBe(id)
    const dead = made.filter((key) => key.id !== id).map((key) => `credential:${key.id}`)
    expect(changed).toEqual(expect.arrayContaining(dead))
  })

  it('is refused once it was deleted, and deleting it again says that there is none', async () => {
    const user = await identity.newUser()
    const key = await identity.call(cycleUserKey, {}, user.claims)
    expect(await identity.call(deleteUserKey, {}, user.claims)).toEqual({
      id: key.id,
      created_at: key.created_at,
      expires_at: null,
      second_factor: false,
    })
    expect(changed).toContain(`credential:${key.id}`)
    expect(await works(user, key.api_key)).toBe(false)
    await expect(identity.call(deleteUserKey, {}, user.claims)).rejects.toMatchObject({
      code: 'user_key_not_found',
    })
  })

  it('may cycle itself, and every change is in the audit log', async () => {
    const user = await identity.newUser()
    const { id, api_key } = await identity.call(cycleUserKey, {}, user.claims)
    const byKey = await identity.claimsOf({ kind: 'user', email: user.email, secret: api_key })
    await identity.client.call(
      cycleUserKey,
      {},
      { claims: byKey, requestId: 'request-1', clientAddress: '192.0.2.7' },
    )
    const entries = await identity.database.auditEntry.findMany({
      where: { actorUserId: user.id, action: 'user_key.cycled' },
      orderBy: { id: 'asc' },
    })
    expect(entries).toMatchObject([
      { actorCredentialId: user.id, target: `user_key:${id}` },
      { actorCredentialId: id, requestId: 'request-1', address: '192.0.2.7', organizationId: null },
    ])
  })
})
