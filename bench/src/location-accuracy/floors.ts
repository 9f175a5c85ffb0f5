import { estimateOf } from '@bearing/positioning/estimate/estimate'
import {
  floorProbability,
  floorTerms,
  votedFloor,
  type FloorFeatures,
} from '@bearing/positioning/heights/estimate-height'
import { usableReadings } from '@bearing/positioning/scans/usable-readings'
import { FLOOR_BARS, SURE } from './bar.js'
import { learn } from './bearing.js'
import { isEligible } from './judge.js'
import type { Verdict } from './report.js'
import type { ScanSet } from './scan-set.js'

/** A scan with a position whose reference scans say a floor. */
interface FloorOutcome extends FloorFeatures {
  readonly isRight: boolean
}

/** Figures of the floors of one set. */
export interface FloorFigures {
  readonly name: string
  /** Scans with a position. */
  readonly scans: number
  /** Share of the scans that were given a floor, and of all scans that were given the right one. */
  readonly answered: number
  readonly right: number
  /** Share of the scans whose floor claims at least {@link SURE}, and of those that are right. */
  readonly sure: number
  readonly sureRight: number
  readonly outcomes: readonly FloorOutcome[]
}

/** Judges the floors of a set whose scans say them. */
export function judgeFloors({ name, folds, hasWalks }: ScanSet): FloorFigures {
  const outcomes: FloorOutcome[] = []
  let [scans, answered, right, sure, sureRight] = [0, 0, 0, 0, 0]
  for (const { train, test } of folds) {
    const { known, references } = learn(train, hasWalks)
    for (const scan of test.filter(isEligible)) {
      const heard = usableReadings(scan.accessPoints)
      const found = estimateOf(heard, known, { references, minRadios: 1, confidence: 68 })
      if (!found.found) continue
      scans++
      const { matches, similarity, floorNames } = references.match(heard)
      const vote = votedFloor(matches)
      const isRight = vote !== undefined && floorNames[vote.number - 1] === scan.floor
      if (vote) outcomes.push({ share: vote.share, similarity, heard: heard.size, isRight })
      const floor = found.height?.floor
      if (!floor) continue
      answered++
      const isFloorRight = floor.name === scan.floor
      if (isFloorRight) right++
      if (floor.probability < SURE.claimed) continue
      sure++
      if (isFloorRight) sureRight++
    }
  }
  const shares = { answered: answered / scans, right: right / scans, sure: sure / scans }
  return { name, scans, ...shares, sureRight: sureRight / sure, outcomes }
}

/** Compares floors with the bar. */
export function floorVerdicts({
  name,
  right,
  sureRight,
}: Pick<FloorFigures, 'name' | 'right' | 'sureRight'>): Verdict[] {
  const least = FLOOR_BARS[name]
  const isAtLeast = (what: string, value: number, bar: number): Verdict => ({
    what: `${what} ${percent(value)} ≥ ${percent(bar)}`,
    reached: value >= bar,
  })
  return [
    ...(least === undefined ? [] : [isAtLeast('right floor', right, least)]),
    isAtLeast(`right where ${String(SURE.claimed)} is claimed`, sureRight, SURE.right),
  ]
}

/** Prints a line for each set, how often floors are right by what they claim, and what the coefficients fitted to all sets are. */
export function printedFloors(all: readonly FloorFigures[]): string {
  const lines = all.map((one) => {
    const { name, scans, answered, right, sure, sureRight } = one
    const verdicts = floorVerdicts(one).map(({ what, reached }) => `${reached ? '✓' : '✗'} ${what}`)
    return `  ${name.padEnd(24)} ${String(scans).padStart(5)} scans, floor for ${percent(answered)}, right of all ${percent(right)}, sure of ${percent(sure)}, of those right ${percent(sureRight)}   ${verdicts.join(', ')}`
  })
  const claims = all.flatMap(({ outcomes }) =>
    outcomes.map((one) => ({ ...one, claimed: floorProbability(one) })),
  )
  const bins = [0, 0.3, 0.5, 0.7, 0.9].map((least, index, leasts) => {
    const most = leasts[index + 1] ?? 1.01
    const among = claims.filter(({ claimed }) => claimed >= least && claimed < most)
    const isRight = among.filter((one) => one.isRight).length / among.length
    return `  ${percent(least)} to ${percent(Math.min(1, most))}: right ${percent(isRight)} of ${String(among.length)}`
  })
  const fitted = fitFloorOdds(all.map(({ outcomes }) => outcomes)).map((value) => value.toFixed(2))
  return [
    '',
    'floors',
    ...lines,
    'floors by what they claim',
    ...bins,
    `floor odds: [${fitted.join(', ')}]`,
    '',
  ].join('\n')
}

/** Logistic regression by gradient descent; each set counts the same. */
function fitFloorOdds(sets: readonly (readonly FloorOutcome[])[]): number[] {
  const rows = sets.flatMap((outcomes) =>
    outcomes.map((one) => ({ terms: floorTerms(one), isRight: one.isRight, weight: 1 / outcomes.length })),
  )
  const size = rows[0]?.terms.length ?? 0
  const scale = Array.from({ length: size }, (_, index) =>
    Math.max(...rows.map(({ terms }) => Math.abs(terms[index] ?? 0))),
  )
  let odds = new Array<number>(size).fill(0)
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Array<number>(size).fill(0)
    for (const { terms, isRight, weight } of rows) {
      const log = terms.reduce(
        (sum, term, index) => sum + (term / (scale[index] ?? 1)) * (odds[index] ?? 0),
        0,
      )
      const error = (isRight ? 1 : 0) - 1 / (1 + Math.exp(-log))
      terms.forEach((term, index) => {
        gradient[index] = (gradient[index] ?? 0) + (weight * error * term) / (scale[index] ?? 1)
      })
    }
    odds = odds.map((value, index) => value + (RATE * (gradient[index] ?? 0)) / sets.length)
  }
  return odds.map((value, index) => value / (scale[index] ?? 1))
}

const STEPS = 4_000
const RATE = 8

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
