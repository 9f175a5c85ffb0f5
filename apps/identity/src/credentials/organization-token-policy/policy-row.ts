import type { OrganizationTokenPolicy } from '@bearing/contracts/identity/organization-token-policy'
import type { z } from 'zod'

/** A policy as operations return it. */
export type Policy = z.output<typeof OrganizationTokenPolicy>

/** What of an organization's rules is about its tokens. */
interface PolicyRow {
  readonly maxTokenLifetimeDays: number | null
  readonly keepsLeakedTokens: boolean
}

/** The policy of an organization; one without a row has the defaults. */
export function toPolicy(row: PolicyRow | null): Policy {
  return {
    max_lifetime_days: row?.maxTokenLifetimeDays ?? null,
    when_leaked: row?.keepsLeakedTokens ? 'flag' : 'revoke',
  }
}
