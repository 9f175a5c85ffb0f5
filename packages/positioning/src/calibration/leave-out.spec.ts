import { describe, expect, it } from '@jest/globals'
import { leaveOut, type SurveyedScan } from './leave-out.js'
import { LEAST_OUTCOMES, ownCalibration } from './own-calibration.js'
import {
  DEFAULT_CALIBRATION,
  LEARNED_FEATURES,
  radiusOf,
  shareWithin,
  type Calibration,
} from '../estimate/uncertainty.js'

const METER = 1 / 111_195

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

/**
 * Returns a walk through a made-up building of 80 × 60 m, whose devices measure with an error of so many dB and whose positions are off
 * by so many meters on an axis.
 */
function walk(count: number, noiseDb: number, truthMeters: number, seed: number): SurveyedScan[] {
  const next = numbers(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const transmitters = Array.from({ length: 16 }, (_, number) => ({
    bssid: 0x02_00_00_00_00_00 + number * 0x1_00_00,
    x: next() * 80,
    y: next() * 60,
  }))
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [next() * 80, next() * 60]
    const readings = transmitters.flatMap((one) => {
      const meters = Math.max(1, Math.hypot(one.x - x, one.y - y))
      const signalDbm = Math.round(-35 - 30 * Math.log10(meters) + noiseDb * normal())
      return signalDbm > -88 && signalDbm < 0 ? [{ bssid: one.bssid, signalDbm }] : []
    })
    return {
      ...{ project: 'a', atSeconds: 1.7e9 + index, accuracyMeters: 8, readings },
      lat: 48 + (y + truthMeters * normal()) * METER,
      lon: 11 + ((x + truthMeters * normal()) * METER) / Math.cos((48 * Math.PI) / 180),
    }
  })
}

describe('scans that are left out', () => {
  it('are located from all the others, those of other projects for their statistics alone', () => {
    const scans = walk(300, 3, 0, 1)
    const { learned: alone, positions } = leaveOut(scans, 10, 300)
    expect(alone.map((block) => block.length)).toEqual(Array.from({ length: 10 }, () => 30))
    const median = alone
      .flat()
      .map(({ errorMeters }) => errorMeters)
      .sort((a, b) => a - b)[150]
    expect(median).toBeLessThan(10)
    const apart = scans.map((scan, index) => ({ ...scan, project: String(index) }))
    expect(positions.flat().length).toBe(300)
    const similarity = (blocks: typeof alone) => blocks.flat().map(({ features }) => features[3])
    expect(similarity(alone).every((value) => Number(value) > 0)).toBe(true)
    expect(similarity(leaveOut(apart, 10, 300).learned).every((value) => value === 0)).toBe(true)
  })

  it('are not known from their own block', () => {
    const scans = walk(100, 3, 0, 2).map((scan, index) => ({
      ...scan,
      readings: scan.readings.map(({ bssid, signalDbm }) => ({
        bssid: bssid + Math.floor(index / 10) * 0x01_00_00_00_00,
        signalDbm,
      })),
    }))
    expect(leaveOut(scans, 10, 100).learned.flat()).toEqual([])
  })

  it('are not known from their neighbors where they do not say when they were taken', () => {
    // At each of ten places ten scans, of which each place has access points of its own; in any order.
    const scans = walk(10, 3, 0, 2).flatMap((scan, place) =>
      Array.from({ length: 10 }, (_, index) => ({
        ...scan,
        ...{ lat: scan.lat + (1_000 * place + index) * METER, atSeconds: 1.7e9 },
        readings: scan.readings.map(({ bssid, signalDbm }) => ({
          bssid: bssid + place * 0x01_00_00_00_00,
          signalDbm,
        })),
      })),
    )
    const next = numbers(7)
    const shuffled = scans.map((scan) => ({ scan, at: next() })).sort((a, b) => a.at - b.at)
    const outcomes = leaveOut(
      shuffled.map(({ scan }) => scan),
      10,
      100,
    )
    expect(outcomes.learned.flat()).toEqual([])
  })

  it('are as many as may be, spread over all', () => {
    expect(leaveOut(walk(300, 3, 0, 3), 10, 100).learned.map((block) => block.length)).toEqual(
      Array.from({ length: 10 }, () => 10),
    )
    expect(leaveOut([], 10, 100)).toEqual({ learned: [], positions: [] })
  })
})

