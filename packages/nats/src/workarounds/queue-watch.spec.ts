import { describe, expect, it } from '@jest/globals'
import { QueueWatch, type QueueState } from './queue-watch.js'

const LOOK_MS = 2_000
const HELD_MS = 60_000

/** A queue of which 100 messages were stored and 90 are acknowledged. */
const healthy: QueueState = {
  lying: [10, 10],
  stored: 100,
  waiting: 4,
  handedOut: 6,
  deliveries: 96,
  floor: 90,
}

/** After which look it counts as hurt; undefined: after none. */
function hurtAfter(states: readonly QueueState[]): number | undefined {
  const watch = new QueueWatch()
  const found = states.findIndex((state, look) => watch.isHurt(state, look * LOOK_MS))
  return found < 0 ? undefined : found + 1
}
const often = (state: QueueState, looks = 100) => Array.from({ length: looks }, () => state)

describe('a queue is hurt', () => {
  it.each([
    ['counts messages as delivered that are gone', { handedOut: 8 }],
    ['does not know messages that lie there', { waiting: 0 }],
    ['knows none, and three lie there', { lying: [3, 3], waiting: 0, handedOut: 0 }],
  ] as const)('where its consumer %s, and nothing moves', (_, wrong) => {
    expect(hurtAfter(often({ ...healthy, ...wrong }))).toBe(4)
  })

  it('where more comes all the time, and nothing is handed out', () => {
    const states = often(healthy).map((state, look) => {
      const came = 5 * look
      return {
        ...state,
        lying: [10 + came, 12 + came],
        stored: 100 + came,
        waiting: 2 + came,
        handedOut: 15,
      } as const
    })
    expect(hurtAfter(states)).toBe(4)
  })

  it('where others get through for a minute and one never does', () => {
    const states = often(healthy).map((state, look) => {
      const got = 7 * look
      return { ...state, stored: 100 + got, deliveries: 96 + got }
    })
    expect(hurtAfter(states)).toBe(1 + HELD_MS / LOOK_MS)
  })

  it('and not again until the repaired consumer had its time, which doubles each time that it did not help', () => {
    const watch = new QueueWatch()
    const hurt = { ...healthy, waiting: 0 }
    const states = [...often(hurt, 150), healthy, ...often(hurt, 100)]
    const found = states.flatMap((state, look) => (watch.isHurt(state, look * LOOK_MS) ? look * LOOK_MS : []))
    expect(found).toEqual([6_000, 36_000, 96_000, 216_000, 456_000, 486_000])
  })
})

describe('a queue is not hurt', () => {
  it('if it is empty, or nobody consumes it', () => {
    expect(hurtAfter(often({ ...healthy, lying: [0, 0], waiting: 0, handedOut: 0 }))).toBeUndefined()
    expect(hurtAfter(often(healthy))).toBeUndefined()
  })

  it('where more comes while it is looked at', () => {
    expect(hurtAfter(often({ ...healthy, lying: [10, 400], waiting: 200 }))).toBeUndefined()
  })

  it('where what it hands out cannot be handled for a while', () => {
    const states = often(healthy).map((state, look) => {
      const came = 5 * look
      return { ...state, lying: [10 + came, 10 + came], stored: 100 + came, waiting: 4 + came } as const
    })
    expect(hurtAfter(states)).toBeUndefined()
  })

  it('where it is busy and numbers never fit, as they were asked one after the other', () => {
    const states = often(healthy).map((state, look) => ({
      ...state,
      stored: 100 + 7 * look,
      deliveries: 96 + 9 * look,
      floor: 90 + 7 * look,
      waiting: 900,
    }))
    expect(hurtAfter(states)).toBeUndefined()
  })

  it('where its server came back with more, and catches up', () => {
    const states = [...often(healthy, 20), ...often({ ...healthy, lying: [60, 60], waiting: 54 }, 80)]
    expect(hurtAfter(states)).toBeUndefined()
  })
})
