import type { LayeredKnowledge } from '@bearing/positioning/estimate/layered-estimate'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { BaseLayerSearches } from './base-layer-searches.js'

const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())
const TARGET = 1
const TARGET_LAT = 80

/** `a1` and `a2` were created by `a`, and so on. */
const creators = {
  known: (organization: string) => organization.slice(0, 1),
  of: (organization: string) => Promise.resolve(organization.slice(0, 1)),
}
let searches: BaseLayerSearches
beforeEach(() => {
  const budget = { neighborhoodsPerMinute: 120, neighborhoodsPerTarget: 10 }
  searches = new BaseLayerSearches(limits, budget, creators, new Clock(Date.now))
})

const base = (lat: number): LayeredKnowledge => ({
  known: { lat, lon: 11, spreadMeters: 10, observations: 5 },
  isOwn: false,
})
/** Asks whether an access point is where two others are, which the base layer has at a latitude. */
async function ask(organization: string, lat: number, target = TARGET) {
  const companions = [100, 200].map(
    (number) => target * 1_000 + Math.round(lat * 1_000) * 10_000_000 + number,
  )
  const scan = new Map([...companions, target].map((bssid) => [bssid, -60]))
  const known = [base(lat), base(lat), base(TARGET_LAT)]
  const { known: left, isLimited } = await searches.allow(organization, scan, known)
  return isLimited ? 'refused' : left[2] ? 'answered' : 'unknown'
}
const latitudes = (count: number, from = -60) =>
  Array.from({ length: count }, (_, index) => from + index * 0.1)

describe('a search of the base layer', () => {
  it('is refused after 120 neighborhoods in a minute, for all organizations of its creator and for no other', async () => {
    const answers: string[] = []
    for (const [index, lat] of latitudes(200).entries())
      answers.push(await ask(index % 2 === 0 ? 'a1' : 'a2', lat, 1_000 + index))
    expect(answers.filter((answer) => answer === 'answered')).toHaveLength(120)
    expect(answers.slice(120).every((answer) => answer === 'refused')).toBe(true)
    expect(await ask('a3', TARGET_LAT)).toBe('refused')
    expect(await ask('b1', 0)).toBe('answered')
  })

  it('finds an access point nowhere once it was asked for in more than ten neighborhoods of a day, whatever else is left', async () => {
    const answers: string[] = []
    for (const lat of latitudes(12)) answers.push(await ask('c1', lat))
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 'answered'), 'unknown', 'unknown'])
    // The same holds for its own place: an answer would end the search.
    expect(await ask('c2', TARGET_LAT)).toBe('unknown')
    expect(await ask('d1', TARGET_LAT)).toBe('answered')
  })

  it('counts the same neighborhood once for an access point, and its companions not at all', async () => {
    for (let times = 0; times < 30; times++) expect(await ask('e1', 10)).toBe('answered')
  })

  it('is no look-up of one neighborhood, or of access points that the organization knows itself', async () => {
    const own = { ...base(TARGET_LAT), isOwn: true }
    for (let times = 0; times < 300; times++) {
      const near = [base(20), base(20), base(20.001)]
      const scan = new Map([
        [1, -60],
        [100, -60],
        [200, -60],
      ])
      expect(await searches.allow('f1', scan, near)).toEqual({ known: near, isLimited: false })
      const mixed = [own, base(20), base(20)]
      expect(await searches.allow('f1', scan, mixed)).toEqual({ known: mixed, isLimited: false })
    }
  })

  it('is refused alike, known or not, while the limit is reached, and leaves what is its own', async () => {
    for (const [index, lat] of latitudes(121).entries()) await ask('g1', lat, 2_000 + index)
    const own = { ...base(TARGET_LAT), isOwn: true }
    const scan = new Map([
      [1, -60],
      [500, -60],
    ])
    expect(await searches.allow('g1', scan, [undefined, undefined])).toMatchObject({ isLimited: true })
    expect(await searches.allow('g1', scan, [base(20), own])).toEqual({
      known: [undefined, own],
      isLimited: true,
    })
    expect(await searches.refusal('g1')).toMatchObject({
      code: 'rate_limited',
      details: { retry_after: expect.any(Number) as unknown },
    })
  })
})
