import { expect, it } from '@jest/globals'
import { Numbering } from './numbering.js'
import { heightOf, referenceIndex, STEP, type ReferenceScan } from './reference-index.js'
import { ReferenceScans } from './reference-scans.js'

/** Numbers that look random and are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const next = numbers(7)

function heard(): Map<number, number> {
  const reading = () =>
    [0x02_00_00_00_00_00 + Math.floor(next() * 200) * 0x1_00_10, -90 + Math.floor(next() * 60)] as const
  return new Map(Array.from({ length: 3 + Math.floor(next() * 20) }, reading))
}

const scans: readonly ReferenceScan[] = Array.from({ length: 2_000 }, () => ({
  place: { x: next(), y: next(), z: next() },
  readings: [...heard()],
}))
const count = {
  scans: scans.length,
  readings: scans.reduce((sum, { readings }) => sum + readings.length, 0),
}

it('takes many short steps, reads each scan when its turn comes, and comes to the same as in one go', () => {
  let read = 0
  function* oneByOne() {
    for (const scan of scans) {
      read += scan.readings.length
      yield scan
    }
  }
  const whole = ReferenceScans.of(scans)
  const queries = Array.from({ length: 200 }, heard)
  const expected = queries.map((query) => whole.match(query))
  const steps = referenceIndex(oneByOne(), count, 0x1234_5678)
  let before = 0
  for (let taken = 1; ; taken++) {
    const step = steps.next()
    expect(read - before).toBeLessThan(STEP + 30)
    before = read
    if (step.done) {
      // Three times through all readings.
      expect(taken).toBeGreaterThan((2.9 * count.readings) / STEP)
      const inSteps = new ReferenceScans(step.value)
      expect(queries.map((query) => inSteps.match(query))).toEqual(expected)
      return
    }
    // What is asked meanwhile is answered by the whole one, undisturbed.
    const query = queries[taken % queries.length]
    if (query) expect(whole.match(query)).toEqual(expected[taken % queries.length])
  }
})

it('finds the scan that is most alike', () => {
  const references = ReferenceScans.of(scans)
  const heights = (readings: Iterable<readonly [number, number]>) =>
    new Map([...readings].map(([bssid, dbm]) => [bssid, heightOf(dbm)]))
  const norm = (one: ReadonlyMap<number, number>) =>
    Math.sqrt([...one.values()].reduce((sum, value) => sum + value ** 2, 0))
  for (let asked = 0; asked < 50; asked++) {
    const query = heard()
    const own = heights(query)
    const cosines = scans.map(({ readings }) => {
      const other = heights(readings)
      const product = [...own].reduce((sum, [bssid, value]) => sum + value * (other.get(bssid) ?? 0), 0)
      return product / norm(own) / norm(other)
    })
    expect(references.match(query).similarity).toBeCloseTo(Math.max(...cosines), 5)
  }
})

it('numbers addresses from 0, each once', () => {
  const numbering = new Numbering(-7)
  const addresses = Array.from({ length: 5_000 }, (_, index) => 0x02_00_00_00_00_00 + index * 0x10_01)
  expect(addresses.map((address) => numbering.number(address))).toEqual(addresses.map((_, index) => index))
  expect(addresses.map((address) => numbering.number(address))).toEqual(addresses.map((_, index) => index))
  expect(addresses.map((address) => numbering.get(address))).toEqual(addresses.map((_, index) => index))
  expect(numbering.size).toBe(5_000)
  expect(numbering.get(7)).toBeUndefined()
})
