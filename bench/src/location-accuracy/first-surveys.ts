import { LEAST_SCANS } from '@bearing/positioning/calibration/own-calibration'
import { DEFAULT_CALIBRATION } from '@bearing/positioning/estimate/uncertainty'
import { heldBy, type Held } from './calibrate.js'
import { judge, thinned } from './judge.js'
import type { ScanSet, TrueScan } from './scan-set.js'
import { MOST_ACCURACY_METERS, positionsAlone, surveyedCalibration } from './surveyed.js'

/** Surveys of each fold and kind: walks from everywhere, and walks one after the other. */
const SURVEYS = 10
/** Scans that each is asked with at most. */
const MOST_ASKED = 400
/** Sets with fewer tracks do not say which scans are of one walk. */
const LEAST_TRACKS = 4

/** How often the radii of an organization hold after its first 200 reference scans, on walks that it has not contributed. */
export interface FirstSurveys {
  readonly learned: SurveyRadii
  /** If only positions are known. */
  readonly imported: SurveyRadii
}

/** Means of all surveys, and the least and the most that radii of 68 % held with its own fit. */
export interface SurveyRadii {
  readonly shipped: Held
  readonly own: Held
  readonly least68: number
  readonly most68: number
}

/** Returns what radii hold where an organization has only contributed its first 200 reference scans, in whole walks. */
export function firstSurveysOf({ folds, ...set }: ScanSet): FirstSurveys {
  const results = folds.flatMap((fold) => {
    const asked = thinned(fold, Math.max(1, Math.floor(fold.test.length / MOST_ASKED))).test
    const surveys = Array.from({ length: SURVEYS }, (_, number) =>
      surveysOf(fold.train, set.hasWalks === true, number / SURVEYS),
    ).flat()
    return surveys.map((train) => {
      const own = surveyedCalibration(train, set.hasWalks) ?? DEFAULT_CALIBRATION
      const radii = (change: Parameters<typeof judge>[1]) => {
        const { outcomes } = judge({ ...set, folds: [{ train, test: asked }] }, change)
        return { shipped: heldBy(outcomes, DEFAULT_CALIBRATION), own: heldBy(outcomes, own) }
      }
      return { learned: radii((one) => one), imported: radii(positionsAlone) }
    })
  })
  return {
    learned: meanOf(results.map(({ learned }) => learned)),
    imported: meanOf(results.map(({ imported }) => imported)),
  }
}

function meanOf(all: readonly Pick<SurveyRadii, 'shipped' | 'own'>[]): SurveyRadii {
  const mean = (what: 'shipped' | 'own', quantile: keyof Held) =>
    all.reduce((sum, one) => sum + one[what][quantile], 0) / all.length
  const held = (what: 'shipped' | 'own'): Held => ({ p68: mean(what, 'p68'), p95: mean(what, 'p95') })
  const own68 = all.map(({ own }) => own.p68)
  return {
    ...{ shipped: held('shipped'), own: held('own') },
    ...{ least68: Math.min(...own68), most68: Math.max(...own68) },
  }
}

/**
 * Returns first surveys of whole walks, of which the last brings it to 200 reference scans: from everywhere, and one after the other.
 * Where walks are not distinguished: every n-th scan.
 *
 * @param start with which walk, as a share of all, 0 to less than 1
 */
function surveysOf(train: readonly TrueScan[], hasWalks: boolean, start: number): TrueScan[][] {
  const tracks = [...Map.groupBy(train, ({ track }) => track)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, scans]) => scans)
  if (tracks.length < LEAST_TRACKS) {
    const step = Math.floor(train.length / LEAST_SCANS)
    return [train.filter((_, index) => index % step === Math.floor(start * step))]
  }
  if (hasWalks) tracks.sort(([one], [other]) => (one?.seconds ?? 0) - (other?.seconds ?? 0))
  const needed = Math.ceil((LEAST_SCANS * tracks.length) / train.length)
  return [Math.max(1, Math.floor(tracks.length / needed)), 1].map((step) => {
    const walks = new Set<readonly TrueScan[]>()
    for (let count = 0; referencesIn([...walks].flat()) < LEAST_SCANS && count < tracks.length; count++) {
      // After a round with a step, the next one begins a walk later.
      const at = Math.floor(start * tracks.length) + count * step + Math.floor((count * step) / tracks.length)
      const walk = tracks[at % tracks.length]
      if (walk) walks.add(walk)
    }
    const kept = new Set([...walks].flat())
    return train.filter((scan) => kept.has(scan))
  })
}

function referencesIn(scans: readonly TrueScan[]): number {
  return scans.filter(({ accuracyMeters }) => accuracyMeters <= MOST_ACCURACY_METERS).length
}
