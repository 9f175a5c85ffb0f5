import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { compareTrack, type DeviceTrack } from './compare-track.js'
import type { Contribution } from './contribution.js'

const NOW = 1_700_000_000
const METER = 1 / 111_195

/** Signals that repeat only after twenty scans. */
const heard = (index: number) =>
  [1, 2, 3].map((number) => ({ bssid: 0x02_00_00_00_00_00 + number * 256, signalDbm: -40 - index - number }))

/** Returns a scan of a walk: each town is 300 km from the others. */
function scan(index: number, town: number, more: Partial<Contribution> = {}): Contribution {
  return {
    ...{ lat: 48 + 2.7 * town + index * 12 * METER, lon: 11, accuracyMeters: 8 },
    ...{ atSeconds: NOW - 5_000 + index * 10, readings: heard(index % 20) },
    ...more,
  }
}
const tour = (...towns: number[]) => towns.map((town, index) => scan(index, town))
const towns = (town: number, count: number) => Array.from({ length: count }, () => town)
/** Returns the outcome of each: +, or the reason against it. */
const outcomes = (track: readonly Contribution[], isNamed = true, known?: DeviceTrack) =>
  compareTrack(track, known, isNamed, NOW).compared.map(({ update }) =>
    update.accepted ? '+' : update.reason === 'impossible_jump' ? '-' : update.reason,
  )

describe('a device whose first position was wrong', () => {
  it('continues where its scans agree, and they are learned', () => {
    expect(outcomes(tour(1, ...towns(0, 200)))).toEqual(Array.from({ length: 201 }, () => '+'))
  })

  it('continues there when they come one by one, too: those that were refused before stay refused', () => {
    let known: DeviceTrack | undefined
    const updates = tour(1, ...towns(0, 6)).flatMap((one) => {
      const before = known
      known = compareTrack([one], known, true, NOW).track
      return outcomes([one], true, before)
    })
    expect(updates.join('')).toBe('+--++++')
  })

  it('does not learn there what it had heard where it was before', () => {
    const [first, second, third] = [scan(1, 0, { readings: heard(0) }), scan(2, 0), scan(3, 0)]
    expect(outcomes([scan(0, 1), first, second, third])).toEqual(['+', 'nothing_fresh', '+', '+'])
  })
})

describe('a device that is now and then where it cannot be', () => {
  it.each([
    ['once', [0, 0, 0, 1, 0, 0, 0, 0], '+++-++++'],
    ['twice in a row', [0, 0, 0, 1, 1, 0, 0, 0], '+++--+++'],
    ['in three towns', [0, 0, 1, 2, 3, 1, 0, 0], '++----++'],
    ['every other time', [0, 1, 0, 1, 0, 1, 0, 1], '+-+-+-+-'],
    ['two of three times', [0, 1, 1, 0, 1, 1, 0, 1, 1], '+--+--+--'],
  ])('is where it was: %s', (_, where, expected) => {
    expect(outcomes(tour(...where)).join('')).toBe(expected)
  })

  it('is where it was, however often it says something else at one time', () => {
    const wrong = [scan(1, 1), scan(1, 1), scan(1, 1)]
    expect(outcomes([scan(0, 0), ...wrong, scan(2, 0)]).join('')).toBe('+---+')
  })
})

it('scans without a name that come in turns from two towns are of two devices, and nothing is refused', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 8, maxLength: 60 }), (turns) => {
      const track = tour(...turns.flatMap((isFirst) => (isFirst ? [0, 1, 1] : [0, 1])))
      expect(outcomes(track, false)).toEqual(track.map(() => '+'))
    }),
  )
})

it('a track comes to the same however its scans are parted, and whatever of it comes again; who comes together learns more', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ town: fc.integer({ min: 0, max: 2 }), cut: fc.boolean(), again: fc.nat(9) })),
      (steps) => {
        const track = tour(...steps.map(({ town }) => town))
        const whole = compareTrack(track, undefined, true, NOW)
        let known: DeviceTrack | undefined
        const learned: boolean[] = []
        let start = 0
        steps.forEach(({ cut, again }, index) => {
          if (!cut && index < steps.length - 1) return
          const { compared, track: next } = compareTrack(track.slice(start, index + 1), known, true, NOW)
          learned.push(...compared.map(({ update }) => update.accepted))
          // The same messages again, with some of those before them: what was learned from them is known by their ids.
          known = compareTrack(track.slice(Math.max(0, start - again), index + 1), next, true, NOW).track
          expect(known).toEqual(next)
          start = index + 1
        })
        expect(known).toEqual(whole.track)
        learned.forEach((isLearned, index) => {
          if (isLearned) expect(whole.compared[index]?.update.accepted).toBe(true)
        })
      },
    ),
    { numRuns: 300 },
  )
})
