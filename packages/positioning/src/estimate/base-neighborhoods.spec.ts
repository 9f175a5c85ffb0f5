import { describe, expect, it } from '@jest/globals'
import { baseNeighborhoods } from './base-neighborhoods.js'
import { layeredEstimate, type LayeredKnowledge } from './layered-estimate.js'

const address = (number: number) => 0x02_00_00_00_00_00 + number * 64
const known = (lat: number, isOwn = false, spreadMeters = 10): LayeredKnowledge => ({
  known: { lat, lon: 11, spreadMeters, observations: 5 },
  isOwn,
})
const asked = (...all: readonly (LayeredKnowledge | undefined)[]) =>
  baseNeighborhoods(new Map(all.map((_, index) => [address(index), -60])), all)

describe('the neighborhoods of the base layer that a scan asks about', () => {
  it('are one for each place, the densest first, whether or not the scan is located', () => {
    const [first, ...rest] = asked(known(50), known(48), known(48.001), known(49), undefined)
    expect(first).toMatchObject({ bssids: [address(1), address(2)], radios: 2 })
    expect(rest.map(({ bssids }) => bssids)).toEqual([[address(0)], [address(3)]])
  })

  it('are none of what the organization knows itself, nor of what has no place', () => {
    expect(asked(known(48, true), known(50, true), known(49, false, 900), undefined)).toEqual([])
  })

  it('are at least one for each access point that stands alone, however many there are', () => {
    const far = Array.from({ length: 256 }, (_, index) => known(-60 + index * 0.4))
    expect(asked(...far)).toHaveLength(256)
  })

  it('are one where a scan is located with all that the base layer knows of it: then nothing was searched', () => {
    const scan = new Map([0, 1, 2].map((number) => [address(number), -60]))
    const options = { confidence: 68 }
    const near = [known(48), known(48.001), known(48.002)]
    expect(layeredEstimate(scan, near, options)).toMatchObject({ agreeing: [...scan.keys()] })
    expect(baseNeighborhoods(scan, near)).toHaveLength(1)
    const apart = [known(48), known(48.001), known(50)]
    expect(layeredEstimate(scan, apart, options)).toMatchObject({ found: true, used: 2 })
    expect(baseNeighborhoods(scan, apart)).toHaveLength(2)
  })
})
