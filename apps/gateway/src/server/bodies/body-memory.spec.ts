import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BodyMemory } from './body-memory.js'

const MAX = 1_000

/** Takes single bytes until it is refused. */
function fill(memory: BodyMemory, owner: string, source = 's'): number {
  const share = memory.open([owner, source])
  let taken = 0
  while (share.take(1)) taken++
  return taken
}

describe('BodyMemory', () => {
  it('gives one source at most a third, and all sources of an owner at most half', () => {
    const memory = new BodyMemory(MAX)
    expect(fill(memory, 'greedy')).toBe(333)
    for (let i = 0; i < 100; i++) fill(memory, 'greedy', String(i))
    expect(memory.used).toBeLessThanOrEqual(MAX / 2)
  })

  it('leaves memory for other owners, and for other sources of the same owner', () => {
    const memory = new BodyMemory(MAX)
    fill(memory, 'greedy')
    expect(fill(memory, 'greedy', 'other')).toBeGreaterThanOrEqual(100)
    for (let i = 0; i < 100; i++) fill(memory, 'greedy', String(i))
    expect(fill(memory, 'one')).toBeGreaterThanOrEqual(100)
    expect(fill(memory, 'two')).toBeGreaterThanOrEqual(100)
  })

  it('leaves memory for other prefixes of anonymous callers, however many networks of one prefix take all they get', () => {
    const memory = new BodyMemory(MAX)
    const flood = (prefix: string) => {
      let taken = 0
      for (let network = 0; network < MAX; network++)
        if (memory.open(['anonymous', prefix, String(network)]).take(1)) taken++
      return taken
    }
    flood('flooding')
    expect(flood('other')).toBeGreaterThanOrEqual(MAX / 10)
    expect(memory.used).toBeLessThanOrEqual(MAX / 2)
  })

  it('never holds more than its bytes, and nothing after everything was released', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(500))), (bodies) => {
        const memory = new BodyMemory(MAX)
        const shares = bodies.map(([owner, source, bytes]) => {
          const share = memory.open([String(owner), String(source)])
          share.take(bytes)
          expect(memory.used).toBeLessThanOrEqual(MAX)
          return share
        })
        for (const share of shares) share.release()
        for (const share of shares) share.release()
        expect(memory.used).toBe(0)
      }),
    )
  })
})
