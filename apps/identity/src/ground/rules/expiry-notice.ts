import { DAY_MS } from '@bearing/contracts/durations'
import type { organizationTokenExpiring } from '@bearing/contracts/identity/tokens/organization-token'
import type { EventData } from '@bearing/contracts/operation'

export interface ExpiringToken {
  readonly id: string
  readonly organizationId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly replacedBy: string | null
  readonly boundProjectIds: readonly string[]
}

/**
 * Returns the notice that a token expires within some days; undefined for tokens that were created with a shorter
 * lifetime.
 */
export function noticeOf(
  { id, organizationId, createdAt, expiresAt, replacedBy }: ExpiringToken,
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
