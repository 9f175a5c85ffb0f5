import { describe, expect, it } from '@jest/globals'
import { OperationError } from '@bearing/contracts/errors'
import { ConcurrencyLimit, type Share } from './concurrency-limit.js'

/** Calls that wait until the test answers them. */
function setUp() {
  const limit = new ConcurrencyLimit({ limit: 32, shareCode: 'rate_limited', tooMany: 'Too many questions' })
  const waiting: (() => void)[] = []
  const outcomes: Promise<string>[] = []
  const begin = (count: number, ...shares: Share[]) => {
    for (let n = 0; n < count; n++) {
      const work = () =>
        new Promise<string>((resolve) =>
          waiting.push(() => {
            resolve('answered')
          }),
        )
      outcomes.push(limit.run(shares, work).catch((error: unknown) => (error as { code: string }).code))
    }
  }
  const answerAll = async () => {
    for (const answer of waiting.splice(0)) answer()
    return Promise.all(outcomes.splice(0))
  }
  return { limit, begin, answerAll, waiting }
}

const four = (key: string): Share => ({ key, limit: 4 })
const times = (count: number, outcome: string) => Array.from({ length: count }, () => outcome)

describe('a concurrency limit', () => {
  it('refuses the work of one key beyond its share, and runs the work of others', async () => {
    const { begin, answerAll } = setUp()
    begin(5, four('slow'))
    begin(1, four('other'))
    expect(await answerAll()).toEqual([...times(4, 'answered'), 'rate_limited', 'answered'])
  })

  it('counts work for each of its shares, and for none if one of them is used up', async () => {
    const { begin, answerAll } = setUp()
    const person = four('person')
    begin(3, person, four('first'))
    begin(2, person, four('second'))
    begin(4, four('second'))
    expect(await answerAll()).toEqual([
      ...times(4, 'answered'),
      'rate_limited',
      ...times(3, 'answered'),
      'rate_limited',
    ])
  })

  it('refuses work beyond the total, and says so only to keys with a free share', async () => {
    const { begin, answerAll, waiting } = setUp()
    for (let customer = 0; customer < 9; customer++) begin(4, four(String(customer)))
    begin(1, four('0'))
    expect(waiting).toHaveLength(32)
    const outcomes = await answerAll()
    expect(outcomes.slice(32)).toEqual([...times(4, 'overloaded'), 'rate_limited'])
  })

  it('says when to retry', async () => {
    const { limit } = setUp()
    const none = { key: 'none', limit: 0 }
    await expect(limit.run([none], () => Promise.resolve())).rejects.toMatchObject({
      details: { retry_after: 2 },
    })
  })

  it('counts work no longer when it has ended, failed or not', async () => {
    const { limit, begin, answerAll } = setUp()
    for (let time = 0; time < 100; time++)
      await expect(limit.run([four('failing')], () => Promise.reject(new Error('hung up')))).rejects.toThrow(
        'hung up',
      )
    for (let time = 0; time < 10; time++) {
      begin(4, four('failing'))
      expect(await answerAll()).toEqual(times(4, 'answered'))
    }
  })

  it('is never exceeded, and ends with nothing counted, for 200 random histories', async () => {
    for (let history = 0; history < 200; history++) {
      const limit = new ConcurrencyLimit({ limit: 5, tooMany: 'Too many' })
      const active = new Map<string, number>()
      let [total, most, refused] = [0, 0, 0]
      const work = (key: string) => async () => {
        most = Math.max(most, ++total)
        active.set(key, (active.get(key) ?? 0) + 1)
        expect(active.get(key)).toBeLessThanOrEqual(2)
        for (let turn = Math.floor(Math.random() * 4); turn > 0; turn--) await Promise.resolve()
        total--
        active.set(key, (active.get(key) ?? 0) - 1)
        if (Math.random() < 0.3) throw new Error('failed')
      }
      const runs: Promise<void>[] = []
      for (let step = 0; step < 40; step++) {
        const key = String(Math.floor(Math.random() * 4))
        const run = limit.run([{ key, limit: 2 }], work(key)).catch((error: unknown) => {
          if (error instanceof OperationError) refused++
        })
        runs.push(run)
        if (Math.random() < 0.5) await Promise.resolve()
      }
      await Promise.all(runs)
      expect(most).toBeLessThanOrEqual(5)
      // All of the capacity is free again.
      const block = Array.from({ length: 5 }, (_, n) =>
        limit.run([{ key: String(n), limit: 1 }], () => Promise.resolve()),
      )
      await Promise.all(block)
      expect(refused).toBeLessThan(40)
    }
  })
})
