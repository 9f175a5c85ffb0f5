import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { AccessPointModel } from '../access-points/access-point-model.js'
import { evidenceOfAll, fuse, type Sighting } from '../access-points/coverage.js'
import { fieldPosterior, type Posterior } from './signal-field.js'

// A made-up floor of 40 m × 40 m that was surveyed every 5 m, on the plane of the query.

const SIDE = 40
const STEP = 5
/** Standard deviations of the reference scan on an axis in meters: below 10 m the device is not searched for. */
const [AGREEING, SEARCHED] = [9.9, 10.1]

interface Spot {
  readonly x: number
  readonly y: number
}

const signalAt = (source: Spot, { x, y }: Spot) =>
  Math.round(-35 - 15 * Math.log10((x - source.x) ** 2 + (y - source.y) ** 2 + 64))

function modelOf(source: Spot): AccessPointModel {
  const spots = Array.from({ length: (SIDE / STEP + 1) ** 2 }, (_, spot) => ({
    x: STEP * (spot % (SIDE / STEP + 1)),
    y: STEP * Math.floor(spot / (SIDE / STEP + 1)),
  }))
  const cells = spots.flatMap((spot) => [spot.x, spot.y, signalAt(source, spot), 1, 1.3])
  const bands = [-54, -65, -75, -85, -93].flatMap((center) => {
    const own = spots.filter((spot) => Math.abs(signalAt(source, spot) - center) <= 6)
    const mean = (pick: (spot: Spot) => number) => own.reduce((sum, spot) => sum + pick(spot), 0) / own.length
    return own.length === 0 ? [0, 0, 0, 0] : [own.length, mean(({ x }) => x), mean(({ y }) => y), 100]
  })
  return {
    ...{ lat: 0, lon: 0, spreadMeters: 15, observations: spots.length, moving: 0.05 },
    cells: Float64Array.from(cells),
    bands: Float64Array.from(bands),
    source: { east: source.x, north: source.y, signalDbm: -35 },
  }
}

function sightingOf(source: Spot, device: Spot, index: number): Sighting {
  return {
    ...{ bssid: 64 * (index + 1), signalDbm: signalAt(source, device), known: modelOf(source) },
    ...{ share: 1, east: 0, north: 0, turn: 0 },
  }
}

const spot = fc.record({
  x: fc.integer({ min: 0, max: SIDE }),
  y: fc.integer({ min: 0, max: SIDE }),
})
const distance = (one: Posterior | undefined, other: Posterior | undefined) =>
  Math.hypot((one?.x ?? NaN) - (other?.x ?? NaN), (one?.y ?? NaN) - (other?.y ?? NaN))
/** Offsets of reference scans from the device, in meters. */
const near = fc.integer({ min: -3, max: 3 })

it('a device is found around reference scans that agree within 1 m of where a search finds it', () => {
  fc.assert(
    fc.property(
      fc.array(spot, { minLength: 6, maxLength: 12 }),
      spot,
      fc.record({ x: near, y: near }),
      (sources, device, off) => {
        const { evidence } = evidenceOfAll(sources.map((source, index) => sightingOf(source, device, index)))
        const coverage = fuse(evidence)
        const fingerprints = [{ x: device.x + off.x, y: device.y + off.y, weight: 1 }]
        const posterior = (meters: number) =>
          fieldPosterior(evidence, coverage, { fingerprints, meters, weight: 2 }, 1)
        const [around, searched] = [posterior(AGREEING), posterior(SEARCHED)]
        expect(distance(around, searched)).toBeLessThan(1)
      },
    ),
  )
})
