import type { Transaction } from '../../ground/database.js'

/** Deletes the uses of keys of a project that have ended. Later reports of gateways about them are ignored. */
export async function deleteEndedUses(transaction: Transaction, projectId: string): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM project_key_uses used WHERE used.project_id = ${projectId}::uuid
      AND NOT EXISTS (SELECT FROM project_keys key WHERE key.id = used.key_id)
      AND NOT EXISTS (SELECT FROM replaced_project_keys key WHERE key.id = used.key_id)`
}
