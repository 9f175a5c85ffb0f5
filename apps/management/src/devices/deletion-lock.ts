import type { Transaction } from '../database.js'

/** Of Postgres' advisory locks, which are known by number: any that nothing else uses. */
const DELETIONS = 4_103_900

/**
 * Keeps deletions of devices apart from the storing of what devices have sent, until the transaction ends: whoever stores
 * sees every deletion that is done, and what was being stored when a deletion begins is deleted with the rest.
 *
 * @param how `shared` to store, `exclusive` to delete
 */
export async function lockDeletions(transaction: Transaction, how: 'shared' | 'exclusive'): Promise<void> {
  if (how === 'shared')
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock_shared(${DELETIONS}::bigint)`
  else await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${DELETIONS}::bigint)`
}
