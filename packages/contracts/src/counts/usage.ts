import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../durations.js'

/** Retention of usage counts, in days. */
export const USAGE_DAYS = 90

/** A day in UTC: `2026-01-31`. */
export const Day = z.iso.date().meta({ example: '2026-01-31' })

/** Outcomes of a look-up of a position. */
export const LOOKUP_OUTCOMES = ['found', 'fallback', 'not_found', 'refused'] as const
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number]

const Count = z.int().min(0)

/** Look-ups by outcome. */
export const LookupCounts = z
  .object({
    found: Count.describe('Positions found in the data of Bearing.'),
    fallback: Count.describe('Positions found by the provider of the organization.'),
    not_found: Count.describe('Look-ups without a result, those without usable readings too.'),
    refused: Count.describe(
      'Look-ups over the limit of the base layer. Requests that the gateway refused, for a missing permission or over a rate limit, are not look-ups: the usage of requests counts them.',
    ),
  })
  .meta({ id: 'LookupCounts' })

/** Returns the day of a moment in UTC. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/**
 * Returns the days of a period that ends today, oldest first.
 *
 * @param count days, today included: 1 to {@link USAGE_DAYS}
 */
export function lastDays(now: Date, count: number): readonly [string, ...string[]] {
  const dayBefore = (days: number) => dayOf(new Date(now.getTime() - days * 24 * 3600 * 1_000))
  const later = Array.from({ length: count - 1 }, (_, index) => dayBefore(count - 2 - index))
  return [dayBefore(count - 1), ...later]
}

/** Periods of charts. */
export const Period = z
  .enum(['24h', '7d', '30d'])
  .describe(
    '`24h` has points of an hour, the others of a day (UTC). The last point is the hour or day that is in progress.',
  )
export type Period = z.infer<typeof Period>

/** The part of a period that a point is about. */
export const Step = z.enum(['hour', 'day'])
export type Step = z.infer<typeof Step>

const LENGTH: Readonly<Record<Period, readonly [Step, number]>> = {
  '24h': ['hour', 24],
  '7d': ['day', 7],
  '30d': ['day', 30],
}
const STEP_MS = { hour: HOUR_MS, day: DAY_MS }

/** Returns the points of a period that ends now, oldest first: when each starts. */
export function pointsOf(
  period: Period,
  now: Date,
): { readonly step: Step; readonly at: readonly [string, ...string[]] } {
  const [step, count] = LENGTH[period]
  const last = Math.floor(now.getTime() / STEP_MS[step])
  const startOf = (before: number) => new Date((last - before) * STEP_MS[step]).toISOString()
  const later = Array.from({ length: count - 1 }, (_, index) => startOf(count - 2 - index))
  return { step, at: [startOf(count - 1), ...later] }
}
