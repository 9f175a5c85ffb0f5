import type { Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'

/** Tags of one event, so that it stays far below the largest message of NATS. */
const TAGS_OF_EVENT = 5_000

/**
 * Ends the tokens that come from a credential no later than at a moment, in the transaction that ends the credential. Lock or change the
 * credential first: a token that is being derived holds it, so none is missed.
 *
 * @param isDeletion whether they are deleted with it, or expire at that moment
 */
export async function endDerivedTokens(
  transaction: Transaction,
  ancestorId: string,
  at: Date,
  isDeletion: boolean,
): Promise<void> {
  const ended = await transaction.$queryRaw<{ readonly id: string }[]>`
    UPDATE organization_tokens
    SET expires_at = least(expires_at, ${at}::timestamptz),
        deleted_at = CASE WHEN ${isDeletion} THEN ${at}::timestamptz ELSE deleted_at END
    WHERE id IN (
      SELECT id FROM organization_tokens
      WHERE ancestors @> ARRAY[${ancestorId}::uuid] AND deleted_at IS NULL AND expires_at > ${at}
      ORDER BY id FOR UPDATE)
    RETURNING id`
  for (let from = 0; from < ended.length; from += TAGS_OF_EVENT) {
    const some = ended.slice(from, from + TAGS_OF_EVENT)
    recordCredentialChange(transaction, ...some.map(({ id }) => `credential:${id}` as const))
  }
}
