import type { AccessPoint } from '@bearing/contracts/location/access-points/access-point'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { FORMATS, openFormat } from '@bearing/files/access-points/formats'
import { readAccessPoints } from '@bearing/files/access-points/read-access-points'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { WRITERS } from './write-format.js'

/** Seven decimals, and not 0, 0: what receivers without a fix write. */
const degrees = (limit: number) =>
  fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((scaled) => (scaled === 0 ? 1 : scaled) / 1e7)

const accessPoint: fc.Arbitrary<AccessPoint> = fc.record({
  macAddress: fc.integer({ min: 1, max: 2 ** 40 - 1 }).map(formatMacAddress),
  lat: degrees(90),
  lon: degrees(180),
  spread: fc.double({ min: 0, max: 1e6, noNaN: true }),
  observations: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  declared: fc.boolean(),
  learned: fc.boolean(),
  updated_at: fc.constantFrom('2026-01-31T09:00:00.000Z', '1970-01-01T00:00:00.000Z'),
})

it.each(FORMATS)('what is exported as %s is imported as it was', async (format) => {
  const { header, line, footer } = WRITERS[format]
  await fc.assert(
    fc.asyncProperty(fc.array(accessPoint, { minLength: 1, maxLength: 5 }), async (exported) => {
      const lines = [...header, ...exported.map((one, index) => line(one, index === 0)), ...footer]
      const opened = openFormat(lines.join('\n'))
      if (!opened) throw new Error('the written file is not understood')
      const read: unknown[] = []
      for await (const records of readAccessPoints(opened, pieces(lines), 'x'))
        read.push(...records.flatMap(({ reading }) => (reading === undefined ? [] : [reading])))
      expect(read).toEqual(
        exported.map(({ macAddress, lat, lon }) => [
          parseInt(macAddress.replaceAll(':', ''), 16),
          lat,
          lon,
          null,
        ]),
      )
      expect(opened.reader.content).toBe(
        ['csv', 'mls', 'geojson'].includes(format) ? 'positions' : 'observations',
      )
    }),
    { numRuns: 50 },
  )
})

async function* pieces(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield await Promise.resolve(Buffer.from(`${line}\n`))
}
