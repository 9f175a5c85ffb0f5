import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  ACCESS_POINT_BOUNDS,
  contributorOf,
  contributorsWithout,
  decodeContributors,
  encodeContributors,
  mergeContributors,
  RADIO_CELL_BOUNDS,
} from './contributors.js'
import { groupsOf } from './independent-evidence.js'

const id = (number: number) => `0190a000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
const contributed = (organization: number, lat: number, bounds = ACCESS_POINT_BOUNDS) =>
  contributorOf(id(organization), { lat, lon: 11 }, bounds)
const many = fc.array(
  fc.record({ organization: fc.integer({ min: 1, max: 12 }), at: fc.integer({ min: 0, max: 30 }) }),
  { minLength: 1, maxLength: 80 },
)

describe('the contributors of a shared record', () => {
  it('come to the same in any order and from any parts, and through bytes', () => {
    for (const bounds of [ACCESS_POINT_BOUNDS, RADIO_CELL_BOUNDS])
      fc.assert(
        fc.property(many, fc.integer({ min: 0, max: 80 }), (list, cut) => {
          const parts = list.map(({ organization, at }) => contributed(organization, 48 + at * 0.01, bounds))
          const whole = mergeContributors(parts, bounds)
          const merge = (some: typeof parts) => mergeContributors(some, bounds)
          expect(merge([merge(parts.slice(cut)), merge(parts.slice(0, cut))])).toEqual(whole)
          expect(decodeContributors(encodeContributors(whole))).toEqual(whole)
        }),
      )
  })

  it('are bounded: the eight oldest organizations, and none of the squares of one that was in more than eight', () => {
    const parts = Array.from({ length: 20 }, (_, index) => contributed(30 - index, 48))
    const kept = mergeContributors(parts, ACCESS_POINT_BOUNDS)
    expect(kept.map(({ organization }) => organization)).toEqual([11, 12, 13, 14, 15, 16, 17, 18].map(id))
    const scattered = Array.from({ length: 9 }, (_, index) => contributed(1, 48 + index))
    expect(mergeContributors(scattered, ACCESS_POINT_BOUNDS)).toEqual([{ organization: id(1), squares: [] }])
    const again = mergeContributors([...scattered, contributed(1, 48)], ACCESS_POINT_BOUNDS)
    expect(again).toEqual([{ organization: id(1), squares: [] }])
    const sample = Array.from({ length: 30 }, (_, index) => contributed(1, 48 + index, RADIO_CELL_BOUNDS))
    expect(mergeContributors(sample, RADIO_CELL_BOUNDS)[0]?.squares).toHaveLength(8)
  })

  it('lose the squares of an erased area, and with the last one the organization', () => {
    const both = mergeContributors(
      [contributed(1, 48), contributed(2, 48), contributed(2, 49)],
      ACCESS_POINT_BOUNDS,
    )
    const [gone] = contributed(1, 48)
    const left = contributorsWithout(both, (key) => key !== gone?.squares[0], ACCESS_POINT_BOUNDS)
    expect(left).toEqual(contributed(2, 49))
  })
})

describe('groups of organizations', () => {
  it('have a person in common, directly or through others', () => {
    const groups = groupsOf(
      new Map([
        ['a', ['u1']],
        ['b', ['u1', 'u2']],
        ['c', ['u3', 'u2']],
        ['d', ['u4']],
        ['e', []],
      ]),
    )
    expect(groups.get('a')).toBe(groups.get('c'))
    expect(new Set(groups.values()).size).toBe(3)
  })
})
