import type { Transaction } from '../../ground/database.js'

/** Has uploads of an organization reserve their room one after the other until the transaction ends. After {@link lockCommits}. */
export async function lockRoom(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${organizationId}, 41))`
}

/**
 * Has commits of a project, and whatever takes files away from it, done one after the other until the transaction ends: of two
 * with the same content the second one finds the first, and no file is made of content whose last file is being deleted. After
 * the lock of deletions (see lockDeletions), where both are taken.
 */
export async function lockCommits(transaction: Transaction, projectId: string): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${projectId}, 40))`
}
