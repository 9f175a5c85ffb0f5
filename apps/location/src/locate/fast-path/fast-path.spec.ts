import { USUAL_FIELDS, UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import { Clock } from '@bearing/service/ground/clock'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ReadPool } from '../../ground/read-pool.js'
import { newSearches } from '../../testing/new-searches.js'
import { AccessPointCache } from '../access-points/access-point-cache.js'
import { AccessPointReader } from '../access-points/access-point-reader.js'
import { CellReader } from '../cells/cell-reader.js'
import type { ReferenceScanCache } from '../references/reference-scan-cache.js'
import { Search } from '../sources/location-source.js'
import { WifiSource } from '../sources/wifi/wifi-source.js'
import { FastPath } from './fast-path.js'

const SCOPE = {
  organization_id: '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51',
  project_id: '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e52',
}
const clock = new Clock(() => 1.7e12)
const bssidOf = (number: number) => 0x02_00_00_00_00_00 + number * 32

/** Access points in the database: some of one radio, some elsewhere, some that move, some unknown. */
const place = fc.record({
  isKnown: fc.nat(9).map((one) => one > 1),
  isBase: fc.boolean(),
  lat: fc.double({ min: 48, max: 48.003, noNaN: true }),
  isFar: fc.nat(19).map((one) => one === 0),
  spread: fc.oneof({ weight: 9, arbitrary: fc.double({ min: 0, max: 80, noNaN: true }) }, fc.constant(501)),
  observations: fc.integer({ min: 1, max: 20 }),
})
type Place = typeof place extends fc.Arbitrary<infer One> ? One : never
const reading = fc.record({
  number: fc.nat(23),
  signal: fc.option(fc.integer({ min: -100, max: -1 }), { nil: Number.NaN }),
  age: fc.option(fc.integer({ min: -1_000, max: 60_000 }), { nil: Number.NaN }),
})

/** A database that answers with a row for each known access point. */
function poolOf(places: readonly Place[]): ReadPool {
  const rows = (_: unknown, values: readonly string[]) => {
    const found = (values[2] ?? '')
      .slice(1, -1)
      .split(',')
      .map(Number)
      .flatMap((bssid) => {
        const one = places[(bssid - bssidOf(0)) / 32]
        if (!one?.isKnown) return []
        const { isBase, lat, isFar, spread, observations } = one
        return [[isBase, null, bssid, isFar ? lat + 1 : lat, 11, spread, observations, false]]
      })
    return Promise.resolve(found)
  }
  return { rows } as unknown as ReadPool
}

it('finds the position that the Wi-Fi source finds, in all digits, or none', async () => {
  const searches = newSearches(clock)
  const references = { references: undefined }
  const scans = {
    cached: () => references,
    of: () => Promise.resolve(references),
  } as unknown as ReferenceScanCache
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { minLength: 24, maxLength: 24 }),
      fc.array(reading, { minLength: 6, maxLength: 30 }),
      async (places, readings) => {
        const pool = poolOf(places)
        const cache = new AccessPointCache({
          ...{ organizations: 1, accessPoints: 100, ttlMs: 1_000, checkedTtlMs: 1_000 },
        })
        const reader = new AccessPointReader(pool, cache, clock)
        await reader.prefetch(
          SCOPE.organization_id,
          places.map((_, number) => bssidOf(number)),
        )
        const rest = Array<number>(USUAL_FIELDS - 3).fill(Number.NaN)
        const scan = new UsualScan(
          readings.flatMap(({ number, signal, age }) => [bssidOf(number), signal, age, ...rest]),
        )
        const fast = new FastPath(reader, scans, searches).locate(SCOPE, scan)
        if (!fast) return
        found++
        const search = new Search(
          SCOPE,
          { accessPoints: scan.accessPoints, asksProvider: false },
          scan.confidence,
        )
        const slow = await new WifiSource(reader, scans, searches, new CellReader(pool)).search(search)
        expect({ ...slow, accessPoints: search.accessPointCounts }).toEqual(fast)
      },
    ),
    { numRuns: 500 },
  )
  expect(found).toBeGreaterThan(250)
})
