import { describe, expect, it } from '@jest/globals'
import { OperationError } from '@bearing/contracts/errors'
import { RemoteCache, type RemoteCacheOptions } from './remote-cache.js'

/** A reply of the owner of the values: the version of a key when the fetch arrived there. */
interface Versioned {
  readonly key: string
  readonly version: number
  readonly atMs: number
}

/** A seeded generator (mulberry32), so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** A service with a clock, whose replies arrive when the test says so. */
class SlowOwner {
  nowMs = 0
  readonly versions = new Map<string, number>()
  readonly open: { readonly key: string; readonly end: (fails: boolean) => void }[] = []
  fetches = 0

  versionOf(key: string): number {
    return this.versions.get(key) ?? 0
  }

  readonly fetch = (key: string) => (): Promise<Versioned> => {
    this.fetches++
    const value = { key, version: this.versionOf(key), atMs: this.nowMs }
    return new Promise((resolve, reject) => {
      this.open.push({
        key,
        end: (fails) => {
          if (fails) reject(new Error('unavailable'))
          else resolve(value)
        },
      })
    })
  }

  /** Answers the oldest fetch. */
  reply(fails = false): void {
    this.open.shift()?.end(fails)
  }
}

function setUp(options: Partial<RemoteCacheOptions<Versioned>> = {}) {
  const owner = new SlowOwner()
  const cache = new RemoteCache<Versioned>({
    maxEntries: 100,
    freshMs: () => 1_000,
    elapsed: () => owner.nowMs,
    ...options,
  })
  const get = (key: string, lookup = {}) => cache.get(key, owner.fetch(key), lookup)
  const filled = async (key: string) => {
    const value = get(key)
    owner.reply()
    return value
  }
  return { owner, cache, get, filled }
}

const NEGATIVE = -1

