import { expect, it } from '@jest/globals'
import { earlierScans, followedOf } from './earlier-scans.js'

it('a device is followed by the latest five scans of two minutes that were made before', () => {
  const ages = [130_000, 50_000, 0, 10_000, 40_000, 20_000, 30_000, 60_000]
  expect(followedOf(ages, (age) => age)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000])
})

it('an earlier scan is without what it repeats from those before it', () => {
  const reading = (box: number, signalDbm: number) => ({ bssid: 0x10_00_00_00_00_00 + 64 * box, signalDbm })
  const fresh = [reading(2, -50), reading(3, -60), reading(4, -70)]
  const previous = [
    { ageMs: 50_000, readings: [reading(1, -80)] },
    { ageMs: 20_000, readings: [reading(1, -80), ...fresh] },
  ]
  const [latest, first] = earlierScans(previous)
  expect([...(latest?.scan.keys() ?? [])]).toEqual(fresh.map(({ bssid }) => bssid))
  expect(first?.scan.size).toBe(1)
})
