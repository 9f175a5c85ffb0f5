import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { GatheredPlaces } from './gathered-places.js'
import { observationWeight } from './signal-weight.js'
import { squaredDistance, toVector } from '../earth/sphere.js'

const observation = fc.record({
  bssid: fc.integer({ min: 1, max: 3 }),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  signalDbm: fc.option(fc.integer({ min: -128, max: 0 }), { nil: undefined }),
})

it('comes to the weighted mean and the squares of a calculation in two passes', () => {
  fc.assert(
    fc.property(fc.array(observation, { minLength: 1, maxLength: 100 }), (observations) => {
      const gathered = new GatheredPlaces(3, 7)
      for (const { bssid, lat, lon, signalDbm } of observations) gathered.observe(bssid, lat, lon, signalDbm)
      for (const place of gathered.places()) {
        const own = observations
          .filter(({ bssid }) => bssid === place.bssid)
          .map((row) => ({ weight: observationWeight(row.signalDbm), at: toVector(row) }))
        const weight = own.reduce((sum, row) => sum + row.weight, 0)
        const mean = (axis: 'x' | 'y' | 'z') =>
          own.reduce((sum, row) => sum + row.weight * row.at[axis], 0) / weight
        const center = { x: mean('x'), y: mean('y'), z: mean('z') }
        const squares = own.reduce((sum, row) => sum + row.weight * squaredDistance(row.at, center), 0)
        expect(place.observations).toBe(own.length)
        expect(place.weight / weight).toBeCloseTo(1, 12)
        expect(Math.sqrt(squaredDistance(place, center))).toBeLessThan(1e-6)
        expect(Math.abs(place.squares - squares)).toBeLessThan(1e-6 + 1e-9 * squares)
      }
    }),
  )
})

it('does not mistake many observations of one spot for a spread', () => {
  const gathered = new GatheredPlaces(1, 7)
  for (let i = 0; i < 100_000; i++) gathered.observe(1, 48.123456789, 11.987654321, -40 - (i % 60))
  const [place] = [...gathered.places()]
  expect(Math.sqrt((place?.squares ?? NaN) / (place?.weight ?? NaN))).toBeLessThan(0.001)
})

it('says when it is full, and is as new when it is cleared', () => {
  const gathered = new GatheredPlaces(1, 7)
  gathered.observe(1, 10, 10, -50)
  gathered.observe(1, 20, 20, -50)
  expect(gathered.isFull).toBe(true)
  expect(() => {
    gathered.observe(2, 0, 0, -50)
  }).toThrow(RangeError)
  gathered.clear()
  gathered.observe(2, 0, 0, -50)
  expect([...gathered.places()]).toMatchObject([{ bssid: 2, observations: 1, squares: 0 }])
})

it('has an order of addresses, in which each is once', () => {
  const gathered = new GatheredPlaces(3, 7)
  for (const bssid of [7, 2 ** 47, 3, 7, 3]) gathered.observe(bssid, 1, 1, -50)
  const order = endOf(gathered.inOrder())
  expect(Array.from(order, (number) => gathered.place(number))).toMatchObject([
    { bssid: 3, observations: 2 },
    { bssid: 7, observations: 2 },
    { bssid: 2 ** 47, observations: 1 },
  ])
})

function endOf<Result>(steps: Generator<void, Result, undefined>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
