import { describe, expect, it } from '@jest/globals'
import { WindowCounter } from './window-counter.js'

describe('a counter of windows', () => {
  it('starts a new window exactly when the old one ends', () => {
    let now = 0
    const counter = new WindowCounter(100, () => now)
    expect(counter.add('a', 1)).toEqual({ used: 1, endsInMs: 100 })
    now = 99
    expect(counter.add('a', 2)).toEqual({ used: 3, endsInMs: 1 })
    expect(counter.look('a')).toEqual({ used: 3, endsInMs: 1 })
    now = 100
    expect(counter.look('a')).toBeUndefined()
    expect(counter.add('a', 1, 50)).toEqual({ used: 1, endsInMs: 50 })
  })

  it('starts windows of exactly their length by a clock with fractions', () => {
    let now = 1_000_000
    const counter = new WindowCounter(60_000, () => (now += 0.137))
    const ends = new Set(Array.from({ length: 1_000 }, (_, key) => counter.add(String(key), 1).endsInMs))
    expect([...ends]).toEqual([60_000])
  })

  it('counts each key separately, and takes points back', () => {
    const counter = new WindowCounter(100, () => 0)
    counter.add('a', 3)
    counter.add('b', 1)
    expect(counter.add('a', -2).used).toBe(1)
    counter.delete('a')
    expect(counter.look('a')).toBeUndefined()
    expect(counter.look('b')?.used).toBe(1)
  })
})
