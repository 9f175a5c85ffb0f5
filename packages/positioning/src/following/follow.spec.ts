import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { followed, MOST_FOLLOWED, type PastFix } from './follow.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'

const METER = 1 / 111_195
const at = (east: number, north: number): Coordinates => ({
  lat: 48 + north * METER,
  lon: 11 + (east * METER) / Math.cos((48 * Math.PI) / 180),
})
const meters = (one: Coordinates, other: Coordinates) =>
  Math.sqrt(squaredDistance(toVector(one), toVector(other)))
const fix = (east: number, north: number, ageMs: number, deviationMeters = 7): PastFix => ({
  ...at(east, north),
  deviationMeters,
  ageMs,
})
/** Numbers that look random, normally distributed. */
function noise(seed: number): () => number {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
}

/** Root mean square error of fixes of devices with a speed, and of what follows them, in meters. */
function errorsAt(metersPerSecond: number, everySeconds: number, deviation: number) {
  const next = noise(1)
  let [alone, together] = [0, 0]
  const runs = 400
  for (let run = 0; run < runs; run++) {
    const fixes = Array.from({ length: MOST_FOLLOWED + 1 }, (_, index) => {
      const seconds = (MOST_FOLLOWED - index) * everySeconds
      const [east, north] = [deviation * next() - metersPerSecond * seconds, deviation * next()]
      return fix(east, north, 1_000 * seconds, deviation)
    })
    const latest = fixes.at(-1) ?? fix(0, 0, 0)
    alone += meters(latest, at(0, 0)) ** 2
    together += meters(followed(fixes), at(0, 0)) ** 2
  }
  return { alone: Math.sqrt(alone / runs), together: Math.sqrt(together / runs) }
}

describe('a device that is followed', () => {
  it('is where its only fix is', () => {
    expect(meters(followed([fix(3, 4, 0)]), at(3, 4))).toBeCloseTo(0, 6)
  })

  it.each([
    ['stands', 0, 4, 0.75],
    ['walks', 1.4, 4, 0.8],
    ['walks, and scans seldom', 1.4, 10, 0.85],
  ])('is found better by earlier fixes if it %s', (_, speed, every, most) => {
    const { alone, together } = errorsAt(speed, every, 20)
    expect(together).toBeLessThan(most * alone)
  })

  it('is not found worse by earlier fixes if it drives', () => {
    for (const [speed, every] of [
      [14, 10],
      [14, 30],
      [28, 10],
    ] as const) {
      const { alone, together } = errorsAt(speed, every, 20)
      expect(together).toBeLessThan(1.05 * alone)
    }
  })

  it('is at its latest fix if the fixes are faster than a walk', () => {
    const fixes = [40, 30, 20, 10, 0].map((seconds) =>
      fix(-8 * seconds, seconds === 0 ? 12 : 0, 1_000 * seconds),
    )
    expect(meters(followed(fixes), at(0, 12))).toBeLessThan(0.001)
  })

  it('is not pulled far by one earlier fix that is wrong', () => {
    const fixes = [40, 30, 20, 10, 0].map((seconds) => fix(seconds === 20 ? 2_000 : 0, 0, 1_000 * seconds))
    expect(meters(followed(fixes), at(0, 0))).toBeLessThan(15)
  })

  it.each([200, 2_000, 5_000, 50_000])(
    'is at its latest fix if the only earlier one is wrong by %i m',
    (east) => {
      const fixes = [fix(east, 0, 10_000, 100), fix(0, 0, 0, 20)]
      expect(meters(followed(fixes), at(0, 0))).toBeLessThan(20)
    },
  )

  it('is never far from its latest fix, whatever the others are', () => {
    const anyEarlier = fc.record({
      east: fc.integer({ min: -50_000, max: 50_000 }),
      ageMs: fc.integer({ min: 1, max: 120_000 }),
      deviation: fc.double({ min: 0.5, max: 3_000, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(anyEarlier, { maxLength: MOST_FOLLOWED }), (list) => {
        const fixes = list.map(({ east, ageMs, deviation }) => fix(east, 0, ageMs, deviation))
        expect(meters(followed([...fixes, fix(0, 0, 0, 20)]), at(0, 0))).toBeLessThan(75)
      }),
    )
  })

  it('that jumps stays at its latest fix once that is repeated', () => {
    const fixes = [60, 50, 40, 10, 0].map((seconds) => fix(seconds > 30 ? 0 : 500, 0, 1_000 * seconds))
    expect(meters(followed(fixes), at(500, 0))).toBeLessThan(15)
  })

  it('is found whatever the order of the fixes, within them, and with times that say nothing', () => {
    const anyFix = fc.record({
      east: fc.integer({ min: -5_000, max: 5_000 }),
      north: fc.integer({ min: -5_000, max: 5_000 }),
      ageMs: fc.integer({ min: 0, max: 120_000 }),
      deviation: fc.double({ min: 0.5, max: 3_000, noNaN: true }),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(anyFix, { minLength: 1, maxLength: 6, selector: ({ ageMs }) => ageMs }),
        (list) => {
          const fixes = list.map(({ east, north, ageMs, deviation }) => fix(east, north, ageMs, deviation))
          const found = followed(fixes)
          expect(meters(found, followed([...fixes].reverse()))).toBeLessThan(0.01)
          expect(meters(found, at(0, 0))).toBeLessThan(20_000)
        },
      ),
    )
    expect(meters(followed([fix(0, 0, 0), fix(0, 0, 0)]), at(0, 0))).toBeLessThan(0.01)
  })
})
