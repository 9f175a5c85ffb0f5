import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { lockToken } from '../../ground/locks.js'
import { tokenState } from '../../ground/rules/token-state.js'
import { SHOWN, tokenNotFound, type OrganizationTokenRow } from './organization-token-row.js'

interface Scope {
  readonly id: string
  readonly organizationId: string
}

/**
 * Locks and returns the token to rotate.
 *
 * @throws OperationError if there is no such token, or it cannot be rotated anymore
 */
export async function lockedToken(
  transaction: Transaction,
  scope: Scope,
  now: Date,
): Promise<OrganizationTokenRow> {
  await lockToken(transaction, scope.id)
  const row = await transaction.organizationToken.findUnique({ where: scope, select: SHOWN })
  if (!row) throw tokenNotFound()
  if (row.ancestors.length > 0)
    throw new OperationError(
      'organization_token_conflict',
      'The auth token was derived from another one. Derive a new one instead.',
      { reason: 'derived' },
    )
  const state = tokenState(row, now)
  const reason = row.replacedBy && state !== 'deleted' ? 'rotated' : state
  if (reason === 'active' || isRevokedAsLeaked(row, now)) return row
  throw new OperationError(
    'organization_token_conflict',
    `The auth token is ${reason}${row.replacedBy ? `: ${row.replacedBy} has replaced it` : ''}. Only a token that is active or was revoked as leaked, and was not replaced, can be rotated.`,
    { reason },
  )
}

/** Returns true if a report has ended the token, which would be active otherwise and has no successor: its programs need one. */
function isRevokedAsLeaked(row: OrganizationTokenRow, now: Date): boolean {
  const { deletedAt, leakedAt, replacedBy } = row
  const isByReport = leakedAt !== null && leakedAt.getTime() === deletedAt?.getTime()
  return isByReport && replacedBy === null && tokenState({ ...row, deletedAt: null }, now) === 'active'
}
