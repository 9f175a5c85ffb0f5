import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { writeUsualLocation } from './usual-answer.js'
import { resolveWifiBatch } from '../lookups/wifi-batch.js'
import { resolveWifiLocation, WifiLocation } from '../lookups/wifi.js'

const count = fc.nat(256)
const usual = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
  uncertainty: fc.double({ min: 0, minExcluded: true, max: 1e6, noNaN: true }),
  fulfilledWith: fc.constant('WIFI' as const),
  accessPoints: fc.record({ received: count, usable: count, known: count, used: count, unknown: count }),
})
/** The same with fields that are changed, missing or added. */
const changed = fc
  .tuple(usual, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), fc.nat(8), fc.anything())
  .map(([output, more, field, value]): unknown => {
    const counts = { ...output.accessPoints, ...(field === 0 && { known: value }) }
    const name = ['accessPoints', 'lat', 'lon', 'uncertainty', 'fulfilledWith', 'fallback', 'stored'][field]
    return {
      ...{ ...more, ...output, accessPoints: { ...counts, ...(field === 7 && { ranged: value }) } },
      ...(name !== undefined && field > 0 && { [name]: value }),
    }
  })
const error = { code: 'location_not_found', detail: 'There is none.' } as const

function bySchema(output: unknown): string | undefined {
  const read = resolveWifiLocation.output.safeParse(output)
  return read.success ? JSON.stringify(read.data) : undefined
}

describe('the position of a Wi-Fi scan', () => {
  it('is written as the schema and JSON write it', () => {
    fc.assert(
      fc.property(usual, (output) => {
        expect(writeUsualLocation(output)).toBe(JSON.stringify(WifiLocation.parse(output)))
      }),
    )
  })

  it('is written as the schema and JSON write it, or not at all, with fields changed, missing or added', () => {
    fc.assert(
      fc.property(fc.oneof(changed, fc.anything()), (output) => {
        const text = writeUsualLocation(output)
        if (text !== undefined) expect(text).toBe(bySchema(output))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([null, undefined, {}, { lat: Number.NaN }])('is not written if it is %p', (output) => {
    expect(writeUsualLocation(output)).toBeUndefined()
  })
})

describe('the outcomes of a batch', () => {
  it('are written as the schema and JSON write them, or not at all', () => {
    const outcome = fc.oneof(
      usual.map((location) => ({ location })),
      fc.constantFrom({ error }, { location: null }),
      changed.map((location) => ({ location })),
      fc.anything(),
    )
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 4 }), (results) => {
        const text = resolveWifiBatch.writeUsual?.({ results })
        const read = resolveWifiBatch.output.safeParse({ results })
        expect(text).toBe(read.success ? JSON.stringify(read.data) : undefined)
      }),
      { numRuns: 500 },
    )
  })

  it('are not written without results', () => {
    for (const output of [undefined, null, {}, { results: 1 }])
      expect(resolveWifiBatch.writeUsual?.(output)).toBeUndefined()
  })
})
