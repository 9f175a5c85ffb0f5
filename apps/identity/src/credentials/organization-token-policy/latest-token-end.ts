import { DAY_MS } from '@bearing/contracts/durations'
import type { Transaction } from '../../ground/database.js'

/** Returns the latest expiry that an organization allows for a new token; null if it may never expire. */
export async function latestTokenEnd(
  transaction: Transaction,
  organizationId: string,
  now: Date,
): Promise<Date | null> {
  const rule = await transaction.organizationRule.findUnique({
    where: { organizationId },
    select: { maxTokenLifetimeDays: true },
  })
  const days = rule?.maxTokenLifetimeDays ?? null
  return days === null ? null : new Date(now.getTime() + days * DAY_MS)
}
