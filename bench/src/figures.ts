import type { Round } from './load.js'

/** What is reported of one side of a comparison. */
export interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
}

/** The figures of several rounds together. */
export function figuresOf(rounds: readonly Round[]): Figures {
  const latencies = rounds.flatMap((round) => round.latenciesMs)
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0)
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0)
  return {
    perSecond: requests / seconds,
    ...percentiles(latencies),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
  }
}

/** Median and 99th percentile. */
export function percentiles(valuesMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = Float64Array.from(valuesMs).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** One line of the report. */
export function line(name: string, figures: Figures, ratio?: number): string {
  const { perSecond, p50Ms, p99Ms, failures } = figures
  return [
    name.padEnd(44),
    `${perSecond.toFixed(0).padStart(7)} /s`,
    `p50 ${p50Ms.toFixed(2).padStart(7)} ms`,
    `p99 ${p99Ms.toFixed(2).padStart(7)} ms`,
    ratio === undefined ? '' : `ratio ${ratio.toFixed(2)}`,
    failures > 0 ? `${String(failures)} FAILED` : '',
  ]
    .join('  ')
    .trimEnd()
}
