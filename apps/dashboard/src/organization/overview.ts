import type { CallOutput } from '@bearing/client/call-types'
import { Period } from '@bearing/contracts/counts/usage'
import { queryOptions } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'

export type Overview = CallOutput<'showOverview'>
export type OverviewPoint = Overview['points'][number]

/** Interval between reads of the numbers while the page is visible, in milliseconds. */
const REREAD_MS = 60_000
/** The same while nothing has come yet. */
const WAITING_MS = 3_000

export const PERIODS: Readonly<Record<Period, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

/** Returns the period of a URL (default: 24 hours). */
export function periodOf(text: string): Period {
  return Period.safeParse(text).data ?? '24h'
}

export const overviewOf = (organization: string, period: Period) =>
  queryOptions({
    ...calling(['overview', organization, period], 'showOverview', { organization, period }),
    refetchInterval: ({ state: { data } }) => (data?.latest_data === null ? WAITING_MS : REREAD_MS),
    placeholderData: (before) => before,
  })

/** Returns the sum of look-ups. */
export function totalOf(lookups: Overview['lookups']): number {
  return Object.values(lookups).reduce((sum, amount) => sum + amount, 0)
}

/** Returns a part as percent: "92 %". Without anything it is a dash. */
export function shareText(part: number, all: number): string {
  if (all === 0) return '–'
  const percent = (part / all) * 100
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : String(Math.round(percent))} %`
}
