import { expect, it } from '@jest/globals'
import { SHARED_LAYER } from '../../ground/layer.js'
import { AccessPointCache } from './access-point-cache.js'
import { UNKNOWN } from './table-shard.js'

const PLACE = { lat: 48, lon: 11, spreadMeters: 10, observations: 5 }
const ACCESS_POINT = { all: PLACE, own: undefined, shared: PLACE, isOthers: true }
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
  for (const change of ['a', SHARED_LAYER, undefined]) {
    const readingFor = cache.view('a')
    if (change === undefined) cache.clear()
    else cache.invalidate(change)
    readingFor.set(1, UNKNOWN, NOW)
    expect(cache.view('a').get(1, NOW)).toBeUndefined()
  }
})

it('evicts only the organization that has changed, and everybody if the shared layer has', () => {
  const cache = newCache()
  cache.view('a').set(1, ACCESS_POINT, NOW)
  cache.view('b').set(1, UNKNOWN, NOW)
  cache.invalidate('a')
  expect(cache.view('a').get(1, NOW)).toBeUndefined()
  expect(cache.view('b').get(1, NOW)).toBe(UNKNOWN)
  cache.invalidate(SHARED_LAYER)
  expect(cache.view('b').get(1, NOW)).toBeUndefined()
})

it('holds no more organizations than its limit', () => {
  const cache = newCache()
  cache.view('a').set(1, ACCESS_POINT, NOW)
  for (const organization of ['b', 'c', 'd', 'e']) cache.view(organization)
  expect(cache.view('a').get(1, NOW)).toBeUndefined()
})

it('drops the organization with the most access points if all together have more than twice what one may have', () => {
  const cache = newCache({ accessPoints: 64 })
  const fill = (organization: string, count: number) => {
    const view = cache.view(organization)
    for (let bssid = 1; bssid <= count; bssid++) view.set(bssid, UNKNOWN, NOW)
    cache.shrink()
  }
  fill('a', 40)
  fill('b', 48)
  fill('c', 38)
  expect(cache.figures.size).toBe(126)
  fill('d', 3)
  expect(cache.figures.size).toBe(81)
  expect(cache.view('b').get(1, NOW)).toBeUndefined()
  expect(cache.view('a').get(1, NOW)).toBe(UNKNOWN)
})
