import { UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { serialOf } from './radio.js'
import { UsableNumbers } from './usable-numbers.js'
import { usableReadings } from './usable-readings.js'

/** Few, so that some occur twice; with group addresses, and some of the same serial. */
const address = fc
  .tuple(fc.constantFrom(0x02_00_5e, 0x00_00_5e, 0x01_00_5e, 0), fc.integer({ min: 0, max: 40 }))
  .map(([vendor, serial]) => vendor * 2 ** 24 + serial)
const reading = fc.record(
  {
    bssid: address,
    signalDbm: fc.integer({ min: -128, max: -1 }),
    ageMs: fc.integer({ min: -40_000, max: 40_000 }),
  },
  { requiredKeys: ['bssid'] },
)

it('the numbers of a usual scan are its usable readings, by serial and BSSID', () => {
  const numbers = new UsableNumbers()
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 40 }), (readings) => {
      numbers.read(
        new UsualScan(
          readings.flatMap(({ bssid, signalDbm = Number.NaN, ageMs = Number.NaN }) => [
            ...[bssid, signalDbm, ageMs],
            ...[Number.NaN, Number.NaN, Number.NaN],
          ]),
        ),
      )
      const found = Array.from({ length: numbers.count }, (_, index) => [
        numbers.bssids[index],
        numbers.signals[index],
      ])
      const expected = [...usableReadings(readings)]
        .map(([bssid, signalDbm = Number.NaN]) => [bssid, signalDbm] as const)
        .sort(([one], [other]) => serialOf(one) - serialOf(other) || one - other)
      expect(found).toEqual(expected)
    }),
    { numRuns: 1_000 },
  )
})
