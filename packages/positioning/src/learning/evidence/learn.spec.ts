import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Contribution } from './contribution.js'
import { freshReadings } from './fresh-readings.js'
import { addScans, updateFrom, type ScanUpdate } from './learn.js'
import { implausible } from './plausibility.js'
import { MOST_IN_A_CELL, selectReferences } from './reference-selection.js'

const NOW = 1_700_000_000
const METER = 1 / 111_195
const address = (number: number) => 0x02_00_00_00_00_00 + number

function contribution(changed: Partial<Contribution> = {}): Contribution {
  const readings = [1, 2, 3].map((number) => ({ bssid: address(number), signalDbm: -50 - number }))
  return { lat: 48, lon: 11, accuracyMeters: 5, atSeconds: NOW, readings, ...changed }
}

describe('a contribution', () => {
  it.each([
    ['inaccurate_position', { accuracyMeters: 201 }],
    ['inaccurate_position', { accuracyMeters: Number.NaN }],
    ['too_fast', { speedMetersPerSecond: 51 }],
    ['null_island', { lat: 0.5, lon: -0.5 }],
    ['in_the_future', { atSeconds: NOW + 301 }],
    ['clock_not_set', { atSeconds: 0 }],
    // GPS counts its weeks from here, and cheap clocks their days from 2000.
    ['clock_not_set', { atSeconds: Date.UTC(1980, 0, 6) / 1_000 }],
    ['clock_not_set', { atSeconds: Date.UTC(2000, 11, 31, 23, 59, 59) / 1_000 }],
    ['clock_not_set', { atSeconds: NOW / 1_000 }],
  ] as const)('that cannot be true is not learned: %s', (reason, changed) => {
    expect(updateFrom(contribution(changed), undefined, NOW)).toEqual({ accepted: false, reason })
  })

  it('of an old survey is learned from', () => {
    const atSeconds = Date.UTC(2001, 0, 1) / 1_000
    expect(updateFrom(contribution({ atSeconds }), undefined, NOW)).toMatchObject({ accepted: true })
  })

  it('from where the device cannot have come is not learned', () => {
    const previous = contribution({ lat: 48 + 1_000 * METER, atSeconds: NOW - 10 })
    expect(implausible(contribution(), previous, NOW)).toBe('impossible_jump')
    expect(implausible(contribution(), { ...previous, atSeconds: NOW - 30 }, NOW)).toBeUndefined()
    // Of the very same time nobody knows how long it had.
    expect(implausible(contribution(), { ...previous, atSeconds: NOW }, NOW)).toBeUndefined()
  })

  it('adds the same together with others as one after the other, and in any order', () => {
    const updates = Array.from({ length: 12 }, (_, index): ScanUpdate => {
      const readings = [1, 2, 3].map((number) => ({
        bssid: address(number),
        signalDbm: -40 - index - number,
      }))
      const scan = contribution({ lat: 48 + index * 7 * METER, readings })
      return { contribution: scan, update: updateFrom(scan, undefined, NOW) }
    })
    const together = addScans(new Map(), updates)
    const oneByOne = updates.reduce((known, update) => addScans(known, [update]), new Map())
    expect(oneByOne).toEqual(together)
    fc.assert(
      fc.property(fc.shuffledSubarray(updates, { minLength: updates.length }), (shuffled) => {
        expect(addScans(new Map(), shuffled)).toEqual(together)
      }),
    )
  })
})

describe('fresh readings', () => {
  const away = (meters: number, seconds = 20) =>
    contribution({ lat: 48 + meters * METER, atSeconds: NOW - seconds })

  it('leave out the same signals again after the device moved: they are old entries of its list', () => {
    const readings = [
      { bssid: address(1), signalDbm: -51 },
      { bssid: address(2), signalDbm: -60 },
      { bssid: address(4), signalDbm: -70 },
    ]
    expect(freshReadings(contribution({ readings }), [away(30)]).map(({ bssid }) => bssid)).toEqual([
      address(2),
      address(4),
    ])
    const before = { last: away(30), recent: [away(30)] }
    expect(updateFrom(contribution(), before, NOW)).toEqual({ accepted: false, reason: 'nothing_fresh' })
  })

  it('keep the same signals where the device stood still, or where the other scan is long ago', () => {
    expect(freshReadings(contribution(), [away(5)])).toHaveLength(3)
    expect(freshReadings(contribution(), [away(30, 121)])).toHaveLength(3)
    expect(freshReadings(contribution(), [])).toHaveLength(3)
  })

  it('keep the same signals where the device says that it received them since', () => {
    const aged = (ageMs: number) =>
      contribution({ readings: contribution().readings.map((reading) => ({ ...reading, ageMs })) })
    expect(freshReadings(aged(19_000), [away(30)])).toHaveLength(3)
    expect(freshReadings(aged(0), [away(30)])).toEqual([])
    expect(freshReadings(aged(20_000), [away(30)])).toEqual([])
  })

  it('leave out what is old, what no radio reports, and addresses that no access point has', () => {
    const readings = [
      { bssid: address(1), signalDbm: -50, ageMs: 20_001 },
      { bssid: address(2), signalDbm: 0 },
      { bssid: address(3), signalDbm: -111 },
      { bssid: 0, signalDbm: -50 },
      { bssid: 2 ** 48 - 1, signalDbm: -50 },
      { bssid: address(4), signalDbm: -80 },
      { bssid: address(4), signalDbm: -70 },
    ]
    expect(freshReadings(contribution({ readings }), [])).toEqual([{ bssid: address(4), signalDbm: -70 }])
  })
})

describe('reference scans', () => {
  const candidates = Array.from({ length: 300 }, (_, index) => ({
    id: `scan-${String(index)}`,
    lat: 48 + (index % 3) * 100 * METER,
    lon: 11,
    atSeconds: NOW - index * 86_400,
    accuracyMeters: 5,
    heard: 10,
  }))

  it('are the same selected of parts first, in any order', () => {
    const whole = new Set(selectReferences(candidates))
    expect(whole.size).toBe(3 * MOST_IN_A_CELL)
    fc.assert(
      fc.property(
        fc.shuffledSubarray(candidates, { minLength: candidates.length }),
        fc.nat(candidates.length),
        (shuffled, cut) => {
          const parts = [shuffled.slice(0, cut), shuffled.slice(cut)].map((part) => selectReferences(part))
          expect(new Set(selectReferences(parts.flat()))).toEqual(whole)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('are of the latest season, exactly placed, and of at least two access points', () => {
    const seasons = new Set(
      selectReferences(candidates).map(({ atSeconds }) => NOW - atSeconds < 280 * 86_400),
    )
    expect(seasons).toEqual(new Set([true]))
    const [first] = candidates
    if (!first) throw new Error('there is one')
    expect(selectReferences([{ ...first, accuracyMeters: 26 }])).toEqual([])
    expect(selectReferences([{ ...first, heard: 1 }])).toEqual([])
  })
})
