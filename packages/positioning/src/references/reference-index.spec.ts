import { expect, it } from '@jest/globals'
import { Numbering, numberOf } from '../scans/numbering.js'
import { heightOf, referenceIndex, type ReferenceScan } from './reference-index.js'
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

it('finds the same in an index with another seed that was handed over by a thread', () => {
  const whole = ReferenceScans.of(scans)
  const index = referenceIndex(scans, count, 0x1234_5678)
  const buffers = [index.numbering.addresses.buffer, index.lists.buffer]
  const handedOver = new ReferenceScans(structuredClone(index, { transfer: buffers }))
  expect(index.lists.length).toBe(0)
  const queries = Array.from({ length: 200 }, heard)
  expect(queries.map((query) => handedOver.match(query))).toEqual(queries.map((query) => whole.match(query)))
})

it('finds nothing any more once its memory was given back', () => {
  const references = ReferenceScans.of(scans)
  const query = heard()
  expect(references.match(query).similarity).toBeGreaterThan(0)
  references.release()
  references.release()
  expect(references.match(query)).toEqual({ matches: [], similarity: 0, floorNames: [] })
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
  const packed = numbering.packed()
  expect(addresses.map((address) => numberOf(packed, address))).toEqual(addresses.map((_, index) => index))
  expect(packed.size).toBe(5_000)
  expect(numberOf(packed, 7)).toBeUndefined()
  expect(numberOf(new Numbering(1).packed(), 7)).toBeUndefined()
})
