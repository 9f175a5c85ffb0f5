import { OperationError } from '../errors.js'
import type { QuotaUse } from '../errors/error-details.js'

/** Fixed limits of an organization (docs/limits.md). */
export const MAX_OPEN_INVITATIONS = 1_000
export const MAX_SSO_CONNECTIONS = 50
export const MAX_SSO_DOMAINS = 500
export const MAX_PENDING_PARTNER_LINKS = 100
export const MAX_LEGACY_TOKENS = 100_000
/** Project roles of one member. The claims of each of the member's requests contain all of them. */
export const MAX_PROJECT_ROLES_OF_MEMBER = 200

/** A limit on a resource of an organization, and the texts of its error. */
export interface Quota extends Pick<QuotaUse, 'resource' | 'limit'> {
  readonly raised_by: 'operator' | 'nobody'
  /** The start of the message: "The organization has too many auth tokens". */
  readonly has: string
  /** The remedy for the caller: "Delete one first". */
  readonly remedy: string
}

/** @throws OperationError `quota_exceeded` if there is no room for one more */
export function refuseBeyond({ resource, limit, raised_by, has, remedy }: Quota, used: number): void {
  if (used < limit) return
  const raise =
    raised_by === 'operator' ? ', or ask the operator of Bearing to raise the limit' : '; the limit is fixed'
  throw new OperationError('quota_exceeded', `${has}: at most ${String(limit)}. ${remedy}${raise}.`, {
    quota: { resource, limit, used, scope: 'organization', raised_by },
  })
}
