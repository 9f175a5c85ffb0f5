import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/**
 * By one statement, so that a key which is being replaced at the moment is in one of the two tables.
 *
 * @throws OperationError `project_key_taken`
 */
export async function requireUnusedKey(transaction: Transaction, key: string): Promise<void> {
  const used = await transaction.$queryRaw<unknown[]>`
    SELECT FROM project_keys WHERE key = ${key} UNION ALL SELECT FROM replaced_project_keys WHERE key = ${key}`
  if (used.length > 0) throw keyTaken()
}

/** It says nothing of the project that has the key. */
export function keyTaken(): OperationError {
  return new OperationError(
    'project_key_taken',
    'The key is one of a project of this installation, or another project has asked for it. If it is yours, cycle that project first, without a grace period, or ask an operator.',
  )
}
