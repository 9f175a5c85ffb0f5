import { describe, expect, it } from '@jest/globals'
import { BUCKETS, bucketOf, medianOf, sumOf } from './histogram.js'

function histogramOf(values: readonly number[]): number[] {
  const counts = Array.from({ length: BUCKETS }, () => 0)
  for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1
  return counts
}

describe('the median of a histogram', () => {
  it('is at most 12 % away from the median of the values', () => {
    for (const scale of [1, 7, 30, 400, 20_000]) {
      const values = Array.from({ length: 1_001 }, (_, index) => scale * (1 + index / 1_000))
      const median = medianOf(histogramOf(values)) ?? 0
      expect(Math.abs(median / (scale * 1.5) - 1)).toBeLessThan(0.12)
    }
  })

  it('is null without values, and 1 of values up to 1', () => {
    expect(medianOf(histogramOf([]))).toBeNull()
    expect(medianOf(histogramOf([0, 0.5, 1]))).toBe(1)
  })

  it('of a sum is the median of all values together', () => {
    const [some, others] = [histogramOf([10, 10, 10]), histogramOf([100, 100, 100, 100, 100])]
    expect(medianOf(sumOf([some, others])) ?? 0).toBeGreaterThan(80)
    expect(medianOf(sumOf([some, some, others])) ?? 0).toBeLessThan(12)
  })

  it('has a bucket for every value', () => {
    expect([bucketOf(0), bucketOf(1e9)]).toEqual([0, BUCKETS - 1])
  })
})
