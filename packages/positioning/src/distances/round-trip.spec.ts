import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { rangedFix, type FixBefore, type MeasuredDistance } from './round-trip.js'
import { squaredDistance, toVector, type Coordinates } from '../earth/sphere.js'

const METER = 1 / 111_195
const at = (east: number, north: number): Coordinates => ({
  lat: 48 + north * METER,
  lon: 11 + (east * METER) / Math.cos((48 * Math.PI) / 180),
})
const apart = (one: Coordinates, other: Coordinates) =>
  Math.sqrt(squaredDistance(toVector(one), toVector(other)))
const fixAt = (east: number, north: number, radius68 = 10): FixBefore => ({
  ...at(east, north),
  radius68,
  radius95: 2.5 * radius68,
})
/** Corners of a hall; responders hang 1.5 m above devices. */
const CORNERS = [
  [-12, -9],
  [14, -10],
  [11, 12],
  [-13, 10],
] as const
/** Distances of a device in the middle, and by how much each is too long. */
const measured = (...excess: readonly number[]): MeasuredDistance[] =>
  excess.map((meters, index) => {
    const [east, north] = CORNERS[index] ?? [0, 0]
    return { bssid: index + 1, place: at(east, north), meters: Math.hypot(east, north, 1.5) + meters }
  })
const ranged = (fix: FixBefore, distances: readonly MeasuredDistance[]) => {
  const found = rangedFix(fix, distances)
  if (!found) throw new Error('distances count')
  return found
}

describe('distances to surveyed access points', () => {
  it('say where a device is, to a meter, whatever else said so', () => {
    for (const fix of [fixAt(0, 0), fixAt(9, -7), fixAt(-40, 30, 30)]) {
      const found = ranged(fix, measured(0, 0, 0, 0))
      expect(apart(found, at(0, 0))).toBeLessThan(1)
      expect(found.radiusAt(68)).toBeLessThan(2.5)
      expect(found.used).toHaveLength(4)
    }
  })

  it('say so with two access points, and on which side the rest says', () => {
    const [one, two] = measured(0, 0)
    if (!one || !two) throw new Error('there are two')
    const mirrored = at(0.8, -19)
    expect(apart(ranged(fixAt(1, 3, 8), [one, two]), at(0, 0))).toBeLessThan(2.5)
    expect(apart(ranged(fixAt(1, -22, 8), [one, two]), mirrored)).toBeLessThan(3)
  })

  it('have a larger radius if nothing says on which side, and for a higher confidence', () => {
    const sides = ranged(fixAt(0.4, -9.5, 30), measured(0, 0))
    expect(sides.radiusAt(68)).toBeGreaterThan(7)
    const radii = [50, 68, 95, 99].map(ranged(fixAt(0, 0), measured(0, 0, 0, 0)).radiusAt)
    expect(radii).toEqual([...radii].sort((a, b) => a - b))
    expect(new Set(radii).size).toBe(4)
  })

  it('count less if they are too long, as through walls', () => {
    for (const excess of [
      [9, 0, 0, 0],
      [0, 0, 12, 0],
      [0, 6, 0, 0],
    ])
      expect(apart(ranged(fixAt(4, 3), measured(...excess)), at(0, 0))).toBeLessThan(
        0.6 * Math.max(...excess),
      )
  })

  it('are not believed of an access point that was moved, nor is its part in the fix', () => {
    const moved = { bssid: 4, place: at(26, 20), meters: 16 }
    const sent = [...measured(0, 0, 0), moved]
    const spoiled = fixAt(16, 12, 8)
    const found = rangedFix(spoiled, sent, (bssid) => (bssid === 4 ? fixAt(2, -3, 12) : spoiled))
    expect(apart(found ?? spoiled, at(0, 0))).toBeLessThan(2)
    expect(found?.used).not.toContain(4)
  })

  it('are not believed of an access point that is far from the others', () => {
    const right = measured(0, 0, 0)
    const moved = { bssid: 4, place: at(-60, 45), meters: 16 }
    const found = ranged(fixAt(3, 3), [...right, moved])
    expect(apart(found, at(0, 0))).toBeLessThan(2)
    expect([...found.used].sort()).toEqual([1, 2, 3])
  })

  it('ask for two fixes without one of them at most, however much they contradict each other', () => {
    const asked: number[] = []
    const contradicting = [90, -95, 140, -60, 30, 75, -20, 55].map((east, index) => ({
      bssid: index,
      place: at(east, index * east),
      meters: 7 * index,
    }))
    rangedFix(fixAt(0, 0), contradicting, (bssid) => {
      asked.push(bssid)
      return fixAt(1, 1)
    })
    expect(asked).toHaveLength(2)
  })

  it('count less the less exact they are', () => {
    const vague = measured(0, 0, 0, 0).map((one) => ({ ...one, deviationMeters: 20 }))
    const exact = ranged(fixAt(6, 0, 20), measured(0, 0, 0, 0))
    expect(ranged(fixAt(6, 0, 20), vague).radiusAt(68)).toBeGreaterThan(3 * exact.radiusAt(68))
  })

  it.each([
    ['one', measured(0)],
    ['none', []],
    ['two of one box', measured(0).flatMap((one) => [one, { ...one, bssid: 9 }])],
    ['two that contradict each other', [...measured(0), { bssid: 9, place: at(70, 0), meters: 4 }]],
    [
      'more that contradict the rest than agree',
      [
        ...measured(0, 0),
        ...[90, -95, 140].map((east, index) => ({ bssid: 10 + index, place: at(east, 80), meters: 5 })),
      ],
    ],
  ])('are ignored: %s', (_, distances) => {
    expect(rangedFix(fixAt(1, 1, 4), distances)).toBeUndefined()
  })

  it('never give anything but a place and a radius, in any order of any distances', () => {
    const meters = fc.double({ min: -10, max: 1_000, noNaN: true })
    const place = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }))
    const distance = fc.record({
      place,
      meters,
      deviation: fc.option(fc.double({ min: 0, max: 1_000, noNaN: true })),
    })
    fc.assert(
      fc.property(
        fc.array(distance, { maxLength: 14 }),
        fc.double({ min: 1, max: 5_000, noNaN: true }),
        (sent, radius) => {
          const distances = sent.map(({ place: [east, north], meters: long, deviation }, index) => ({
            ...{ bssid: index, place: at(east, north), meters: long },
            deviationMeters: deviation ?? undefined,
          }))
          const found = rangedFix(fixAt(0, 0, radius), distances)
          const reversed = rangedFix(fixAt(0, 0, radius), [...distances].reverse())
          expect([reversed?.lat, reversed?.lon, reversed?.used]).toEqual([
            found?.lat,
            found?.lon,
            found?.used,
          ])
          expect(reversed?.radiusAt(95)).toBe(found?.radiusAt(95))
          if (!found) return
          expect(Math.abs(found.lat)).toBeLessThanOrEqual(90)
          expect(found.radiusAt(68)).toBeGreaterThan(0)
          expect(found.radiusAt(95)).toBeLessThan(100_000)
        },
      ),
      { numRuns: 30 },
    )
  })
})
