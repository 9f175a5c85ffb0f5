import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { EARTH_RADIUS_METERS, squaredDistance, toVector } from '../../earth/sphere.js'
import { modelOf } from './model-of.js'
import { merge, statisticsOf, WHOLE_WEIGHT, type Observation } from './statistics.js'

/** Degrees of latitude. */
const METER = 180 / (Math.PI * EARTH_RADIUS_METERS)
const DAY = 20_000
/** Access points that move with a higher probability are left out (`candidates.ts`). */
const MOVES = 0.9

interface Stay {
  /** Kilometers to the north. */
  readonly km?: number
  readonly from: number
  readonly days?: number
  readonly aDay?: number
  /** Eighths of an observation. */
  readonly weight?: number
}

function stay({ km = 0, from, days = 1, aDay = 1, weight = WHOLE_WEIGHT }: Stay): Observation[] {
  return Array.from({ length: days * aDay }, (_, index) => ({
    lat: 48 + (km * 1_000 + (index % 5)) * METER,
    lon: 11,
    signalDbm: -60,
    weight,
    day: DAY + from + Math.floor(index / aDay),
  }))
}

/** Returns how many kilometers to the north it lives, and P(moving). */
function homeAfter(...stays: readonly Stay[]): { km: number; moving: number } {
  const model = modelOf(merge(stays.flatMap(stay).map(statisticsOf)))
  if (!model) throw new Error('there is nothing')
  const meters = Math.sqrt(squaredDistance(toVector(model), toVector({ lat: 48, lon: 11 })))
  return { km: Math.round(meters / 100) / 10, moving: model.moving }
}

/** Heard for a year, until the day before. */
const known: Stay = { from: -365, days: 365, aDay: 10 }

describe('the home of an access point that is well known', () => {
  it.each([
    ['one observation of little weight', { weight: 1 }],
    ['one whole observation', {}],
    ['many of one day', { aDay: 500 }],
    ['little weight on two days', { days: 2, weight: 1 }],
  ])('does not move by %s elsewhere', (_, more) => {
    const { km, moving } = homeAfter(known, { km: 30, from: 0, ...more })
    expect(km).toBe(0)
    expect(moving).toBeGreaterThan(homeAfter(known).moving)
    expect(moving).toBeLessThan(0.5)
  })

  it('moves by two whole observations of two days, and what is heard there makes that more certain', () => {
    const twice = homeAfter(known, { km: 30, from: 0, days: 2 })
    expect(twice.km).toBe(30)
    const often = homeAfter(known, { km: 30, from: 0, days: 5, aDay: 3 })
    expect(often.moving).toBeLessThan(twice.moving)
    expect(often.moving).toBeLessThan(0.01)
  })

  it('moves the sooner the longer nothing was heard there', () => {
    const after = (days: number, weight: number) => homeAfter(known, { km: 30, from: days, weight }).km
    expect([after(1, 8), after(20, 8), after(40, 8)]).toEqual([0, 0, 30])
    expect([after(40, 1), after(365, 1), after(1_000, 1)]).toEqual([0, 0, 30])
  })

  it('moves within a day: it was heard at both', () => {
    expect(homeAfter(known, { km: 3, from: -1, days: 3, aDay: 4 }).km).toBe(3)
  })

  it('is where it was before a mistake, not where it was heard most', () => {
    const moved: Stay = { km: 5, from: 10, days: 5 }
    expect(homeAfter(known, moved, { km: 30, from: 20 }).km).toBe(5)
    expect(homeAfter(known, moved, { km: 30, from: 20 }, { km: 50, from: 21 }).km).toBe(5)
  })

  it('is not its former one again for one observation there, nor for what came late', () => {
    const moved: Stay = { km: 5, from: 0, days: 60, aDay: 5 }
    const late = homeAfter(known, moved, { from: 2 })
    expect(late.km).toBe(5)
    expect(late.moving).toBeLessThan(0.2)
    // Much later it looks the same as an access point that is here and there.
    expect(homeAfter(known, moved, { from: 50 }).moving).toBeGreaterThan(0.3)
  })

  it('is the same as ever where it is heard again', () => {
    const mistaken = homeAfter(known, { km: 30, from: 0 })
    const heardAgain = homeAfter(known, { km: 30, from: 0 }, { from: 1 })
    expect(heardAgain.km).toBe(0)
    expect(heardAgain.moving).toBeLessThan(0.06)
    expect(homeAfter(known, { km: 30, from: 0 }, { from: 1, days: 30 }).moving).toBeLessThan(0.01)
    expect(mistaken.moving).toBeGreaterThan(0.1)
  })
})

describe('P(moving)', () => {
  it('rises with what is heard elsewhere until that is home, and falls from there on, without a leap', () => {
    const steps = Array.from({ length: 40 }, (_, days) =>
      homeAfter(known, { km: 30, from: 0, days: days + 1, weight: 1 }),
    )
    const moves = steps.findIndex(({ km }) => km === 30)
    expect(moves).toBeGreaterThan(5)
    steps.forEach(({ moving }, index) => {
      const before = steps[index - 1]?.moving ?? homeAfter(known).moving
      if (index < moves) expect(moving).toBeGreaterThan(before)
      if (index > moves) expect(moving).toBeLessThan(before)
      expect(Math.abs(moving - before)).toBeLessThan(0.1)
    })
  })

  it('is a probability, wherever and whenever it was heard', () => {
    const stays = fc.array(
      fc.record({
        km: fc.integer({ min: 0, max: 40 }),
        from: fc.integer({ min: 0, max: 3_000 }),
        days: fc.integer({ min: 1, max: 5 }),
        weight: fc.integer({ min: 1, max: 8 }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(stays, (some) => {
        const { moving } = homeAfter(...some)
        expect(moving).toBeGreaterThan(0)
        expect(moving).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('what was carried about', () => {
  const towns = (count: number, from: number): Stay[] =>
    Array.from({ length: count }, (_, town) => ({ km: 100 * (town + 1), from: from + town }))

  it('is used again where it has been in one place for years', () => {
    const { km, moving } = homeAfter(...towns(12, 0), { from: 3_600, days: 100, aDay: 20 })
    expect(km).toBe(0)
    expect(moving).toBeLessThan(0.01)
  })

  it('is the less used the less that was ago, and not at all where it was heard elsewhere mostly', () => {
    const since = (years: number) => homeAfter(...towns(12, 0), { from: years * 365 + 12, days: 14 }).moving
    expect(since(0)).toBeGreaterThan(0.3)
    expect(since(2)).toBeLessThan(since(1))
    expect(homeAfter(...towns(12, 0), { from: 12, days: 5 }).moving).toBe(1)
  })

  it('all over a town has no home, however long ago: what was heard there is not known apart', () => {
    const bus = Array.from({ length: 60 }, (_, stop): Stay => ({ km: 0.7 * ((stop * 7) % 60), from: stop }))
    expect(homeAfter(...bus).moving).toBeGreaterThan(MOVES)
    expect(homeAfter(...bus, { from: 3_600, days: 100, aDay: 20 }).moving).toBeGreaterThan(MOVES)
  })
})