describe('the calibration of an organization', () => {
  it('whose devices measure badly, and whose positions are rough, holds as often as it says, nearer than what Bearing comes with', () => {
    const { calibration, outcomes, held } = ownCalibration(leaveOut(walk(500, 8, 25, 4), 10, 500))
    expect(outcomes).toBeGreaterThan(450)
    // Judged by scans of the same kind that it has never seen.
    const others = leaveOut(walk(500, 8, 25, 5), 10, 500)
    const missBy = (own: Calibration, of: 'learned' | 'positions' = 'learned') =>
      Math.abs(shareWithin(others[of].flat(), own, 68) - 0.68) +
      Math.abs(shareWithin(others[of].flat(), own, 95) - 0.95)
    if (!calibration) throw new Error('what Bearing comes with was kept')
    expect(missBy(calibration)).toBeLessThan(0.7 * missBy(DEFAULT_CALIBRATION))
    expect(missBy(calibration)).toBeLessThan(0.1)
    expect(missBy(calibration, 'positions')).toBeLessThan(0.12)
    const off = (p68 = 0) => Math.abs(p68 - 0.68)
    expect(off(held?.own.p68)).toBeLessThanOrEqual(off(held?.usual.p68))
    expect(held?.own.p95 ?? 0).toBeGreaterThan(0.91)
  })

  it('multiplies radii of 68 % by what scans say beyond a tolerance, and makes radii of 95 % only larger', () => {
    const features = Float64Array.of(1, 1.1, 2.2, 0.7, 0, 0.9, 2, 0, 0, 0, 0, 0)
    const radius = (confidence: number, calibration: Calibration = DEFAULT_CALIBRATION) =>
      radiusOf(features, calibration, confidence)
    /** How many times larger than the shipped radius it becomes, if so many times the shipped one holds so often. */
    const own = (confidence: 68 | 95, share: number, factor: number) => {
      const learned = Array.from({ length: 999 }, (_, index) => ({
        features,
        errorMeters: (factor * radius(confidence) * (index + 1)) / (share * 1_000),
      }))
      const { calibration } = ownCalibration({ learned: [learned], positions: [] })
      return radius(confidence, calibration) / radius(confidence)
    }
    for (const factor of [0.85, 1, 1.19]) expect(own(68, 0.68, factor)).toBeCloseTo(1, 6)
    expect(own(68, 0.68, 2.4)).toBeCloseTo(2, 2)
    expect(own(68, 0.68, 0.5)).toBeCloseTo(0.6, 2)
    expect(own(95, 0.97, 2)).toBeCloseTo(2, 2)
    expect(own(95, 0.97, 0.5)).toBeCloseTo(1, 6)
  })

  it('is fitted to positions alone apart, with the same factor for all of them', () => {
    const features = Float64Array.of(0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 1, 2)
    const positions = Array.from({ length: LEAST_OUTCOMES }, () => ({
      features,
      errorMeters: 3 * radiusOf(features, DEFAULT_CALIBRATION, 68),
    }))
    const { calibration } = ownCalibration({ learned: [], positions: [positions] })
    if (!calibration) throw new Error('there is no calibration')
    expect(calibration.p68[LEARNED_FEATURES]).toBeGreaterThan(
      DEFAULT_CALIBRATION.p68[LEARNED_FEATURES] ?? NaN,
    )
    for (const quantile of ['p68', 'p95'] as const) {
      const shipped = DEFAULT_CALIBRATION[quantile]
      expect(calibration[quantile].with(LEARNED_FEATURES, 0)).toEqual(shipped.with(LEARNED_FEATURES, 0))
    }
  })

  it('needs enough outcomes', () => {
    const blocks = leaveOut(walk(LEAST_OUTCOMES - 1, 8, 25, 6), 10, LEAST_OUTCOMES)
    expect(ownCalibration(blocks)).toMatchObject({ calibration: undefined, held: undefined })
    expect(ownCalibration({ learned: [], positions: [] })).toEqual({
      calibration: undefined,
      outcomes: 0,
      held: undefined,
    })
  })
})
