import { describe, expect, it } from '@jest/globals'
import { layeredEstimate, type LayeredKnowledge } from './layered-estimate.js'
import type { Scan } from './scan.js'

const OPTIONS = { minRadios: 2, confidence: 68 }
const address = (number: number) => 0x02_00_00_00_00_00 + number * 16
const at = (lat: number) => ({ lat, lon: 11, spreadMeters: 10, observations: 5 })
const shared = (lat: number): LayeredKnowledge => ({ all: at(lat), own: undefined, isShared: true })
const own = (lat: number): LayeredKnowledge => ({ all: at(lat), own: at(lat), isShared: false })
const scanOf = (numbers: readonly number[], signalDbm?: number): Scan =>
  new Map(numbers.map((number) => [address(number), signalDbm]))
const locate = (known: Readonly<Record<number, LayeredKnowledge>>, numbers?: readonly number[]) => {
  const scan = scanOf(numbers ?? Object.keys(known).map(Number), -60)
  return layeredEstimate(
    scan,
    new Map(Object.entries(known).map(([number, knowledge]) => [address(Number(number)), knowledge])),
    OPTIONS,
  )
}

describe('where a single access point of others is', () => {
  it('is not told by a scan of it alone, or with unknown ones', () => {
    expect(locate({ 1: shared(48) })).toMatchObject({ found: false })
    expect(locate({ 1: shared(48) }, [1, 7, 8])).toMatchObject({ found: false, reason: 'too_few_known' })
  })

  it('is not told by one’s own in its company, wherever those are: they answer as if it were unknown', () => {
    for (const apart of [0, 0.001, 0.004, 1]) {
      const places = { 1: own(48), 2: own(49), 3: own(50) }
      const alone = locate(places, [1, 2, 3, 9])
      expect(locate({ ...places, 9: shared(48 + apart) })).toEqual(alone)
    }
  })

  it('is not told by what one has learned of it oneself: that alone answers', () => {
    const learned: LayeredKnowledge = { all: at(48.002), own: at(48), isShared: true }
    expect(locate({ 1: learned, 2: own(48.001) })).toEqual(locate({ 1: own(48), 2: own(48.001) }))
  })

  it('is not told by two addresses of one radio', () => {
    const scan = new Map([
      [address(1), -60],
      [address(1) + 1, -60],
    ])
    const known = new Map([...scan.keys()].map((bssid) => [bssid, shared(48)]))
    expect(layeredEstimate(scan, known, OPTIONS)).toMatchObject({ found: false })
  })
})

it('two radios of others that agree are a position, and one of one’s own is', () => {
  expect(locate({ 1: shared(48), 2: shared(48.001) })).toMatchObject({ found: true, used: 2 })
  expect(locate({ 1: own(48) })).toMatchObject({
    found: true,
    lat: expect.closeTo(48, 6) as unknown,
    used: 1,
  })
})

it('without signal strengths the radius is wider', () => {
  const known = new Map([1, 2, 3].map((number) => [address(number), shared(48 + number * 1e-4)]))
  const radius = (signalDbm?: number) => {
    const found = layeredEstimate(scanOf([1, 2, 3], signalDbm), known, OPTIONS)
    return found.found ? found.radiusMeters : Number.NaN
  }
  expect(radius()).toBeGreaterThan(radius(-60) * 1.1)
})
