import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Reading } from './contribution.js'
import {
  decodeContribution,
  decodeReadings,
  encodeContribution,
  encodeReadings,
} from './contribution-codec.js'
import { age, merge, statisticsOf } from './statistics.js'
import { decodeStatistics, encodeStatistics } from './statistics-codec.js'
import { observations } from './test-observations.js'

describe('statistics as bytes', () => {
  it('are read back bit by bit, however far they have aged', () => {
    fc.assert(
      fc.property(observations, fc.integer({ min: 0, max: 70 }), (seen, periods) => {
        const together = merge(seen.map(statisticsOf))
        const aged = age(together, together.period + periods)
        expect(decodeStatistics(encodeStatistics(aged))).toEqual(aged)
      }),
    )
  })

  it('are the same bytes, whatever came first', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const parts = seen.map(statisticsOf)
        expect(encodeStatistics(merge(parts))).toEqual(encodeStatistics(merge(parts.reverse())))
      }),
    )
  })

  it('are few: 50 at most for one observation, 25 more for each cell and 16 for each site', () => {
    fc.assert(
      fc.property(observations, (seen) => {
        const parts = seen.map((observation) => statisticsOf({ ...observation, day: 20_000 }))
        expect(encodeStatistics(merge(parts.slice(0, 1))).length).toBeLessThanOrEqual(50)
        const together = merge(parts)
        const cells = together.bands.reduce((sum, band) => sum + band.cells.length, 0)
        const sites = together.sites.sites.length
        expect(encodeStatistics(together).length).toBeLessThanOrEqual(40 + 25 * cells + 16 * sites)
      }),
    )
  })

  it('that were cut off, or are of another version, are refused', () => {
    const bytes = encodeStatistics(statisticsOf({ lat: 48, lon: 11, signalDbm: -60, weight: 8, day: 20_000 }))
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeStatistics(bytes.subarray(0, length))).toThrow(RangeError)
    expect(() => decodeStatistics(Uint8Array.of(2, ...bytes.subarray(1)))).toThrow(RangeError)
    expect(() => decodeStatistics(Uint8Array.of(...bytes, 0))).toThrow(RangeError)
  })
})

const reading = fc.record(
  {
    bssid: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
    signalDbm: fc.integer({ min: -128, max: -1 }),
    ageMs: fc.integer({ min: 0, max: 65_534 }),
  },
  { requiredKeys: ['bssid', 'signalDbm'] },
)

describe('contributions as bytes', () => {
  it('are read back as they were, with what was learned from them', () => {
    const contribution = fc.record(
      {
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lon: fc.double({ min: -180, max: 180, noNaN: true }),
        accuracyMeters: fc.double({ min: 0, max: 1e6, noNaN: true }),
        atSeconds: fc.double({ min: 0, max: 4e9, noNaN: true }),
        speedMetersPerSecond: fc.double({ min: 0, max: 300, noNaN: true }),
        readings: fc.array(reading, { maxLength: 40 }),
      },
      { requiredKeys: ['lat', 'lon', 'accuracyMeters', 'atSeconds', 'readings'] },
    )
    fc.assert(
      fc.property(contribution, fc.integer({ min: 1, max: 4 }), (sent, every) => {
        const learned = sent.readings.filter((_, index) => index % every === 0)
        expect(decodeContribution(encodeContribution({ ...sent, learned }))).toEqual({ ...sent, learned })
      }),
    )
  })

  it('of another version are refused', () => {
    expect(() => decodeContribution(Uint8Array.of(9, 0, 0))).toThrow(RangeError)
  })
})

it('what a reference scan heard is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 40 }), (readings: readonly Reading[]) => {
      expect(decodeReadings(encodeReadings(readings))).toEqual(
        readings.map(({ bssid, signalDbm }) => [bssid, signalDbm]),
      )
    }),
  )
})
