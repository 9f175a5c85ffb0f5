import {
  DEFAULT_ADMINISTRATION_DAYS,
  type OrganizationTokenPolicy,
} from '@bearing/contracts/identity/tokens/organization-token-policy'
import type { z } from 'zod'

type Policy = z.output<typeof OrganizationTokenPolicy>

interface PolicyRow {
  readonly maxTokenLifetimeDays: number | null
  readonly keepsLeakedTokens: boolean
  readonly administrationForbidden: boolean
  readonly administrationMaxDays: number | null
}

/** Returns a policy as the contract has it; the default for an organization without a row. */
export function toPolicy(row: PolicyRow | null): Policy {
  return {
    max_lifetime_days: row?.maxTokenLifetimeDays ?? null,
    when_leaked: row?.keepsLeakedTokens ? 'flag' : 'revoke',
    administration: row?.administrationForbidden ? 'forbid' : 'allow',
    administration_max_lifetime_days: row?.administrationMaxDays ?? DEFAULT_ADMINISTRATION_DAYS,
  }
}
