import type { Transaction } from '../../ground/database.js'

const DAY_MS = 24 * 3_600_000

/** The latest end that an organization allows a token that is made now; null: it need not end. */
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
