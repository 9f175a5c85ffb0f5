import { describe, expect, it } from '@jest/globals'
import { OperationError } from '@bearing/contracts/errors'
import type { Introspected, PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { credentialId, ORGANIZATION, setUp, token } from './testing/slow-identity.js'

describe('credential cache', () => {
  it('asks once for many requests with the same credential', async () => {
    const { identity, cache } = setUp()
    const looks = [cache.look(token('a')), cache.look(token('a')), cache.look(token('a'))]
    identity.answer(identity.active())
    await Promise.all(looks)
    await cache.look(token('a'))
    expect(identity.asked).toHaveLength(1)
  })

  it('names the request that made it ask', async () => {
    const { identity, cache } = setUp()
    const looks = ['192.0.2.1', '192.0.2.2'].map((clientAddress) =>
      cache.look(token('a'), { askedFor: { clientAddress } }),
    )
    identity.answer(identity.active())
    await Promise.all(looks)
    expect(identity.askedFor).toEqual([{ clientAddress: '192.0.2.1' }])
  })

  it('lets nobody wait longer than they said, while the others keep waiting', async () => {
    const { identity, cache } = setUp()
    const patient = cache.look(token('a'))
    const hurried = cache.look(token('a'), { waitMs: 5 })
    await expect(hurried).rejects.toMatchObject({ code: 'deadline_exceeded', status: 503 })
    identity.answer(identity.active())
    expect((await patient).active).toBe(true)
    expect(identity.asked).toHaveLength(1)
  })

  it('asks again for a caller with time left when an earlier question timed out', async () => {
    const { identity, cache } = setUp()
    const first = cache.look(token('a'), { waitMs: 1_000 })
    const others = [1, 2, 3].map(() => cache.look(token('a'), { waitMs: 1_000 }))
    identity.answer(new OperationError('deadline_exceeded', 'too late'))
    await expect(first).rejects.toMatchObject({ code: 'deadline_exceeded' })
    expect(identity.asked).toHaveLength(2)
    identity.answer(identity.active())
    for (const { active } of await Promise.all(others)) expect(active).toBe(true)
  })

  it('rejects every caller immediately if identity is down', async () => {
    const { identity, cache } = setUp()
    const looks = [1, 2, 3].map(() => cache.look(token('a'), { waitMs: 1_000 }))
    identity.answer(new OperationError('service_unavailable', 'away'))
    for (const look of looks) await expect(look).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(identity.asked).toHaveLength(1)
  })

  it('counts what it had in memory and what had to be waited for', async () => {
    const { identity, cache } = setUp()
    const looks = [cache.look(token('a')), cache.look(token('a'))]
    identity.answer(identity.active())
    await Promise.all(looks)
    for (let i = 0; i < 3; i++) await cache.look(token('a'))
    await cache.look(token('malformed'))
    expect(cache.figures).toEqual({ hits: 3, misses: 2, size: 1 })
  })

  it('never caches an answer beyond its time, however often it is asked', async () => {
    const { identity, cache } = setUp()
    const first = cache.look(token('a'))
    identity.answer(identity.active())
    await first
    for (let i = 0; i < 3; i++) {
      identity.now += 9_999
      await cache.look(token('a'))
    }
    expect(identity.asked).toHaveLength(1)
    identity.now += 4
    void cache.look(token('a'))
    expect(identity.asked).toHaveLength(2)
  })

  describe('claims of a cached credential', () => {
    const scope = { audience: 'management', organization_id: ORGANIZATION }

    async function cached() {
      const { identity, cache } = setUp()
      const look = cache.look(token('a'))
      identity.answer(identity.active())
      const holder = await look
      if (!holder.active) throw new Error('unreachable')
      return { identity, cache, holder }
    }

    it('come with the credential for the service that the request is for, and are fetched once for every other', async () => {
      const { identity, cache } = setUp()
      const look = cache.look(token('a'), { askedFor: { audience: 'location' } })
      identity.answer({ ...identity.active(), claims: 'for location' } as Introspected)
      const holder = await look
      if (!holder.active) throw new Error('unreachable')
      expect(cache.recallClaims(holder, { audience: 'location' })).toBe('for location')
      expect(cache.recallClaims(holder, scope)).toBeUndefined()
      const fetches = [1, 2, 3].map(() => cache.fetchClaims(token('a'), holder, scope))
      identity.answer({ ...identity.active(), claims: 'for management' } as Introspected)
      for (const fetched of await Promise.all(fetches))
        expect(fetched).toMatchObject({ claims: 'for management' })
      expect(identity.asked).toHaveLength(2)
      expect(cache.recallClaims(holder, scope)).toBe('for management')
      expect(cache.recallClaims(holder, { audience: 'management' })).toBeUndefined()
    })

    it('are not used any more once the credential has changed', async () => {
      const { identity, cache, holder } = await cached()
      const fetched = cache.fetchClaims(token('a'), holder, scope)
      identity.answer(identity.active())
      await fetched
      cache.invalidate([`credential:${credentialId(1)}`])
      expect(cache.recall(token('a'))).toBeUndefined()
      const look = cache.look(token('a'))
      identity.answer(identity.active())
      const renewed = await look
      expect(renewed.active && cache.recallClaims(renewed, scope)).toBeUndefined()
    })

    it('are not cached if the credential changed while they were fetched', async () => {
      const { identity, cache, holder } = await cached()
      const fetched = cache.fetchClaims(token('a'), holder, scope)
      cache.invalidate([`credential:${credentialId(1)}`])
      identity.answer(identity.active())
      await fetched
      expect(cache.recallClaims(holder, scope)).toBeUndefined()
    })

    it('are asked for once more if identity answered from before a change', async () => {
      const { identity, cache, holder } = await cached()
      identity.now += 1_000
      cache.invalidate([`organization:${ORGANIZATION}`])
      identity.now += 10
      const fetched = cache.fetchClaims(token('a'), holder, scope)
      identity.answer(identity.active(1, 500))
      await new Promise(setImmediate)
      identity.answer({ active: false, reason: 'unknown' })
      expect(await fetched).toEqual({ active: false, reason: 'unknown' })
    })

    it('that identity refuses end the cached credential, before any event arrives', async () => {
      const { identity, cache, holder } = await cached()
      const fetched = cache.fetchClaims(token('a'), holder, scope)
      identity.answer({ active: false, reason: 'unknown' })
      expect(await fetched).toEqual({ active: false, reason: 'unknown' })
      expect(cache.recall(token('a'))).toBeUndefined()
    })

    it('are not used shortly before they expire', async () => {
      const { identity, cache, holder } = await cached()
      const fetched = cache.fetchClaims(token('a'), holder, scope)
      identity.answer({ ...identity.active(), claims_expire_at: identity.now / 1_000 + 10 } as Introspected)
      expect(await fetched).toMatchObject({ claims: 'claims' })
      expect(cache.recallClaims(holder, scope)).toBeUndefined()
    })
  })

  it('caches a refusal only briefly', async () => {
    const { identity, cache } = setUp()
    const look = cache.look(token('a'))
    identity.answer({ active: false, reason: 'unknown' })
    await look
    identity.now += 999
    await cache.look(token('a'))
    expect(identity.asked).toHaveLength(1)
    identity.now += 2
    void cache.look(token('a'))
    expect(identity.asked).toHaveLength(2)
  })

  it('evicts a credential by every tag that it has', async () => {
    for (const tag of [`credential:${credentialId(1)}`, `organization:${ORGANIZATION}`]) {
      const { identity, cache } = setUp()
      const look = cache.look(token('a'))
      identity.answer(identity.active())
      await look
      cache.invalidate(['credential:another', tag])
      expect(cache.figures.size).toBe(0)
    }
  })

  it('does not keep a fill that races with an invalidation', async () => {
    const { identity, cache } = setUp()
    const look = cache.look(token('a'))
    cache.invalidate([`credential:${credentialId(1)}`])
    identity.answer(identity.active())
    await look
    expect(cache.figures.size).toBe(0)
  })

  it('asks again for a caller after an invalidation, even while an older question is open', async () => {
    const { identity, cache } = setUp()
    const before = cache.look(token('a'))
    cache.invalidate([`credential:${credentialId(1)}`])
    const after = cache.look(token('a'))
    expect(identity.asked).toHaveLength(2)
    identity.answer(identity.active())
    identity.answer({ active: false, reason: 'unknown' })
    expect((await before).active).toBe(true)
    expect((await after).active).toBe(false)
    expect((await cache.look(token('a'))).active).toBe(false)
  })

  it('does not keep an answer that was under way when everything was evicted', async () => {
    const { identity, cache } = setUp()
    const look = cache.look(token('a'))
    cache.clear()
    identity.answer(identity.active())
    await look
    expect(cache.figures.size).toBe(0)
  })

  it('notices a revocation though other changes came first, while the question was open', async () => {
    const { identity, cache } = setUp()
    const look = cache.look(token('a'))
    cache.invalidate(['user:somebody-else'])
    cache.invalidate([`credential:${credentialId(1)}`])
    identity.answer(identity.active())
    await look
    expect(cache.figures.size).toBe(0)
  })

  it('notices a revocation though a fresh question has overtaken the open one', async () => {
    const { identity, cache } = setUp()
    const before = cache.look(token('a'))
    const fresh = cache.look(token('a'), { fresh: true })
    cache.invalidate([`credential:${credentialId(1)}`])
    identity.answer(identity.active())
    identity.answer(identity.active())
    await Promise.all([before, fresh])
    expect(cache.figures.size).toBe(0)
  })

  it('asks again, fresh, if the answer was cached before a change that was received', async () => {
    const { identity, cache } = setUp()
    cache.invalidate([`credential:${credentialId(1)}`])
    identity.now += 1_000
    const look = cache.look(token('a'))
    identity.answer(identity.active(1, 1_500))
    await Promise.resolve()
    await Promise.resolve()
    expect(identity.fresh).toEqual([false, true])
    identity.answer({ active: false, reason: 'unknown' })
    expect((await look).active).toBe(false)
  })

  it('believes an answer that was found out after the change, and after a change to something else', async () => {
    const { identity, cache } = setUp()
    cache.invalidate([`credential:${credentialId(1)}`])
    identity.now += 1_000
    cache.invalidate(['user:somebody-else'])
    const look = cache.look(token('a'))
    identity.answer(identity.active(1, 500))
    await look
    expect(identity.fresh).toEqual([false])
    expect(cache.figures.size).toBe(1)
  })

  it('does not keep changes for ever', () => {
    const { identity, cache } = setUp()
    for (let i = 0; i < 1_000; i++) {
      cache.invalidate([`credential:${String(i)}`])
      identity.now += 1_000
    }
    const { changedAtMs } = (
      cache as unknown as { cache: { changes: { changedAtMs: Map<string, unknown> } } }
    ).cache.changes // looks inside: a leak shows nowhere else
    expect(changedAtMs.size).toBeLessThanOrEqual(61)
  })

  it('asks again for a caller that wants a fresh answer', async () => {
    const { identity, cache } = setUp()
    const look = cache.look(token('a'))
    identity.answer(identity.active())
    await look
    void cache.look(token('a'), { fresh: true })
    expect(identity.asked).toHaveLength(2)
  })

  it('does not cache that identity could not answer', async () => {
    const { identity, cache } = setUp()
    const look = cache.look(token('a'))
    identity.answer(new Error('down'))
    await expect(look).rejects.toThrow('down')
    void cache.look(token('a'))
    expect(identity.asked).toHaveLength(2)
  })

  it('refuses what cannot be a credential without asking, and does not cache it', async () => {
    const { identity, cache } = setUp()
    expect(await cache.look(token('malformed'))).toEqual({ active: false, reason: 'malformed' })
    expect(identity.asked).toHaveLength(0)
    expect(cache.figures.size).toBe(0)
  })

  it('is not emptied of what is used by a flood of made-up credentials', async () => {
    const { identity, cache } = setUp({ maxEntries: 50 })
    const used = cache.look(token('used'))
    identity.answer(identity.active())
    await used
    for (let i = 0; i < 500; i++) {
      const madeUp = cache.look(token(String(i)))
      identity.answer({ active: false, reason: 'unknown' })
      await madeUp
    }
    const asked = identity.asked.length
    await cache.look(token('used'))
    expect(identity.asked).toHaveLength(asked)
  })

  it('knows an account by its address, however that is typed', () => {
    const { identity, cache } = setUp()
    void cache.look({ kind: 'user', email: 'ada@example.com', secret: 'x' })
    void cache.look({ kind: 'user', email: 'Ada@Example.com', secret: 'x' })
    expect(identity.asked).toHaveLength(1)
  })

  it('keeps kinds and parts apart', () => {
    const { identity, cache } = setUp()
    const alike: PresentedCredential[] = [
      { kind: 'organization_token', token: 'a' },
      { kind: 'project_key', key: 'a' },
      { kind: 'user', email: 'a', secret: 'bc' },
      { kind: 'user', email: 'ab', secret: 'c' },
      { kind: 'user', email: 'a","b', secret: 'c' },
      { kind: 'user', email: 'a', secret: 'b","c' },
    ]
    for (const credential of alike) void cache.look(credential)
    expect(identity.asked).toHaveLength(alike.length)
  })

  it('stays within its bounds, and leaves no tags behind', async () => {
    const { identity, cache } = setUp({ maxEntries: 10 })
    for (let i = 0; i < 1_000; i++) {
      const look = cache.look(token(String(i)))
      identity.answer(identity.active(i))
      await look
    }
    expect(cache.figures.size).toBeLessThanOrEqual(10)
    const tags = (cache as unknown as { cache: { entries: { keysByTag: Map<string, unknown> } } }).cache
      .entries.keysByTag // looks inside: a leak shows nowhere else
    expect(tags.size).toBeLessThanOrEqual(11)
  })
})
