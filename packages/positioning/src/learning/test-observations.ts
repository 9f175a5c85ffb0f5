import fc from 'fast-check'
import { EARTH_RADIUS_METERS } from '../sphere.js'
import { weightOf, type Observation } from './statistics.js'

// For specs.

/** Degrees of latitude. */
export const METER = 180 / (Math.PI * EARTH_RADIUS_METERS)

/** Observations around a place that may be anywhere, some of them so far away that cells and sites have to grow. */
export const observations = fc
  .record({
    lat: fc.double({ min: -89, max: 89, noNaN: true }),
    lon: fc.double({ min: -180, max: 179, noNaN: true }),
    seen: fc.array(
      fc.record({
        north: fc.double({ min: -1, max: 1, noNaN: true }),
        east: fc.double({ min: -1, max: 1, noNaN: true }),
        reach: fc.constantFrom(5, 50, 500, 5_000),
        signalDbm: fc.integer({ min: -110, max: -20 }),
        accuracyMeters: fc.integer({ min: 1, max: 200 }),
        day: fc.integer({ min: 15_000, max: 25_000 }),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  })
  .map(({ lat, lon, seen }) =>
    seen.map(({ north, east, reach, signalDbm, accuracyMeters, day }): Observation => ({
      lat: lat + north * reach * METER,
      lon: lon + east * reach * METER,
      signalDbm,
      weight: weightOf(accuracyMeters),
      day,
    })),
  )
