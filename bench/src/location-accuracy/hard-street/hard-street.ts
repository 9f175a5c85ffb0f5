import { numbers } from '../../numbers.js'
import { FlatMap } from '../flat.js'
import type { ScanSet, TrueScan } from '../scan-set.js'
import { Journey } from './journey.js'
import { Phone } from './phone.js'
import { SEVERITIES, type Severity } from './severities.js'
import { variedSeverity } from './varied-severity.js'
import { QUERY_SECONDS, SURVEY_SECONDS, townOf, type Town } from './town.js'

const SURVEYS = 60
const QUERIES = 24
const STEPS = 50
/** Seconds between scans: of apps that survey, and of others, which may scan four times in two minutes (Android 9 and newer). */
const EVERY_SECONDS = { survey: [5, 10, 15], query: [10, 30] } as const
/** Of wardriving apps. */
const DRIVE_SECONDS = { survey: [2, 3, 5], query: [2, 3, 5] } as const
type Kind = 'survey' | 'query'
type Pace = Readonly<Record<Kind, readonly number[]>>
const DRIVE = {
  ...{ cars: 1, density: { least: 3, most: 14 }, unsurveyed: 0.1 },
  ...{ moved: 0.03, replaced: 0.05, cachedIfMissed: 0.1, cachedIfReceived: 0.1 },
} satisfies Partial<Severity>
/** 2025-03-01. */
const FIRST_SECONDS = 1_740_787_200
const MAP = new FlatMap({ lat: 48.1, lon: 11.5 })

/**
 * Made-up towns in three severities, which are harder than any real set that may be handed out: thin scans with stale entries, positions that
 * are off, access points that have moved, and quarters that nobody has surveyed. What is learned from has the positions that phones
 * say, weeks before; what is asked for has true ones. `severities.ts`, `town.ts`, `phone.ts` and `journey.ts` name their sources.
 */
export function hardStreets(): ScanSet[] {
  return SEVERITIES.map((severity) => streetOf(severity, EVERY_SECONDS))
}

/**
 * More towns whose parameters vary between those of the three severities, and beyond.
 *
 * @param seeds a town for each; the same one in every run
 */
export function otherTowns(seeds: readonly number[]): ScanSet[] {
  return seeds.map((seed) => streetOf(variedSeverity(seed), EVERY_SECONDS))
}

/**
 * Towns in which every device drives and scans often, with thin scans, as public outdoor sets of drives have them.
 *
 * @param seeds a town for each; the same one in every run
 */
export function drives(seeds: readonly number[]): ScanSet[] {
  return seeds.map((seed) =>
    streetOf({ ...variedSeverity(seed), ...DRIVE, name: `drive ${String(seed)}` }, DRIVE_SECONDS),
  )
}

function streetOf(severity: Severity, pace: Pace): ScanSet {
  const town = townOf(severity)
  const next = numbers(severity.seed + 1_000)
  const journeys = (count: number, kind: Kind) =>
    Array.from({ length: count }, (_, index) => {
      const every = pace[kind][index % pace[kind].length] ?? 30
      return journey(
        severity,
        town,
        { name: `${kind} ${String(index)}`, isSurvey: kind === 'survey', every },
        next,
      )
    }).flat()
  return {
    name: `street, ${severity.name}`,
    group: `street, ${severity.name}`,
    hasWalks: true,
    isTracked: true,
    folds: [{ train: journeys(SURVEYS, 'survey'), test: journeys(QUERIES, 'query') }],
  }
}

function journey(
  severity: Severity,
  town: Town,
  { name, isSurvey, every }: { readonly name: string; readonly isSurvey: boolean; readonly every: number },
  next: () => number,
): TrueScan[] {
  const phone = new Phone(severity, town.transmitters, next)
  const moving = new Journey(severity, town, next)
  let seconds = Math.round(
    isSurvey
      ? SURVEY_SECONDS * next()
      : QUERY_SECONDS.from + (QUERY_SECONDS.to - QUERY_SECONDS.from - STEPS * every) * next(),
  )
  const scans: TrueScan[] = []
  for (let step = 0; step < STEPS; step++) {
    seconds += every
    const { spot, seen, claimedMeters } = moving.after(every)
    const accessPoints = phone.scan(spot, seconds)
    if (isSurvey && !town.isSurveyed(spot)) continue
    scans.push({
      ...MAP.place(isSurvey ? seen : spot),
      accuracyMeters: isSurvey ? claimedMeters : 1,
      seconds: FIRST_SECONDS + seconds,
      track: name,
      device: name,
      accessPoints,
    })
  }
  return scans
}
