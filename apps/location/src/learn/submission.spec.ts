import { describe, expect, it } from '@jest/globals'
import type { Contribution } from '@bearing/positioning/learning/evidence/contribution'
import { v7 } from 'uuid'
import { updatesFrom, type QueuedObservation } from './submission.js'

const NOW = 1_700_000_000
const METER = 1 / 111_195

const address = (number: number) => 0x02_00_00_00_00_00 + number
/** Signals of three access points that nobody else receives like that. */
const heard = (scan: number) =>
  [1, 2, 3].map((number) => ({ bssid: address(number), signalDbm: -40 - 3 * (scan % 20) - number }))

function submitted(contribution: Partial<Contribution>, device: string | null = null): QueuedObservation {
  return {
    id: v7(),
    organizationId: 'organization',
    projectId: 'project',
    network: null,
    device,
    contribution: {
      ...{ lat: 48, lon: 11, accuracyMeters: 5, atSeconds: NOW, readings: heard(0) },
      ...contribution,
    },
  }
}
/** Returns the refusals of one submission, by place in it. */
const refused = (submission: readonly QueuedObservation[]) => {
  const { updates } = updatesFrom([submission], new Map(), NOW + 3_600)
  return submission.map((one) => {
    const update = updates.find((each) => each.observation === one)?.update
    return update?.accepted === false ? update.reason : undefined
  })
}
const walk = (scan: number, more: Partial<Contribution> = {}): Partial<Contribution> => ({
  lat: 48 + scan * 20 * METER,
  atSeconds: NOW + scan * 10,
  readings: heard(scan),
  ...more,
})

describe('a submission that names no device', () => {
  it('is that of one device that walks, with a position that was wrong', () => {
    const scans = Array.from({ length: 12 }, (_, scan) => submitted(walk(scan)))
    scans[6] = submitted(walk(6, { lat: 49 }))
    expect(refused(scans)).toEqual(scans.map((_, scan) => (scan === 6 ? 'impossible_jump' : undefined)))
  })

  it('is that of several where no device could travel like that: nothing of it is refused, and nothing is taken for a copy', () => {
    const scans = Array.from({ length: 12 }, (_, scan) =>
      // Two towns in turns, ten seconds apart; all receive the same signals.
      submitted(walk(scan, { lat: scan % 2 === 0 ? 48 : 49, readings: heard(0) })),
    )
    expect(refused(scans)).toEqual(scans.map(() => undefined))
  })

  it.each([
    ['the scans of one come before those of the other', 6],
    ['a wrong position comes first, from which all others are too far', 1],
  ])('is refused nothing where %s', (_, first) => {
    const scans = Array.from({ length: 30 }, (_one, scan) =>
      submitted(walk(scan, scan < first ? { lat: 49 } : {})),
    )
    expect(refused(scans)).toEqual(scans.map(() => undefined))
  })

  it('may send wrong positions now and then', () => {
    const scans = Array.from({ length: 40 }, (_, scan) =>
      submitted(walk(scan, scan % 13 === 6 ? { lat: 49 } : {})),
    )
    expect(refused(scans)).toEqual(scans.map((_, scan) => (scan % 13 === 6 ? 'impossible_jump' : undefined)))
  })

  it('and no times is read in its order: what a moving device repeats is a copy, and no step is too long', () => {
    const scans = [
      submitted(walk(0, { atSeconds: NOW })),
      submitted(walk(1, { atSeconds: NOW })),
      submitted(walk(2, { atSeconds: NOW, readings: heard(1) })),
      submitted(walk(9, { atSeconds: NOW })),
    ]
    expect(refused(scans)).toEqual([undefined, undefined, 'nothing_fresh', undefined])
  })
})

it('a device that does not say when continues where it was last', () => {
  const scans = Array.from({ length: 10 }, (_, scan) => submitted(walk(scan, { atSeconds: NOW }), 'device'))
  const { tracks } = updatesFrom([scans], new Map(), NOW)
  expect(tracks.get('device')?.last.lat).toBe(scans.at(-1)?.contribution.lat)
})

it('a device that has a name cannot be in two towns at the same time', () => {
  const scans = Array.from({ length: 4 }, (_, scan) =>
    submitted(walk(scan, { lat: scan % 2 === 0 ? 48 : 49 }), 'device'),
  )
  expect(refused(scans)).toEqual([undefined, 'impossible_jump', undefined, 'impossible_jump'])
})
