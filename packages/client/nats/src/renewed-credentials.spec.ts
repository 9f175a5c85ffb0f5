import { describe, expect, it } from '@jest/globals'
import type { Introspected } from '@bearing/contracts/identity/credentials/credential'
import { credentialId, ORGANIZATION, setUp, token } from './testing/slow-identity.js'

describe('a credential cache that renews', () => {
  const settle = () => new Promise(setImmediate)

  async function halfwayThrough(answer?: Introspected) {
    const { identity, cache } = setUp({ renews: true })
    const look = cache.look(token('a'))
    identity.answer(answer ?? identity.active())
    const holder = await look
    if (!holder.active) throw new Error('unreachable')
    identity.now += 15_000
    return { identity, cache, holder }
  }

  it('looks up a used credential at half of its time, with the claims that were used, for the request that used it', async () => {
    const { identity, cache, holder } = await halfwayThrough()
    for (const audience of ['location', 'management', 'identity']) {
      const fetched = cache.fetchClaims(token('a'), holder, { audience })
      identity.answer({ ...identity.active(), claims: audience } as Introspected)
      await fetched
    }
    const renewed = async () => {
      const before = identity.scopes.length
      cache.recall(token('a'), { requestId: 'of a user' })
      for (let asked = before; asked < identity.scopes.length; asked++) {
        const claims = `renewed for ${identity.scopes[asked]?.audience ?? 'nothing'}`
        identity.answer({ ...identity.active(), claims } as Introspected)
        await settle()
      }
      return identity.scopes.slice(before).map((scope) => scope?.audience)
    }
    expect(await renewed()).toEqual(['location', 'management', 'identity'])
    expect(identity.askedFor.at(-1)).toEqual({ requestId: 'of a user' })
    const after = cache.recall(token('a'))
    if (!after?.active) throw new Error('unreachable')
    expect(cache.recallClaims(after, { audience: 'management' })).toBe('renewed for management')
    identity.now += 15_000
    expect(await renewed()).toEqual(['management'])
  })

  it('ends a credential at its time if identity does not answer', async () => {
    const { identity, cache } = await halfwayThrough()
    for (let elapsedMs = 15_000; elapsedMs < 30_000; elapsedMs += 1_500) {
      expect(cache.recall(token('a'))).toMatchObject({ active: true })
      identity.answer(new Error('away'))
      await settle()
      identity.now += 1_500
    }
    expect(cache.recall(token('a'))).toBeUndefined()
  })

  it('refuses a credential as soon as identity does, for itself or for one of its claims', async () => {
    for (const refused of [0, 1]) {
      const { identity, cache, holder } = await halfwayThrough()
      for (const audience of ['location', 'management']) {
        const fetched = cache.fetchClaims(token('a'), holder, { audience })
        identity.answer(identity.active())
        await fetched
      }
      cache.recall(token('a'))
      for (let asked = 0; asked < refused; asked++) {
        identity.answer(identity.active())
        await settle()
      }
      identity.answer({ active: false, reason: 'unknown' })
      await settle()
      expect(cache.recall(token('a'))).toEqual({ active: false, reason: 'unknown' })
    }
  })

  it('asks once more, fresh, if claims are from before a change that was received meanwhile', async () => {
    const { identity, cache, holder } = await halfwayThrough()
    for (const audience of ['location', 'management']) {
      const fetched = cache.fetchClaims(token('a'), holder, { audience })
      identity.answer(identity.active())
      await fetched
    }
    cache.recall(token('a'))
    identity.answer(identity.active())
    await settle()
    cache.invalidate([`organization:${ORGANIZATION}`])
    expect(cache.recall(token('a'))).toBeUndefined()
    identity.now += 1
    identity.answer(identity.active(1, 2_000))
    await settle()
    for (let asked = 0; asked < 2; asked++) {
      expect(identity.fresh.at(-1)).toBe(true)
      identity.answer(identity.active())
      await settle()
    }
    expect(cache.recall(token('a'))).toMatchObject({ active: true, age_ms: 0 })
  })

  it('looks up no credential for which a password is hashed, and none that nobody uses', async () => {
    const user: Introspected = {
      active: true,
      age_ms: 0,
      principal: {
        kind: 'user',
        user_id: credentialId(1),
        credential_id: credentialId(1),
        email: 'somebody@example.com',
        proof: 'password',
        grants: [],
      },
    }
    const { identity, cache } = await halfwayThrough(user)
    expect(cache.recall(token('a'))).toEqual(user)
    expect(identity.asked).toHaveLength(1)
    const unused = await halfwayThrough()
    unused.identity.now += 10_000
    await settle()
    expect(unused.identity.asked).toHaveLength(1)
  })
})
