import { describe, expect, it } from '@jest/globals'
import { baselines, type Surveyed } from './baselines.js'

const METER = 1 / 111_195
const reading = (number: number, signalDbm: number, ageMs = 0) => ({
  bssid: 0x02_00_00_00_00_00 + 64 * number,
  signalDbm,
  ageMs,
})
/** A scan so many meters north of a place, of access points with the same signal. */
function scan(north: number, numbers: readonly number[], signalDbm = -60, lat = 48): Surveyed {
  return {
    lat: lat + north * METER,
    lon: 11,
    accuracyMeters: 5,
    readings: numbers.map((number) => reading(number, signalDbm)),
  }
}
const north = (lat: number | undefined, from = 48) => ((lat ?? Number.NaN) - from) / METER

describe('estimators to compare with', () => {
  const known = [scan(0, [1]), scan(40, [1]), scan(100, [2]), scan(140, [2]), scan(5_000, [3])]
  const { centroid, ichnaea, beacondb } = baselines(known)

  it('need two known access points', () => {
    for (const locate of [centroid, ichnaea, beacondb])
      expect(locate([reading(1, -60), reading(9, -60)])).toBeUndefined()
  })

  it('take the mean of what is known: without, and with the weights of signals', () => {
    const heard = [reading(1, -50), reading(2, -70)]
    expect(north(centroid(heard)?.lat)).toBeCloseTo(70, 1)
    expect(north(ichnaea(heard)?.lat)).toBeCloseTo(
      (20 / 50 ** 4 + 120 / 70 ** 4) / (1 / 50 ** 4 + 1 / 70 ** 4),
      1,
    )
    const weight = (signal: number) => (1 / (signal - 20) ** 2) ** 2
    expect(north(beacondb(heard)?.lat)).toBeCloseTo(
      (20 * weight(-50) + 120 * weight(-70)) / (weight(-50) + weight(-70)),
      1,
    )
    expect(beacondb(heard)?.radiusMeters).toBe(50)
  })

  it('of ichnaea leaves out what lies further than 500 m from the rest', () => {
    const near = [reading(1, -60), reading(2, -60)]
    expect(ichnaea([...near, reading(3, -30)])).toEqual(ichnaea(near))
  })

  it('find places far from each other alike', () => {
    const far = baselines([...known, scan(0, [4], -60, -33), scan(60, [5], -60, -33)])
    expect(north(far.centroid([reading(4, -60), reading(5, -60)])?.lat, -33)).toBeCloseTo(30, 1)
  })
})
