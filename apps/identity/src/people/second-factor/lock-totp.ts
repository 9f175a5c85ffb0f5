import type { Transaction } from '../../ground/database.js'

/** A user's authenticator, as codes are checked with it. */
export interface LockedTotp {
  readonly userId: string
  readonly secretBox: Uint8Array
  readonly pepperId: string
  readonly confirmedAt: Date | null
  readonly lastStep: number
  readonly failures: number
  readonly blockedUntil: Date | null
}

/**
 * The authenticator of a user. Whoever asks next waits until this transaction ends, and then sees what it has left: so of
 * many who try one code at the same moment one succeeds, and all the wrong ones are counted.
 */
export async function lockTotp(transaction: Transaction, userId: string): Promise<LockedTotp | undefined> {
  const [row] = await transaction.$queryRaw<LockedTotp[]>`
    SELECT user_id AS "userId", secret_box AS "secretBox", pepper_id AS "pepperId",
           confirmed_at AS "confirmedAt", last_step AS "lastStep", failures, blocked_until AS "blockedUntil"
    FROM totps WHERE user_id = ${userId}::uuid
    FOR UPDATE`
  return row
}
