import { expect, it } from '@jest/globals'
import { BAND_FIELDS, BANDS, bandOf, type AccessPointModel } from './access-point-model.js'
import { evidenceOf, evidenceOfAll, type Sighting } from './coverage.js'

const SIGNAL_DBM = -75

/** An access point that was received as often, within so many meters on an axis, at {@link SIGNAL_DBM}. */
function sighting(bssid: number, observations: number, meters: number): Sighting {
  const bands = new Float64Array(BANDS * BAND_FIELDS)
  bands.set([observations, 0, 0, meters ** 2], bandOf(SIGNAL_DBM) * BAND_FIELDS)
  const known: AccessPointModel = {
    ...{ lat: 48, lon: 11, spreadMeters: meters * Math.SQRT2, observations, moving: 0 },
    ...{ bands, cells: new Float64Array(), source: { east: 0, north: 0, signalDbm: -35 } },
  }
  return { bssid, signalDbm: SIGNAL_DBM, known, share: 1, east: 0, north: 0, turn: 0 }
}

it('expects an access point that was observed once to be heard as far as those beside it', () => {
  const once = sighting(1, 1, 0)
  const beside = [sighting(2, 40, 90), sighting(3, 40, 90)]
  const { evidence, breadth } = evidenceOfAll([once, ...beside])
  expect(breadth).toBeGreaterThan(10)
  const [ofOnce, ofMany] = evidence.map(({ variance }) => Math.sqrt(variance))
  expect(ofOnce).toBeGreaterThan(50)
  expect(ofMany).toBeGreaterThan(80)
  expect(ofMany).toBeLessThan(100)
  expect(Math.sqrt(evidenceOf(once).variance)).toBeLessThan(25)
})

it('changes nothing where access points are heard as far as in a building', () => {
  const sightings = [sighting(1, 1, 0), sighting(2, 40, 12), sighting(3, 40, 15)]
  const { evidence, breadth } = evidenceOfAll(sightings)
  expect(breadth).toBe(1)
  expect(evidence).toEqual(sightings.map(evidenceOf))
})

it('does not take access points that were observed once each for exact ones', () => {
  const sightings = [sighting(1, 1, 0), sighting(2, 1, 0)]
  expect(evidenceOfAll(sightings).breadth).toBe(1)
})
