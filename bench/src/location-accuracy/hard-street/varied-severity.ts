import { numbers } from '../../numbers.js'
import type { Severity } from './severities.js'

/** Seeds that follow each other begin alike without this. */
const SPREAD = 7_919
const SKIPPED = 5

/** Returns a severity with parameters of its own: no two towns are alike, and what is fitted to three of them need not hold elsewhere. */
export function variedSeverity(seed: number): Severity {
  const next = numbers(SPREAD * seed)
  for (let skipped = 0; skipped < SKIPPED; skipped++) next()
  const between = (least: number, most: number) => least + (most - least) * next()
  const times = (least: number, most: number) => least * (most / least) ** next()
  const least = times(0.5, 5)
  return {
    name: `town ${String(seed)}`,
    seed,
    density: { least, most: least * times(3, 12) },
    hotspots: between(0.05, 0.5),
    buses: between(0, 0.2),
    moved: between(0.02, 0.15),
    replaced: between(0.03, 0.35),
    gpsMeters: times(3, 10),
    canyonMeters: times(6, 25),
    canyons: between(0, 0.4),
    unsurveyed: between(0, 0.45),
    cachedIfMissed: between(0, 0.35),
    cachedIfReceived: between(0, 0.25),
    cars: between(0, 0.4),
    radio: { shadowDb: between(4, 9), dbADecade: between(28, 40), offsetDb: between(2, 5) },
  }
}
