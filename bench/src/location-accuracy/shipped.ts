import { earlierScans } from '@bearing/positioning/following/earlier-scans'
import { estimateOf, type Found } from '@bearing/positioning/estimate/estimate'
import { followed, type PastFix } from '@bearing/positioning/following/follow'
import type { Learned } from '@bearing/positioning/learning/evidence/learn-scans'
import { countRadios } from '@bearing/positioning/scans/radio'
import type { Scan } from '@bearing/positioning/scans/scan'
import { DEFAULT_CALIBRATION, deviationOf, radiusOf } from '@bearing/positioning/estimate/uncertainty'
import { usableReadings } from '@bearing/positioning/scans/usable-readings'
import { learn } from './bearing.js'
import type { Held } from './calibrate.js'
import { distanceMeters, quantile } from './flat.js'
import { isEligible } from './judge.js'
import { previousScansOf } from './previous-scans.js'
import type { ScanSet } from './scan-set.js'
import { positionsAlone } from './surveyed.js'

/** Positions with the radii that callers get without a fit of their own. */
export interface Shipped {
  readonly fixes: number
  readonly medianMeters: number
  readonly p95Meters: number
  readonly held: Held
}

/** Figures of a set with the radii as shipped: of all fixes, and of those that one radio alone gave. */
export interface ShippedFigures {
  readonly learned: Shipped
  /** If devices send their previous scans: without stale readings, and followed; undefined if no scans follow each other. */
  readonly followed: Shipped | undefined
  readonly oneRadio: Shipped
  /** If scans are cut to the access point that they receive best, so that one radio gives every fix. */
  readonly strongest: Shipped
  /** If only positions of access points were imported. */
  readonly imported: Shipped
  readonly importedOneRadio: Shipped
  readonly importedStrongest: Shipped
}

interface Fix {
  readonly errorMeters: number
  readonly radii: readonly [p68: number, p95: number]
  readonly radios: number
}

/** Locates the scans of a set as the service does, once with what was learned and once with positions alone. */
export function shippedOf(set: ScanSet): ShippedFigures {
  const learned = fixesOf(set, (one) => one)
  const imported = fixesOf(set, positionsAlone)
  const isOne = ({ radios }: Fix) => radios === 1
  return {
    learned: figuresOf(learned),
    followed: set.isTracked ? figuresOf(fixesOf(set, (one) => one, { isFollowed: true })) : undefined,
    oneRadio: figuresOf(learned.filter(isOne)),
    strongest: figuresOf(fixesOf(set, (one) => one, { cut: strongestOf })),
    imported: figuresOf(imported),
    importedOneRadio: figuresOf(imported.filter(isOne)),
    importedStrongest: figuresOf(fixesOf(set, positionsAlone, { cut: strongestOf })),
  }
}

function fixesOf(
  { folds, hasWalks }: ScanSet,
  change: (learned: Learned) => Learned,
  { isFollowed = false, cut = (scan: Scan) => scan } = {},
): Fix[] {
  return folds.flatMap(({ train, test }) => {
    const { known, references } = change(learn(train, hasWalks))
    const previous: Previous = isFollowed ? previousScansOf(test) : new Map()
    const located = (scan: Scan) => estimateOf(scan, known, { minRadios: 1, confidence: 68, references })
    return test.filter(isEligible).flatMap((scan) => {
      const before = previous.get(scan) ?? []
      const found = located(cut(usableReadings(scan.accessPoints, before)))
      if (!found.found) return []
      const past = earlierScans(before).flatMap((earlier): PastFix[] => {
        const fix = located(earlier.scan)
        return fix.found ? [pastFix(fix, earlier.ageMs)] : []
      })
      const { lat, lon } = past.length > 0 ? followed([...past, pastFix(found, 0)]) : found
      return [
        {
          errorMeters: distanceMeters({ lat, lon }, scan),
          radii: [found.radiusMeters, radiusOf(found.features, DEFAULT_CALIBRATION, 95)],
          radios: countRadios(found.agreeing),
        },
      ]
    })
  })
}

function pastFix({ lat, lon, features }: Found, ageMs: number): PastFix {
  return { lat, lon, deviationMeters: deviationOf(features), ageMs }
}

type Previous = ReturnType<typeof previousScansOf>

function strongestOf(scan: Scan): Scan {
  const [strongest] = [...scan].sort(([, one = -Infinity], [, other = -Infinity]) => other - one)
  return new Map(strongest ? [strongest] : [])
}

function figuresOf(fixes: readonly Fix[]): Shipped {
  const errors = fixes.map(({ errorMeters }) => errorMeters)
  const held = (radius: 0 | 1) =>
    fixes.filter(({ errorMeters, radii }) => errorMeters <= radii[radius]).length / fixes.length
  return {
    fixes: fixes.length,
    medianMeters: quantile(errors, 0.5),
    p95Meters: quantile(errors, 0.95),
    held: { p68: held(0), p95: held(1) },
  }
}
