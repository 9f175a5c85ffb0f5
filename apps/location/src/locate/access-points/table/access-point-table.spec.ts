import { layeredKnowledge } from '@bearing/positioning/learning/layers/layered-knowledge'
import { statisticsOf, WHOLE_WEIGHT } from '@bearing/positioning/learning/statistics/statistics'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { AccessPointTable } from './access-point-table.js'
import { UNKNOWN, type Known } from './table-shard.js'

const NOW = 1_700_000_000_000
const TTL_MS = 60_000
const newTable = (accessPoints: number, checkedUntilMs = Infinity) =>
  new AccessPointTable({ accessPoints, ttlMs: TTL_MS, checkedTtlMs: 15 * TTL_MS }, () => checkedUntilMs)
const place = { lat: 48.123_456_789, lon: -11.987_654_321, spreadMeters: 12.345, observations: 7 }
const imported = { ...place, isDeclared: false }
const first = statisticsOf({ lat: 48, lon: 11, signalDbm: -60, weight: WHOLE_WEIGHT, day: 20_000 })

/** Addresses in a row, as those of one vendor are. */
const inARow = (count: number) => Array.from({ length: count }, (_, index) => 0x0025_9c00_0000 + index)
/** Addresses from anywhere: all that a multiplication by an odd number makes of 48 bits are different. */
const fromAnywhere = (count: number) =>
  inARow(count).map((bssid) => Number(BigInt.asUintN(48, BigInt(bssid) * 0x5851_f42d_4c95_7f2dn)))
const own = (lat: number): Known => ({ known: { ...place, lat }, isOwn: true })

