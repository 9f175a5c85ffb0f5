import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Match } from '../references/reference-scans.js'
import { estimateHeight } from './estimate-height.js'
import { steadyFloor } from './steady-floor.js'

const NAMES = ['0', '1', '2']

function match(floor: number, weight: number, altitude = NaN, altitudeAccuracy = NaN): Match {
  return { place: { x: 1, y: 0, z: 0 }, weight, floor, altitude, altitudeAccuracy }
}

describe('the floor of a scan', () => {
  it('is the one of the likest reference scans, and the less probable the fewer of them say it', () => {
    const all = [0.5, 0.3, 0.2].map((weight) => match(3, weight))
    const most = [match(3, 0.5), match(2, 0.3), match(3, 0.2)]
    const [sure, less] = [all, most].map((matches) => estimateHeight(matches, 0.9, NAMES, 12)?.floor)
    expect(sure?.name).toBe('2')
    expect(less?.name).toBe('2')
    expect(sure?.probability).toBeGreaterThan(0.9)
    expect(less?.probability).toBeLessThan(sure?.probability ?? 0)
  })

  it('is less probable where no reference scan is like it, and then nothing is said', () => {
    const matches = [match(1, 0.6), match(2, 0.4)]
    expect(estimateHeight(matches, 0.1, NAMES, 3)).toBeUndefined()
    expect(estimateHeight([], 0, NAMES, 3)).toBeUndefined()
    expect(estimateHeight([match(0, 1)], 1, [], 20)).toBeUndefined()
  })

  it('has a probability from 0 to 1, and one of the names, whatever the matches are', () => {
    const anyMatch = fc
      .record({
        floor: fc.integer({ min: 0, max: 3 }),
        weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
      })
      .map(({ floor, weight }) => match(floor, weight))
    fc.assert(
      fc.property(
        fc.array(anyMatch, { maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 200 }),
        (matches, similarity, heard) => {
          const floor = estimateHeight(matches, similarity, NAMES, heard)?.floor
          if (!floor) return
          expect(NAMES).toContain(floor.name)
          expect(floor.probability).toBeGreaterThanOrEqual(0.3)
          expect(floor.probability).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

describe('the altitude of a scan', () => {
  it('is the mean of those that say one, and as uncertain as they differ and are off', () => {
    const matches = [match(0, 0.5, 520, 3), match(0, 0.25, 526, 3), match(0, 0.25)]
    const altitude = estimateHeight(matches, 0.9, NAMES, 10)?.altitude
    expect(altitude?.meters).toBeCloseTo(522)
    expect(altitude?.accuracyMeters).toBeCloseTo(Math.hypot(Math.sqrt(8), 3))
  })

  it('is not said where most of the matches say none', () => {
    expect(estimateHeight([match(0, 0.4, 520, 3), match(0, 0.6)], 0.9, NAMES, 10)).toBeUndefined()
  })
})

describe('the floor of a device', () => {
  const scan = (name: string | undefined, probability: number, ageMs: number) => ({
    floor: name === undefined ? undefined : { name, probability },
    ageMs,
  })

  it('stays where one scan of several says something else', () => {
    const floors = [scan('1', 0.7, 0), scan('2', 0.95, 4_000), scan('2', 0.95, 8_000)]
    expect(steadyFloor(floors)).toMatchObject({ name: '2' })
    expect(steadyFloor(floors)?.probability).toBeLessThan(0.7)
  })

  it('is that of the latest scan where those before it are long ago, and is none where none says one', () => {
    expect(steadyFloor([scan('1', 0.7, 0), scan('2', 0.99, 110_000)])).toMatchObject({ name: '1' })
    expect(steadyFloor([scan(undefined, 0, 0), scan(undefined, 0, 3_000)])).toBeUndefined()
  })

  it('is no surer than the surest scan', () => {
    expect(steadyFloor([scan('2', 0.8, 0), scan('2', 0.9, 1_000)])?.probability).toBeLessThan(0.9)
  })
})
