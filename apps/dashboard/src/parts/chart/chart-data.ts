import type { Step } from '@bearing/contracts/counts/usage'

/** The color of a series, which says the same everywhere. */
export type Tone = 'main' | 'second' | 'quiet' | 'attention' | 'bad'

export interface ChartSeries {
  readonly name: string
  readonly tone: Tone
  /** Of its own values, in a table (default: that of the chart). */
  readonly format?: (value: number) => string
}

export interface ChartPoint {
  /** Start of an hour or day, in UTC. */
  readonly at: string
  /** Of each series. Null: there is none. */
  readonly values: readonly (number | null)[]
}

export interface ChartData {
  /** Subject of the chart, with its unit: "Chunks per hour". */
  readonly label: string
  readonly step: Step
  /** Bars of a point stand on each other, the first series below. */
  readonly shape: 'bars' | 'line'
  readonly series: readonly ChartSeries[]
  readonly points: readonly ChartPoint[]
  readonly format: (value: number) => string
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Returns a day: "29 Nov". */
export function dayText(at: string): string {
  return DAY.format(new Date(at))
}

/** Returns the name of a point: "29 Nov" or "29 Nov 14:00". */
export function pointText(at: string, step: Step): string {
  return step === 'day' ? dayText(at) : `${dayText(at)} ${at.slice(11, 16)}`
}

/** Returns a point with its values: "29 Nov: 12 delivered, 3 failed". */
export function readPoint({ at, values }: ChartPoint, { step, series, format }: ChartData): string {
  const shown = series.flatMap(({ name }, index) => {
    const value = values[index]
    if (value === null || value === undefined) return []
    return [series.length === 1 ? format(value) : `${format(value)} ${name.toLowerCase()}`]
  })
  return `${pointText(at, step)}: ${shown.join(', ') || 'none'}`
}
