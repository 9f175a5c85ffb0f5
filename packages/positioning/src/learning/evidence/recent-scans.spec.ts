import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { compareTrack } from './compare-track.js'
import type { Contribution } from './contribution.js'
import { CACHED_SECONDS, recentAfter, type RecentScans } from './recent-scans.js'

const NOW = 1_700_000_000
const METER = 1 / 111_195
const address = (number: number) => 0x02_00_00_00_00_00 + number * 256

/** Returns a scan of a walk, 12 m after the one before it. */
function scan(index: number, signals: Readonly<Record<number, number>>, everySeconds = 10): Contribution {
  const readings = Object.entries(signals).map(([number, signalDbm]) => ({
    bssid: address(Number(number)),
    signalDbm,
  }))
  return {
    ...{ lat: 48 + index * 12 * METER, lon: 11, accuracyMeters: 8 },
    ...{ atSeconds: NOW - 5_000 + index * everySeconds, readings },
  }
}
const after = (...scans: readonly Contribution[]) => scans.reduce<RecentScans>(recentAfter, [])
const shown = (recent: RecentScans) =>
  recent.map(({ atSeconds, readings }) => [
    atSeconds - NOW + 5_000,
    ...readings.map(({ bssid, signalDbm }) => `${String((bssid - address(0)) / 256)}=${String(signalDbm)}`),
  ])

describe('recent scans', () => {
  it('have of each access point its last signal, in the scan that had it first', () => {
    expect(
      shown(after(scan(0, { 1: -50, 2: -60 }), scan(1, { 1: -51 }), scan(2, { 2: -60, 3: -70 }))),
    ).toEqual([
      [0, '2=-60'],
      [10, '1=-51'],
      [20, '3=-70'],
    ])
  })

  it('reach back two minutes, and hold no more readings than a few scans in a dense town have', () => {
    expect(shown(after(scan(0, { 1: -50 }), scan(12, { 2: -50 }), scan(13, { 3: -50 })))).toEqual([
      [120, '2=-50'],
      [130, '3=-50'],
    ])
    const dense = Array.from({ length: 12 }, (_, index) =>
      scan(index, Object.fromEntries(Array.from({ length: 60 }, (__, one) => [100 * index + one, -50]))),
    )
    const recent = after(...dense)
    expect(recent.flatMap(({ readings }) => readings).length).toBeLessThanOrEqual(512)
    expect(recent.at(-1)?.atSeconds).toBe(dense.at(-1)?.atSeconds)
  })

  it('of scans that do not say when they were taken are the last one', () => {
    expect(shown(after(scan(0, { 1: -50 }, 0), scan(1, { 2: -50 }, 0)))).toEqual([[0, '2=-50']])
  })

  it('are the same if their last scan comes once more', () => {
    const signals = fc.dictionary(fc.constantFrom('1', '2', '3', '4'), fc.integer({ min: -55, max: -50 }))
    fc.assert(
      fc.property(fc.array(signals, { minLength: 1, maxLength: 20 }), (walk) => {
        const scans = walk.map((one, index) => scan(index, one))
        expect(after(...scans, ...scans.slice(-1))).toEqual(after(...scans))
        for (const { atSeconds } of after(...scans))
          expect(NOW - 5_000 + 10 * (walk.length - 1) - atSeconds).toBeLessThanOrEqual(CACHED_SECONDS)
      }),
    )
  })
})

describe('a phone that reports access points from its cache', () => {
  const learned = (...scans: readonly Contribution[]) =>
    compareTrack(scans, undefined, true, NOW).compared.map(({ update }) =>
      update.accepted ? update.readings.map(({ bssid }) => (bssid - address(0)) / 256) : [],
    )

  it('is recognized after a scan in which they were missing, and while it walks slowly', () => {
    expect(
      learned(
        scan(0, { 1: -50, 2: -60 }),
        scan(1, { 2: -60, 3: -71 }),
        scan(2, { 1: -50, 2: -60, 3: -70 }),
        scan(3, { 1: -57, 2: -60, 3: -66 }),
      ),
    ).toEqual([[1, 2], [2, 3], [3], [1, 3]])
  })

  it('is believed again after two minutes', () => {
    expect(learned(scan(0, { 1: -50 }), scan(6, { 2: -60 }), scan(13, { 1: -50 }))).toEqual([[1], [2], [1]])
  })
})
