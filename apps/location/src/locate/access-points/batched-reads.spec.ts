import { describe, expect, it } from '@jest/globals'
import { BatchedReads } from './batched-reads.js'

describe('reads of one turn', () => {
  const reading = (fails = false) => {
    const reads: [string, readonly number[]][] = []
    const together = new BatchedReads((organizationId, bssids) => {
      reads.push([organizationId, bssids])
      if (fails) return Promise.reject(new Error('the database is away'))
      const place = { lat: 48, lon: 11, spreadMeters: 10, observations: 5 }
      return Promise.resolve(
        new Map(
          bssids.map((bssid) => [bssid, { all: place, own: undefined, shared: place, isOthers: true }]),
        ),
      )
    })
    return { reads, together }
  }

  it('are one, with each address once', async () => {
    const { reads, together } = reading()
    const [first, second] = await Promise.all([together.of('a', [1, 2]), together.of('a', [2, 3])])
    expect(reads).toEqual([['a', [1, 2, 3]]])
    expect([first.has(1), second.has(3)]).toEqual([true, true])
    await together.of('a', [1])
    expect(reads).toHaveLength(2)
  })

  it('are never those of two organizations', async () => {
    const { reads, together } = reading()
    await Promise.all([together.of('a', [1]), together.of('b', [1])])
    expect(reads).toEqual([
      ['a', [1]],
      ['b', [1]],
    ])
  })

  it('are bounded', async () => {
    const { reads, together } = reading()
    const scan = (from: number) => Array.from({ length: 256 }, (_, i) => from * 256 + i)
    const asked = Array.from({ length: 10 }, (_, i) => scan(i))
    const answers = await Promise.all(asked.map((bssids) => together.of('a', bssids)))
    expect(reads.map(([, { length }]) => length)).toEqual([1792, 768])
    for (const [index, bssids] of asked.entries())
      expect(bssids.every((bssid) => answers[index]?.has(bssid))).toBe(true)
  })

  it('fail for all who are part of them, and for nobody after', async () => {
    const { reads, together } = reading(true)
    const outcomes = await Promise.allSettled([together.of('a', [1]), together.of('a', [2])])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(together.of('a', [1])).rejects.toThrow('the database is away')
    expect(reads).toHaveLength(2)
  })
})
