import { randomBytes } from 'node:crypto'
import { setImmediate as settle } from 'node:timers/promises'
import { withinCall } from '@bearing/nats/call-context'
import { describe, expect, it } from '@jest/globals'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { Randomness } from '@bearing/service/ground/randomness'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { PasswordBackoff } from './password-backoff.js'
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
    // If both take equally long, the longer one is random (equal-time.spec.ts). A hash more or less is 60 of 60.
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

  it.each([1, 7, 20, 60])(
    'of a network without a wrong one are always checked, once each of %i others has sent a wrong one and continues',
    async (networks) => {
      const passwords = await prepare(CHEAP, { concurrency: 1, waiting: 6, sharePercent: 100 })
      const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())
      const backoff = new PasswordBackoff(limits, { free: 5, freeFromUnknown: 50, maxS: 60 })
      const stored = await passwords.hash('the right one')
      const signIn = async (email: string, clientAddress: string, password: string) => {
        const call = { requestId: 'r', deadlineMs: Infinity, clientAddress }
        const attempt = await backoff.begin(email, clientAddress)
        return withinCall(call, () => {
          passwords.refuseIfFull(attempt.callerClass)
          return passwords.check(password, stored, attempt)
        })
      }
      const failed = new Set<number>()
      let flooding = true
      const flood = async (network: number) => {
        for (let turn = 0; flooding; turn++) {
          const address = `10.${String(network >> 8)}.${String(network & 255)}.${String(turn % 256)}`
          const outcome = await signIn(`${address} ${String(turn)}`, address, 'guess').catch(() => undefined)
          if (outcome) failed.add(network)
          await settle()
        }
      }
      const floods = Promise.all(Array.from({ length: networks }, (_, network) => flood(network)))
      while (failed.size < networks) await settle()
      for (let newcomer = 0; newcomer < 20; newcomer++) {
        const checked = await signIn(
          `${String(newcomer)}@example.com`,
          `192.0.${String(newcomer)}.1`,
          'the right one',
        )
        expect(checked).toEqual({ right: true })
      }
      flooding = false
      await floods
    },
  )
})
