import { describe, expect, it } from '@jest/globals'
import { Batches } from './batches.js'

describe('batches', () => {
  /** Returns batches whose runs the test ends, and the items of each run. */
  function setUp(limits = { items: 3, concurrency: 1 }) {
    const runs: { readonly items: readonly number[]; end: (error?: Error) => void }[] = []
    const batches = new Batches<number, string>(
      (items) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => {
            if (error) reject(error)
            else resolve(items.map(String))
          }
          runs.push({ items, end })
        }),
      limits,
    )
    return { batches, runs, asked: () => runs.map(({ items }) => items) }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('run what comes in one turn together, and return to each item its own result', async () => {
    const { batches, runs, asked } = setUp()
    const results = Promise.all([batches.add(1), batches.add(2)])
    await turn()
    expect(asked()).toEqual([[1, 2]])
    runs[0]?.end()
    expect(await results).toEqual(['1', '2'])
  })

  it('collect what comes while a batch runs, up to the largest batch', async () => {
    const { batches, runs, asked } = setUp()
    const results = [batches.add(1)]
    await turn()
    for (const item of [2, 3, 4, 5]) {
      results.push(batches.add(item))
      await turn()
    }
    expect(asked()).toEqual([[1]])
    for (let run = 0; run < 3; run++) {
      runs[run]?.end()
      await turn()
    }
    expect(asked()).toEqual([[1], [2, 3, 4], [5]])
    expect(await Promise.all(results)).toEqual(['1', '2', '3', '4', '5'])
  })

  it('fail for the items of one batch only, and continue', async () => {
    const { batches, runs } = setUp({ items: 1, concurrency: 2 })
    const results = Promise.allSettled([batches.add(1), batches.add(2), batches.add(3)])
    await turn()
    runs[1]?.end(new Error('no database'))
    await turn()
    runs[0]?.end()
    runs[2]?.end()
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('run each item alone where a batch fails, so that one at fault costs no other', async () => {
    const batches = new Batches<number, string>(
      (items) =>
        items.includes(2) ? Promise.reject(new Error('invalid')) : Promise.resolve(items.map(String)),
      { items: 3, concurrency: 1 },
    )
    const results = await Promise.allSettled([1, 2, 3].map((item) => batches.add(item)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('fail immediately where the database is unavailable', async () => {
    let runs = 0
    const batches = new Batches<number, string>(
      () => {
        runs++
        return Promise.reject(Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' }))
      },
      { items: 3, concurrency: 1 },
    )
    const results = await Promise.allSettled([1, 2, 3].map((item) => batches.add(item)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(runs).toBe(1)
  })
})
