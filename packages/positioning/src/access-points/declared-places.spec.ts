import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { DeclaredPlaces } from './declared-places.js'

/** Rows as they come: few addresses among many, at the ends of their range too, so that most come again. */
const row = fc.record({
  bssid: fc.oneof(
    fc.constantFrom(1, 4_095, 4_096, 2 ** 32 - 1, 2 ** 32, 2 ** 47 + 1, 2 ** 48 - 1),
    fc.integer({ min: 1, max: 2 ** 48 - 1 }),
  ),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
})
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never

function endOf<Result>(steps: Generator<void, Result, undefined>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

function contentOf(places: DeclaredPlaces): Row[] {
  return Array.from(endOf(places.inOrder()), (number) => ({
    bssid: places.bssid(number),
    ...places.place(number),
  }))
}

it('keeps the last row of each address, in the order of addresses, however often it is tidied', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(row, fc.boolean()), { maxLength: 60 }), (rows) => {
      const places = new DeclaredPlaces(60)
      for (const [{ bssid, lat, lon }, shallTidy] of rows) {
        places.declare(bssid, lat, lon)
        if (shallTidy) endOf(places.tidy())
      }
      const last = new Map(rows.map(([each]) => [each.bssid, each]))
      expect(contentOf(places)).toEqual([...last.values()].sort((one, other) => one.bssid - other.bssid))
      endOf(places.tidy())
      expect(places.size).toBe(last.size)
    }),
  )
})

it('orders as many as an import has', () => {
  const places = new DeclaredPlaces(50_000)
  for (let index = 0; index < 50_000; index++)
    places.declare(1 + ((index * 7_919) % 40_000) * 2 ** 20, 1, index / 1e3)
  const content = contentOf(places)
  expect(content).toHaveLength(40_000)
  for (const [index, { bssid, lon }] of content.entries()) {
    expect(bssid).toBe(1 + index * 2 ** 20)
    const [first] = [lon * 1e3]
    expect((Math.round(first) * 7_919) % 40_000).toBe(index)
  }
  expect(content.filter(({ lon }) => lon >= 40)).toHaveLength(10_000)
})

it('says when there is no room, and is as new when it is cleared', () => {
  const places = new DeclaredPlaces(1)
  places.declare(1, 10, 10)
  expect(() => {
    places.declare(2, 0, 0)
  }).toThrow(RangeError)
  places.clear()
  places.declare(2, 0, 0)
  expect(contentOf(places)).toEqual([{ bssid: 2, lat: 0, lon: 0 }])
})
