import {
  ACCESS_TOKEN,
  SUBJECT_TOKEN_TYPES,
  TOKEN_EXCHANGE,
  type exchangeToken,
} from '@bearing/contracts/identity/workloads/token-exchange'
import type { Input } from '@bearing/contracts/operation'
import type { WorkloadTrust } from '../generated/prisma/client.js'
import { exchangeRefused } from './exchange-refused.js'

/** @throws OperationError `token_exchange_refused` for a request that is no exchange for an organization */
export function refuseOtherRequests(input: Input<typeof exchangeToken>): void {
  if (input.grant_type !== TOKEN_EXCHANGE)
    throw exchangeRefused('unsupported_grant_type', `grant_type must be ${TOKEN_EXCHANGE}.`)
  if (!SUBJECT_TOKEN_TYPES.some((type) => type === input.subject_token_type))
    throw exchangeRefused(
      'invalid_request',
      `subject_token_type must be ${SUBJECT_TOKEN_TYPES.join(' or ')}.`,
    )
  if (input.requested_token_type !== undefined && input.requested_token_type !== ACCESS_TOKEN)
    throw exchangeRefused('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}, or left out.`)
  if (input.audience === undefined)
    throw exchangeRefused('invalid_target', 'audience is needed: the slug or id of the organization.')
}

/** Returns the permissions of the new token: all of the trust, or those that are asked for. */
export function scopeOf(scope: string | undefined, { permissions }: WorkloadTrust): string[] {
  const wanted = [...new Set((scope ?? '').split(' ').filter((name) => name !== ''))]
  if (wanted.length === 0) return permissions
  if (wanted.every((name) => permissions.includes(name))) return wanted
  throw exchangeRefused('invalid_scope', 'scope has a permission that the trust does not give.')
}