function isNegative({ version }: Versioned): boolean {
  return version === NEGATIVE
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('remote cache', () => {
  it.each([
    ['that drops stale values', {}],
    ['that returns stale values if the owner does not reply', { staleMs: 5_000, retryMs: 300 }],
    ['that refreshes ahead', { staleMs: 5_000, refreshAhead: true }],
    ['that renews', { renewAfterMs: () => 400 }],
    ['with tags', { tagsOf: ({ key }: Versioned) => [`tag of ${key}`] }],
  ] as [string, Partial<RemoteCacheOptions<Versioned>>][])(
    '%s never returns a value from before an invalidation that the caller knew of, nor one that is too old',
    async (_, options) => {
      for (let seed = 1; seed <= 150; seed++) {
        const random = randomOf(seed)
        const { owner, cache, get } = setUp(options)
        const checks: Promise<void>[] = []
        const lookUp = (key: string) => {
          const known = owner.versionOf(key)
          const cached = cache.recall(key, () => owner.fetch(key))
          if (cached) expect(owner.nowMs - cached.atMs).toBeLessThan(1_000)
          const check = (value: Versioned) => {
            // If the owner did not reply, a stale value may be from before a change.
            if (options.staleMs === undefined || !failed.has(key))
              expect({ seed, isOld: value.version < known }).toEqual({ seed, isOld: false })
          }
          checks.push(
            get(key).then(check, (error: unknown) => {
              expect(error).toMatchObject({ message: 'unavailable' })
            }),
          )
        }
        const failed = new Set<string>()
        for (let step = 0; step < 60; step++) {
          const key = String(random(3))
          const action = random(10)
          if (action < 4) lookUp(key)
          else if (action < 7) {
            const fails = random(4) === 0
            if (fails && owner.open[0]) failed.add(owner.open[0].key)
            owner.reply(fails)
          } else if (action === 7) {
            owner.versions.set(key, owner.versionOf(key) + 1)
            cache.invalidate([options.tagsOf ? `tag of ${key}` : key])
          } else if (action === 8 && random(4) === 0) {
            for (const each of ['0', '1', '2']) owner.versions.set(each, owner.versionOf(each) + 1)
            cache.clear()
          } else owner.nowMs += random(700)
          if (random(2) === 0) await settle()
        }
        while (owner.open.length > 0) {
          owner.reply()
          await settle()
        }
        await Promise.all(checks)
      }
    },
  )

  it('shares one fetch among callers, and another one among those that come after an invalidation', async () => {
    const { owner, cache, get } = setUp()
    const before = [get('a'), get('a')]
    expect(owner.fetches).toBe(1)
    owner.versions.set('a', 1)
    cache.invalidate(['a'])
    owner.nowMs++
    const after = [get('a'), get('a')]
    expect(owner.fetches).toBe(2)
    owner.reply()
    owner.reply()
    expect((await Promise.all(before)).map(({ version }) => version)).toEqual([0, 0])
    expect((await Promise.all(after)).map(({ version }) => version)).toEqual([1, 1])
    expect(cache.recall('a')?.version).toBe(1)
  })

  it('fetches again while a reply that must not be cached is still on its way', async () => {
    const { owner, cache, get } = setUp()
    const before = get('a')
    cache.invalidate(['a'])
    owner.reply()
    await before
    expect(cache.recall('a')).toBeUndefined()
  })

  it('returns the last value for staleMs if the owner does not reply, and then the error', async () => {
    const { owner, get, filled } = setUp({ staleMs: 10_000 })
    await filled('a')
    for (const [nowMs, expected] of [
      [5_000, 'value'],
      [9_999, 'value'],
      [10_000, 'error'],
    ] as const) {
      owner.nowMs = nowMs
      const found = get('a').then(
        () => 'value',
        () => 'error',
      )
      owner.reply(true)
      expect(await found).toBe(expected)
    }
  })

  it('tries no other fetch for retryMs after one that failed', async () => {
    const { owner, get, filled } = setUp({ staleMs: 10_000, retryMs: 500 })
    await filled('a')
    owner.nowMs = 2_000
    const tried = get('a')
    owner.reply(true)
    await tried
    await get('a')
    expect(owner.fetches).toBe(2)
    const unknown = get('b')
    owner.reply(true)
    await expect(unknown).rejects.toThrow('unavailable')
    await expect(get('b')).rejects.toThrow('unavailable')
    expect(owner.fetches).toBe(3)
    owner.nowMs = 2_500
    void get('a')
    void get('b')
    expect(owner.fetches).toBe(5)
  })

  it('returns an expired value immediately and refreshes it, but waits if it was invalidated', async () => {
    const { owner, cache, get, filled } = setUp({ staleMs: Infinity, refreshAhead: true })
    await filled('a')
    owner.nowMs = 1_000
    owner.versions.set('a', 1)
    expect((await get('a')).version).toBe(0)
    owner.reply()
    await settle()
    expect((await get('a')).version).toBe(1)
    owner.versions.set('a', 2)
    cache.invalidate(['a'])
    const waiting = get('a')
    owner.reply()
    expect((await waiting).version).toBe(2)
  })

  describe('that renews', () => {
    const renews = { renewAfterMs: () => 500, negative: { is: isNegative, maxEntries: 10 } }

    it('fetches a value that is used in the second half of its time again, once, and returns it meanwhile', async () => {
      const { owner, cache, filled } = setUp(renews)
      const use = () => cache.recall('a', () => owner.fetch('a'))
      await filled('a')
      owner.nowMs = 499
      use()
      expect(owner.fetches).toBe(1)
      owner.nowMs = 500
      owner.versions.set('a', 1)
      expect([use()?.version, use()?.version]).toEqual([0, 0])
      expect(owner.fetches).toBe(2)
      owner.reply()
      await settle()
      expect(use()?.version).toBe(1)
      // Its time counts from the start of that fetch.
      owner.nowMs = 1_499
      expect(use()?.version).toBe(1)
      owner.nowMs = 1_500
      expect(use()).toBeUndefined()
    })

    it('returns a value no longer if the owner does not reply, and does not ask for it with each use', async () => {
      const { owner, cache, filled } = setUp({ ...renews, freshMs: () => 5_000 })
      await filled('a')
      for (owner.nowMs = 500; owner.nowMs < 5_000; owner.nowMs += 100) {
        expect(cache.recall('a', () => owner.fetch('a'))?.version).toBe(0)
        owner.reply(true)
        await settle()
      }
      expect(cache.recall('a', () => owner.fetch('a'))).toBeUndefined()
      // Once a second.
      expect(owner.fetches).toBe(6)
    })

    it('drops a value that the owner no longer has, and one that was invalidated while it was renewed', async () => {
      const { owner, cache, filled } = setUp(renews)
      for (const key of ['refused', 'invalidated']) await filled(key)
      owner.nowMs = 600
      owner.versions.set('refused', NEGATIVE)
      for (const key of ['refused', 'invalidated']) cache.recall(key, () => owner.fetch(key))
      cache.invalidate(['invalidated'])
      while (owner.open.length > 0) owner.reply()
      await settle()
      expect(cache.recall('refused')?.version).toBe(NEGATIVE)
      expect(cache.recall('invalidated')).toBeUndefined()
    })

    it('renews a bounded number of values at the same time, and the others later', async () => {
      const { owner, cache, filled } = setUp(renews)
      const keys = Array.from({ length: 50 }, (_, number) => `key ${String(number)}`)
      for (const key of keys) await filled(key)
      owner.nowMs = 600
      const useAll = () => keys.forEach((key) => cache.recall(key, () => owner.fetch(key)))
      useAll()
      expect(owner.open).toHaveLength(32)
      while (owner.open.length > 0) owner.reply()
      await settle()
      useAll()
      expect(owner.fetches).toBe(100)
    })
  })

  it('a caller with time left fetches again if the fetch that it joined was too late', async () => {
    const { owner, cache } = setUp()
    const tooLate = new OperationError('deadline_exceeded', 'too late')
    const first = cache.get('a', () => Promise.reject(tooLate))
    const second = cache.get('a', owner.fetch('a'))
    owner.reply()
    await expect(first).rejects.toBe(tooLate)
    while (owner.open.length === 0) await settle()
    owner.reply()
    expect(await second).toMatchObject({ key: 'a' })
  })

  it('a caller waits no longer than it says', async () => {
    const { get } = setUp()
    await expect(get('a', { waitMs: 5 })).rejects.toMatchObject({ code: 'deadline_exceeded' })
  })

  it('negative values evict no others', async () => {
    const negative = { is: ({ key }: Versioned) => key.startsWith('no'), maxEntries: 10 }
    const { cache, filled } = setUp({ maxEntries: 5, negative })
    for (let n = 0; n < 5; n++) await filled(`yes${String(n)}`)
    for (let n = 0; n < 50; n++) await filled(`no${String(n)}`)
    for (let n = 0; n < 5; n++) expect(cache.recall(`yes${String(n)}`)).toBeDefined()
    expect(cache.figures.size).toBe(15)
    cache.clearNegative()
    expect(cache.figures.size).toBe(5)
  })
})
