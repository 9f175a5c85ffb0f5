import type { Transaction } from './database.js'

/** Of Postgres' advisory locks, which are known by two numbers: a first one that nothing else uses. */
const DELETIONS = 4_103_900
/** Projects share this many locks, so that a batch from many projects takes no more of them. */
const LOCKS = 64

/**
 * Keeps deletions of devices apart from the storing of what devices have sent, until the transaction ends: whoever stores
 * sees every deletion that is done, and what was being stored when a deletion begins is deleted with the rest. What other
 * projects send is stored beside it. Called before anything else is locked, and once in a transaction: locks are always taken in
 * the same order, so nobody waits in a circle.
 *
 * @param how `shared` to store, `exclusive` to delete
 * @param projectIds whose devices they are
 */
export async function lockDeletions(
  transaction: Transaction,
  how: 'shared' | 'exclusive',
  projectIds: readonly string[],
): Promise<void> {
  const locks = [...new Set(projectIds.map(lockOf))].sort((a, b) => a - b)
  // Postgres goes through an array in its order.
  if (how === 'shared')
    await transaction.$executeRaw`
      SELECT pg_advisory_xact_lock_shared(${DELETIONS}::integer, lock) FROM unnest(${locks}::integer[]) lock`
  else
    await transaction.$executeRaw`
      SELECT pg_advisory_xact_lock(${DELETIONS}::integer, lock) FROM unnest(${locks}::integer[]) lock`
}

/** The end of an id is random. */
function lockOf(projectId: string): number {
  return Number.parseInt(projectId.slice(-4), 16) % LOCKS
}
