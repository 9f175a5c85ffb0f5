import { layeredKnowledge } from '@bearing/positioning/learning/layers/layered-knowledge'
import { statisticsOf, WHOLE_WEIGHT } from '@bearing/positioning/learning/statistics/statistics'
import { describe, expect, it } from '@jest/globals'
import { BASE_LAYER } from '../../ground/layer.js'
import { AccessPointCache } from './access-point-cache.js'
import { UNKNOWN, type Known } from './table/table-shard.js'

const PLACE = { lat: 48, lon: 11, spreadMeters: 10, observations: 5 }
const ACCESS_POINT = { known: PLACE, isOwn: false }
const NOW = 1_000_000
const newCache = (limits = {}) =>
  new AccessPointCache({
    organizations: 4,
    accessPoints: 10,
    ttlMs: 60_000,
    checkedTtlMs: 900_000,
    ...limits,
  })

it('keeps what is one organization’s from the other', () => {
  const cache = newCache()
  cache.view('a').set(1, ACCESS_POINT, NOW)
  expect(cache.view('a').get(1, NOW)).toEqual(ACCESS_POINT)
  expect(cache.view('b').get(1, NOW)).toBeUndefined()
})

it('does not take in what was read before a change, when it arrives after it', () => {
  const cache = newCache()
  for (const change of ['a', BASE_LAYER, undefined]) {
    const readingFor = cache.view('a')
    if (change === undefined) cache.clear()
    else cache.invalidate(change)
    readingFor.set(1, UNKNOWN, NOW)
    expect(cache.view('a').get(1, NOW)).toBeUndefined()
  }
})

it('evicts only the organization that has changed, and everybody if the base layer has', () => {
  const cache = newCache()
  cache.view('a').set(1, ACCESS_POINT, NOW)
  cache.view('b').set(1, UNKNOWN, NOW)
  cache.invalidate('a')
  expect(cache.view('a').get(1, NOW)).toBeUndefined()
  expect(cache.view('b').get(1, NOW)).toBe(UNKNOWN)
  cache.invalidate(BASE_LAYER)
  expect(cache.view('b').get(1, NOW)).toBeUndefined()
})

it('holds no more organizations than its limit', () => {
  const cache = newCache()
  cache.view('a').set(1, ACCESS_POINT, NOW)
  for (const organization of ['b', 'c', 'd', 'e']) cache.view(organization)
  expect(cache.view('a').get(1, NOW)).toBeUndefined()
})

describe('what all organizations take', () => {
  const sample = { ...PLACE, signalDbm: -60, weight: WHOLE_WEIGHT, day: 20_000 }
  const LEARNED = layeredKnowledge({ statistics: statisticsOf(sample) }, {})
  const fill = (cache: AccessPointCache, organization: string, count: number, known: Known = UNKNOWN) => {
    const view = cache.view(organization)
    for (let bssid = 1; bssid <= count; bssid++) view.set(bssid, known, NOW)
    cache.shrink()
    return view.slots
  }

  it('holds twice what one may have, and then loses the organization that takes the most', () => {
    const cache = newCache({ accessPoints: 64 })
    expect([fill(cache, 'a', 20), fill(cache, 'b', 48), fill(cache, 'c', 20)]).toEqual([32, 64, 32])
    expect(cache.figures.size).toBe(88)
    expect(fill(cache, 'd', 3)).toBe(16)
    expect(cache.figures.size).toBe(43)
    expect(cache.view('b').get(1, NOW)).toBeUndefined()
    expect(cache.view('a').get(1, NOW)).toBe(UNKNOWN)
  })

  it('counts for an access point of which more is known than a position as eight', () => {
    const cache = newCache({ accessPoints: 64 })
    expect([fill(cache, 'a', 8, LEARNED), fill(cache, 'b', 20), fill(cache, 'c', 20)]).toEqual([64, 32, 32])
    expect(fill(cache, 'd', 1)).toBe(16)
    expect(cache.view('a').get(8, NOW)).toBeUndefined()
    expect(cache.figures.size).toBe(41)
  })

  it('holds two organizations that have as much as they may', () => {
    const cache = newCache({ accessPoints: 1_000 })
    expect([fill(cache, 'a', 1_000), fill(cache, 'b', 1_000)]).toEqual([1_024, 1_024])
    expect(cache.view('a').entries).toBeGreaterThan(900)
  })
})
