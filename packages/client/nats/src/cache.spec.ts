import { describe, expect, it } from '@jest/globals'
import { Cache } from './cache.js'

const MIB = 1024 * 1024

function inUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

describe('a cache of at most so many entries', () => {
  it('takes no memory for entries that it does not have', () => {
    const before = inUse()
    const cache = new Cache<true>(5_000_000, { ttl: 3_600_000 })
    cache.set('one', true)
    expect(inUse() - before).toBeLessThan(10 * MIB)
    expect(cache.get('one')).toBe(true)
  })

  it('holds at most that many entries, and evicts the least recently used', () => {
    const cache = new Cache<true>(100)
    for (let key = 0; key < 1_000; key++) {
      cache.set(String(key), true)
      cache.get('0')
    }
    expect(cache.size).toBe(100)
    expect(cache.has('0')).toBe(true)
    expect(cache.has('900')).toBe(false)
    expect(cache.has('901')).toBe(true)
  })
})
