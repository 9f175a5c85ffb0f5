import type { organizationTokenExpiring } from '@bearing/contracts/identity/organization-token'
import type { EventData } from '@bearing/contracts/operation'

/** A day, in milliseconds. */
export const DAY_MS = 24 * 3_600 * 1_000

/** A token that ends. */
export interface EndingToken {
  readonly id: string
  readonly organizationId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly replacedBy: string | null
}

/**
 * The notice, so many days before its end, that a token is about to expire.
 *
 * @returns undefined where the token is not that old: whoever made it for so short a time knows
 */
export function noticeOf(
  { id, organizationId, createdAt, expiresAt, replacedBy }: EndingToken,
  days: number,
  nowMs: number,
): Omit<EventData<typeof organizationTokenExpiring>, 'id'> | undefined {
  if (expiresAt.getTime() - createdAt.getTime() <= days * DAY_MS) return undefined
  return {
    organization_id: organizationId,
    organization_token_id: id,
    expires_at: expiresAt.toISOString(),
    days_left: Math.ceil((expiresAt.getTime() - nowMs) / DAY_MS),
    replaced_by: replacedBy,
  }
}