describe('the table of access points', () => {
  it.each([
    ['its own position', layeredKnowledge({ place: { ...imported, isDeclared: true } }, {})],
    ['a position of the base layer', layeredKnowledge({}, { place: imported })],
    ['its own instead of one of the base layer', layeredKnowledge({ place: imported }, { place: imported })],
    ['what it has learned', layeredKnowledge({ statistics: first }, {})],
  ])('gives back what an organization knows, bit by bit: %s', (_, known) => {
    const table = newTable(100)
    if (!known) throw new Error('something is known')
    table.set(5, known, NOW)
    const found = table.get(5, NOW)
    const plain = (text: string) => text.replaceAll(',"isDeclared":false', '')
    expect(JSON.stringify(found)).toBe(plain(JSON.stringify(known)))
    expect(JSON.stringify(found)).toContain('observations')
  })

  it.each([
    ['its own position', { place: imported }, {}, 'own'],
    ['what a list declares', { place: { ...imported, isDeclared: true } }, {}, 'own'],
    ['a position of the base layer', {}, { place: imported }, 'base'],
    ['what it has learned', { statistics: first }, {}, 'more'],
  ] as const)('writes a position as numbers, and says whose it is: %s', (_, own, shared, kind) => {
    const table = newTable(100)
    const known = layeredKnowledge(own, shared)
    if (!known) throw new Error('something is known')
    table.set(5, known, NOW)
    table.set(6, UNKNOWN, NOW)
    const found = { lat: 0, lon: 0, spreadMeters: 0, observations: 0 }
    expect(table.readPlace(5, NOW, found)).toBe(kind)
    expect(found).toEqual(kind === 'more' ? { lat: 0, lon: 0, spreadMeters: 0, observations: 0 } : place)
    expect(table.readPlace(6, NOW, found)).toBe('unknown')
    expect(table.readPlace(7, NOW, found)).toBeUndefined()
    expect(table.readPlace(5, NOW + TTL_MS, found)).toBeUndefined()
  })

  it('distinguishes unknown access points from those that it has not cached', () => {
    const table = newTable(100)
    table.set(5, UNKNOWN, NOW)
    expect([table.get(5, NOW), table.get(6, NOW)]).toEqual([UNKNOWN, undefined])
  })

  it('returns the last value, for no longer than its time to live, or nothing', () => {
    const bssid = fc.integer({ min: 1, max: 300 })
    const known = fc.oneof(
      fc.constant(UNKNOWN),
      fc.double({ min: -90, max: 90, noNaN: true }).map(own),
      fc.constant<Known>({ known: place, isOwn: false }),
      fc.constant<Known>(layeredKnowledge({ statistics: first }, {}) ?? UNKNOWN),
    )
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ bssid, known, later: fc.nat(TTL_MS / 20) }) },
      { weight: 1, arbitrary: fc.record({ bssid, later: fc.nat(TTL_MS / 20) }) },
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(step, { maxLength: 300, size: 'max' }),
        (size, steps) => {
          const table = newTable(size)
          const said = new Map<number, { known: Known; expiresAtMs: number }>()
          let now = NOW
          for (const { bssid, later, ...set } of steps) {
            now += later
            if ('known' in set) {
              table.set(bssid, set.known, now)
              said.set(bssid, { known: set.known, expiresAtMs: now + TTL_MS })
              expect(table.get(bssid, now)).toBeDefined()
            } else {
              table.delete(bssid)
              said.delete(bssid)
            }
            for (const asked of [bssid, 301 - bssid]) {
              const [found, expected] = [table.get(asked, now), said.get(asked)]
              if (found === undefined) continue
              expect(expected && expected.expiresAtMs > now && expected.known).toEqual(found)
            }
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each([
    ['in a row', inARow],
    ['from anywhere', fromAnywhere],
  ])('has hardly lost any as long as there is room: addresses %s', (_, addresses) => {
    const table = newTable(50_000)
    const bssids = addresses(40_000)
    expect(new Set(bssids).size).toBe(bssids.length)
    for (const bssid of bssids) table.set(bssid, own(bssid / 1e13), NOW)
    const found = bssids.filter((bssid) => table.get(bssid, NOW) !== undefined)
    expect(found.length).toBeGreaterThan(0.98 * bssids.length)
    for (const bssid of found) expect(table.get(bssid, NOW)).toMatchObject({ known: { lat: bssid / 1e13 } })
  })

  it('holds no more than its limit, and what is asked for stays', () => {
    const table = newTable(1_000)
    const others = inARow(20_000)
    for (const bssid of fromAnywhere(100)) table.set(bssid, UNKNOWN, NOW)
    // While the table is small and grows, one may have taken the place of another.
    const asked = fromAnywhere(100).filter((bssid) => table.get(bssid, NOW) === UNKNOWN)
    expect(asked.length).toBeGreaterThan(95)
    for (const bssid of others) {
      table.set(bssid, UNKNOWN, NOW)
      for (const one of asked) table.get(one, NOW)
    }
    const held = (bssids: number[]) => bssids.filter((bssid) => table.get(bssid, NOW) === UNKNOWN).length
    expect(held(asked)).toBe(asked.length)
    // A thousand are rounded up to 64 sets of 16.
    expect(held(others) + asked.length).toBeLessThanOrEqual(1_024)
    expect(held(others)).toBeGreaterThan(800)
  })

  it('holds an eighth as many of which more is known than a position, the latest', () => {
    const known = layeredKnowledge({ statistics: first }, {})
    if (!known) throw new Error('something is known')
    const table = newTable(1_024)
    const bssids = fromAnywhere(1_000)
    for (const bssid of bssids) table.set(bssid, known, NOW)
    const held = bssids.filter((bssid) => table.get(bssid, NOW) !== undefined)
    expect(held).toHaveLength(128)
    expect(held).toEqual(bssids.slice(-128))
    expect(table.entries).toBe(128)
  })

  it('returns what is checked for longer', () => {
    const table = newTable(100)
    table.set(5, UNKNOWN, NOW, true)
    expect(table.get(5, NOW + 2 * TTL_MS)).toBe(UNKNOWN)
    expect(table.get(5, NOW + 15 * TTL_MS)).toBeUndefined()
  })

  it('returns what is checked for no longer than the rest once checks have stopped', () => {
    const table = newTable(100, NOW + 2 * TTL_MS)
    const later = NOW + 1.5 * TTL_MS
    for (const bssid of inARow(50)) table.set(bssid, own(48), NOW, true)
    table.set(1, UNKNOWN, later)
    table.set(2, UNKNOWN, later, true)
    const checked = inARow(50).filter((bssid) => table.has(bssid, NOW + 2 * TTL_MS - 1))
    expect(checked.length).toBeGreaterThan(40)
    for (const bssid of checked) {
      expect(table.has(bssid, NOW + 2 * TTL_MS)).toBe(false)
      expect(table.get(bssid, NOW + 2 * TTL_MS)).toBeUndefined()
    }
    expect([table.get(1, NOW + 2 * TTL_MS), table.get(2, NOW + 2 * TTL_MS)]).toEqual([UNKNOWN, UNKNOWN])
    expect([table.get(1, later + TTL_MS), table.get(2, later + TTL_MS)]).toEqual([undefined, undefined])
  })
})
