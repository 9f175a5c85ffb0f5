import { expect, it } from '@jest/globals'
import { evaluate, type Evaluation } from './evaluation.js'
import type { Contribution } from '../learning/evidence/contribution.js'

/** Access points on a street, one each 20 m, heard weaker with the distance. */
function walk(scans: number): Contribution[] {
  return Array.from({ length: scans }, (_, index): Contribution => {
    const at = (index * 7.3) % 400
    const readings = Array.from({ length: 21 }, (_, place) => ({
      bssid: 0x02_00_00_00_00_00 + place * 0x1_00_00,
      // Measured with an error that looks random.
      signalDbm: Math.round(-40 - Math.abs(place * 20 - at) / 2 + ((index * 31 + place * 17) % 9) - 4),
    })).filter(({ signalDbm }) => signalDbm > -90)
    return { lat: 48 + at / 111_195, lon: 11, accuracyMeters: 5, atSeconds: 1e9 + index * 1_000, readings }
  })
}

function run(contributions: readonly Contribution[], blocks: number): Evaluation {
  const evaluation = evaluate(contributions, blocks)
  for (;;) {
    const step = evaluation.next()
    if (step.done) return step.value
  }
}

it('scans of a street are found where they were taken, and radii hold as often as they say', () => {
  const { evaluated, errors, coverage } = run(walk(440), 10)
  expect(evaluated).toHaveLength(440)
  expect(errors).toHaveLength(440)
  expect(errors[220]).toBeLessThan(15)
  expect([...errors]).toEqual([...errors].sort((a, b) => a - b))
  expect(coverage).toHaveLength(50)
  const held = coverage.find(({ confidence }) => confidence === 95)?.held
  expect(held).toBeGreaterThan(0.88)
})

it('each scan has where it was taken and found', () => {
  const contributions = walk(220)
  const { evaluated, errors } = run(contributions, 10)
  expect(evaluated.map(({ lat, lon }) => ({ lat, lon }))).toEqual(
    contributions.map(({ lat, lon }) => ({ lat, lon })),
  )
  const found = evaluated.flatMap((one) => one.found ?? [])
  expect(found.map(({ errorMeters }) => errorMeters).sort((a, b) => a - b)).toEqual([...errors])
  for (const { radiusMeters } of found) expect(radiusMeters).toBeGreaterThan(0)
})

it('two devices whose scans come in turns, without a name, are not one that jumps', () => {
  const inTurns = walk(220).flatMap((scan, index): Contribution[] => {
    const atSeconds = 1e9 + index * 20
    const readings = scan.readings.map(({ bssid, signalDbm }) => ({ bssid: bssid + 2 ** 32, signalDbm }))
    return [
      { ...scan, atSeconds },
      { ...scan, lat: scan.lat + 1, atSeconds: atSeconds + 10, readings },
    ]
  })
  const { errors } = run(inTurns, 10)
  expect(errors).toHaveLength(440)
  expect(errors[220]).toBeLessThan(15)
})

it('a device that now and then is where it cannot be is still one: what is wrong is not learned from', () => {
  const scans = walk(100).map((scan, index): Contribution => {
    const wrong = index % 17 === 8 ? 0.5 : 0
    return { ...scan, lat: scan.lat + wrong, atSeconds: 1e9 + index * 20 }
  })
  const { errors } = run(scans, 10)
  // Six are wrong, and found where they really were.
  expect([...errors].filter((error) => error > 50_000)).toHaveLength(6)
  expect(errors[90]).toBeLessThan(60)
})

it('what only a block itself knows does not help it', () => {
  const alone = walk(20).map((scan, index): Contribution => ({
    ...scan,
    readings: scan.readings.map(({ bssid, signalDbm }) => ({
      bssid: bssid + (index < 10 ? 0 : 2 ** 32),
      signalDbm,
    })),
  }))
  const evaluation = run(alone, 2)
  expect(evaluation).toMatchObject({ errors: new Float64Array(), coverage: [] })
  expect(evaluation.evaluated.every(({ found }) => found === undefined)).toBe(true)
})

it('nothing gives nothing', () => {
  expect(run([], 10)).toEqual({ errors: new Float64Array(), evaluated: [], coverage: [] })
})

it('one known radio locates a scan, as in a look-up of what an organization has learned itself', () => {
  const pairs = walk(60).map((scan, index): Contribution => ({
    ...scan,
    readings: [
      { bssid: 0x02_00_00_00_00_00, signalDbm: -50 },
      { bssid: 0x02_00_01_00_00_00 + index * 0x1_00_00, signalDbm: -60 },
    ],
  }))
  expect(run(pairs, 10).errors).toHaveLength(60)
})
