import { describe, expect, it } from '@jest/globals'
import { Histogram, Registry } from '@prometheus-io/client'
import fc from 'fast-check'
import { CallHistogram } from './call-histogram.js'

const ABOUT = { name: 'calls_seconds', help: 'Calls.' }
const BUCKETS = [0.001, 0.01, 0.1, 1]

/** Lines in an order that does not depend on which call came first. */
const sorted = (text: string) => text.split('\n').toSorted()

describe('the histogram of calls', () => {
  it('exposes what the one of the library exposes, whatever is counted', async () => {
    const call = fc.record({
      operation: fc.constantFrom('http.a', 'location.v1.wifi.resolve', 'a "b"\\c\n'),
      outcome: fc.constantFrom('ok', '200', 'internal'),
      seconds: fc.oneof(fc.constantFrom(0, ...BUCKETS), fc.double({ min: 0, max: 5, noNaN: true })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call), async (calls) => {
        const [own, plain] = [new Registry(), new Registry()]
        const histogram = new CallHistogram({ ...ABOUT, buckets: BUCKETS, registry: own })
        const labelNames = ['operation', 'outcome'] as const
        const oracle = new Histogram({ ...ABOUT, buckets: BUCKETS, labelNames, registers: [plain] })
        for (const { operation, outcome, seconds } of calls) {
          histogram.count(operation, outcome, seconds)
          oracle.observe({ operation, outcome }, seconds)
        }
        expect(sorted(await own.metrics())).toEqual(sorted(await plain.metrics()))
      }),
    )
  })
})
