import { expect, it } from '@jest/globals'
import { AccessPointCache, UNKNOWN } from './access-point-cache.js'

const ACCESS_POINT = { lat: 48, lon: 11, spreadMeters: 10, observations: 5 }
let nowMs = 1
const newCache = (limits = {}) =>
  new AccessPointCache({ layers: 4, accessPoints: 10, ttlMs: 60_000, ...limits }, () => nowMs)

it('keeps what is one organization’s from the other', () => {
  const cache = newCache()
  cache.layer('a').set(1, ACCESS_POINT)
  expect(cache.layer('a').get(1)).toBe(ACCESS_POINT)
  expect(cache.layer('b').get(1)).toBeUndefined()
})

it('does not take in what was read before a change, when it arrives after it', () => {
  const cache = newCache()
  for (const change of [
    () => {
      cache.forget('a')
    },
    () => {
      cache.clear()
    },
  ]) {
    const readingFor = cache.layer('a')
    change()
    readingFor.set(1, UNKNOWN)
    expect(cache.layer('a').get(1)).toBeUndefined()
  }
})

it('forgets only the layer that has changed', () => {
  const cache = newCache()
  cache.layer('a').set(1, ACCESS_POINT)
  cache.layer('b').set(1, UNKNOWN)
  cache.forget('a')
  expect(cache.layer('a').get(1)).toBeUndefined()
  expect(cache.layer('b').get(1)).toBe(UNKNOWN)
})

it('holds no more than it was told to, for no longer than it was told to', async () => {
  const cache = newCache({ accessPoints: 2, ttlMs: 1_000 })
  for (const bssid of [1, 2, 3]) cache.layer('a').set(bssid, ACCESS_POINT)
  expect([1, 2, 3].map((bssid) => cache.layer('a').get(bssid))).toEqual([
    undefined,
    ACCESS_POINT,
    ACCESS_POINT,
  ])
  for (const layer of ['b', 'c', 'd', 'e']) cache.layer(layer)
  expect(cache.layer('a').get(3)).toBeUndefined()
  cache.layer('a').set(4, ACCESS_POINT)
  nowMs += 1_001
  // The cache looks at the clock once a millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(cache.layer('a').get(4)).toBeUndefined()
})
