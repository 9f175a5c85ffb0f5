import { describe, expect, it } from '@jest/globals'
import { freeSlots } from './attempt-limits.js'

const held = (organizationId: string, count: number, failing: boolean) =>
  Array.from({ length: count }, () => ({ organizationId, failing }))

describe('slots of attempts', () => {
  it('are given out by half of what is free at most, and an organization has a quarter of all', () => {
    expect(freeSlots([])).toMatchObject({
      working: { limit: 100, ofOne: 50 },
      failing: { limit: 50, ofOne: 25 },
    })
    expect(freeSlots(held('a', 180, false))).toMatchObject({
      working: { limit: 10, ofOne: 10 },
      failing: { limit: 10, ofOne: 10 },
    })
  })

  it('are left for what works however much fails', () => {
    const { working, failing } = freeSlots(held('a', 100, true))
    expect(working).toMatchObject({ limit: 50, ofOne: 50 })
    expect(failing).toMatchObject({ limit: 0, ofOne: 0 })
  })

  it('are counted for each organization', () => {
    const { working, failing } = freeSlots([
      ...held('a', 3, false),
      ...held('a', 2, true),
      ...held('b', 1, true),
    ])
    expect(working.held).toEqual(new Map([['a', 3]]))
    expect(failing.held).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    )
  })

  it('are all taken by some ten organizations, and not by fewer', () => {
    const underWay: ReturnType<typeof held> = []
    let organizations = 0
    while (freeSlots(underWay).working.limit > 0)
      underWay.push(...held(String(organizations++), freeSlots(underWay).working.ofOne, false))
    expect(underWay).toHaveLength(200)
    expect(organizations).toBeGreaterThanOrEqual(9)
  })
})
