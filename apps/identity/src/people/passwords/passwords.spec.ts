import { randomBytes } from 'node:crypto'
import { withinCall } from '@bearing/nats/call-context'
import { describe, expect, it } from '@jest/globals'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Passwords } from './passwords.js'

const CHEAP = { memoryKib: 64, passes: 1, lanes: 1 }
const randomness = new Randomness(
  () => '',
  (length) => new Uint8Array(randomBytes(length)),
)
const prepare = (cost = CHEAP, limits = { concurrency: 2, waiting: 10, sharePercent: 100 }) =>
  Passwords.prepare(cost, limits, new Clock(Date.now), randomness)

describe('passwords', () => {
  it('are stored as argon2id, and only the right one matches', async () => {
    const passwords = await prepare()
    const stored = await passwords.hash('correct horse battery')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    expect(await passwords.check('correct horse battery', stored)).toEqual({ right: true })
    expect(await passwords.check('correct horse batterx', stored)).toEqual({ right: false })
  })

  it('never match where there is no account or no password', async () => {
    const passwords = await prepare()
    expect(await passwords.check('anything at all', undefined)).toEqual({ right: false })
    expect(await passwords.check('anything at all', null)).toEqual({ right: false })
  })

  it('match however the keyboard composes their letters', async () => {
    const passwords = await prepare()
    const stored = await passwords.hash('Stra\u00dfe caf\u00e9 12345')
    expect(await passwords.check('Stra\u00dfe cafe\u0301 12345', stored)).toEqual({ right: true })
  })

  it('are hashed again when the cost has changed', async () => {
    const before = await prepare()
    const after = await prepare({ ...CHEAP, passes: 2 })
    const { right, rehashed } = await after.check('correct horse', await before.hash('correct horse'))
    expect(right).toBe(true)
    expect(await after.check('correct horse', rehashed)).toEqual({ right: true })
  })

  it('take as long to be found wrong, whatever the cost of the hash that is stored, and where none is', async () => {
    const former = await (await prepare({ ...CHEAP, memoryKib: 16_384 })).hash('of long ago')
    const passwords = await prepare({ memoryKib: 8_192, passes: 1, lanes: 1 })
    await passwords.expect([former])
    const hashes = [former, await passwords.hash('of today'), undefined, null]
    const timeMs = async (stored: string | null | undefined) => {
      const began = performance.now()
      expect(await passwords.check('a wrong one', stored)).toEqual({ right: false })
      return performance.now() - began
    }
    for (const hash of hashes) await timeMs(hash)
    // Which of two that take equally long takes longer is a coin toss (equal-time.spec.ts). A hash more or less is 60 of 60.
    for (const stored of hashes.slice(1)) {
      let longer = 0
      for (let pair = 0; pair < 60; pair++) {
        const [first, second] = pair % 2 === 0 ? [former, stored] : [stored, former]
        const [firstMs, secondMs] = [await timeMs(first), await timeMs(second)]
        if (pair % 2 === 0 ? firstMs > secondMs : secondMs > firstMs) longer++
      }
      expect(longer).toBeGreaterThanOrEqual(10)
      expect(longer).toBeLessThanOrEqual(50)
    }
    expect(await passwords.check('of long ago', former)).toMatchObject({ right: true })
  })

  it('are refused as overloaded when too many wait, and taken again after that', async () => {
    const passwords = await prepare(CHEAP, { concurrency: 1, waiting: 2, sharePercent: 100 })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('a password')))
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(outcomes[4]).toMatchObject({ reason: { code: 'overloaded' } })
    await expect(passwords.hash('a password')).resolves.toMatch(/^\$argon2id/)
  })

  it('are not hashed for a caller who has stopped waiting', async () => {
    const passwords = await prepare()
    const call = { requestId: 'r', deadlineMs: Date.now() - 1 }
    await expect(withinCall(call, () => passwords.hash('a password'))).rejects.toMatchObject({
      code: 'deadline_exceeded',
    })
  })
})
