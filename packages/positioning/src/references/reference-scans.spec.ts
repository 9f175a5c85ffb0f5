import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { heightOf, type ReferenceScan } from './reference-index.js'
import { ReferenceScans } from './reference-scans.js'

const MOST_MATCHES = 30
const FIRST_BSSID = 0x02_00_00_00_00_00

/** Few access points and signals, so that many scans are equally like one. */
const readings = fc
  .uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 5 })
  .chain((numbers) =>
    fc
      .array(fc.constantFrom(-40, -70, -95), { minLength: numbers.length, maxLength: numbers.length })
      .map((signals) => numbers.map((number, index) => [FIRST_BSSID + number, signals[index] ?? 0] as const)),
  )

/** The places of the likest scans by a pass over all of them. */
function likest(scans: readonly ReferenceScan[], heard: ReadonlyMap<number, number>): number[] {
  const cosines = scans.map(({ readings: all }, index) => {
    const others = new Map(all)
    let product = 0
    for (const [bssid, signalDbm] of heard) {
      const other = others.get(bssid)
      if (other !== undefined) product = Math.fround(product + heightOf(signalDbm) * heightOf(other))
    }
    const squares = all.reduce((sum, [, signalDbm]) => sum + heightOf(signalDbm) ** 2, 0)
    return { index, cosine: product === 0 ? 0 : product / Math.fround(Math.sqrt(squares)) }
  })
  return cosines
    .filter(({ cosine }) => cosine > 0)
    .sort((one, other) => other.cosine - one.cosine || one.index - other.index)
    .slice(0, MOST_MATCHES)
    .map(({ index }) => index)
}

describe('the likest reference scans', () => {
  it('are those of a pass over all, in its order, for one query after the other', () => {
    fc.assert(
      fc.property(
        fc.array(readings, { maxLength: 120 }),
        fc.array(readings, { minLength: 1, maxLength: 3 }),
        (references, queries) => {
          const scans = references.map((all, index) => ({ place: { x: index, y: 0, z: 0 }, readings: all }))
          const index = ReferenceScans.of(scans)
          for (const query of queries) {
            const heard = new Map(query)
            const found = index.match(heard).matches.map(({ place }) => place.x)
            expect(found).toEqual(likest(scans, heard))
          }
        },
      ),
    )
  })
})
