import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Reading } from './contribution.js'
import {
  cellBytes,
  decodeContribution,
  decodeContributions,
  decodeReadings,
  encodeContribution,
  encodeContributions,
  encodeReadings,
} from './contribution-codec.js'

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

  it('are read back one after the other, however many there are', () => {
    const scan = fc.record({
      ...{ lat: fc.constant(48), lon: fc.constant(11), accuracyMeters: fc.constant(5) },
      atSeconds: fc.integer({ min: 0, max: 2e9 }),
      readings: fc.array(reading, { maxLength: 5 }),
      learned: fc.constant([]),
    })
    fc.assert(
      fc.property(fc.array(scan, { maxLength: 5 }), (scans) => {
        expect(decodeContributions(encodeContributions(scans))).toEqual(scans)
      }),
    )
  })

  it('with radio cells are read back with them, and each cell can be searched for', () => {
    const cell = fc.record(
      {
        radio: fc.constantFrom(2 as const, 3 as const, 4 as const, 5 as const),
        mcc: fc.integer({ min: 1, max: 999 }),
        mnc: fc.integer({ min: 0, max: 999 }),
        area: fc.integer({ min: 0, max: 2 ** 24 - 2 }),
        cell: fc.integer({ min: 0, max: 2 ** 36 - 1 }),
        signalDbm: fc.integer({ min: -156, max: -1 }),
      },
      { requiredKeys: ['radio', 'mcc', 'mnc', 'area', 'cell'] },
    )
    fc.assert(
      fc.property(
        fc.array(reading, { maxLength: 5 }),
        fc.array(cell, { minLength: 1, maxLength: 64 }),
        (readings, cells) => {
          const place = { lat: 48, lon: 11, accuracyMeters: 5, atSeconds: 1 }
          const bytes = encodeContribution({ ...place, readings, learned: [], cells })
          expect(decodeContribution(bytes)).toEqual({ ...place, readings, learned: [], cells })
          for (const one of cells) expect(Buffer.from(bytes).includes(Buffer.from(cellBytes(one)))).toBe(true)
        },
      ),
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
