import type { Transaction } from '../ground/database.js'

/**
 * Deletes files and their uploads, so that a repeated commit does not restore one. The next sweep of uploads deletes the
 * bytes, unless another file of the project has the same. The caller holds {@link lockCommits}.
 *
 * @param ids of files of one project
 * @returns the number of deleted files
 */
export async function removeFiles(transaction: Transaction, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const [row] = await transaction.$queryRaw<{ files: bigint }[]>`
    WITH deleted AS (
      DELETE FROM files WHERE id = ANY (${ids}::uuid[]) RETURNING id, object_id
    ), committed AS (
      DELETE FROM uploads WHERE file_id IN (SELECT id FROM deleted)
    ), unkept AS (
      UPDATE stored_objects o SET kept = NULL, leaving = true
      WHERE id IN (SELECT object_id FROM deleted)
        AND NOT EXISTS (SELECT FROM files f WHERE f.object_id = o.id AND f.id NOT IN (SELECT id FROM deleted))
    )
    SELECT count(*) AS files FROM deleted`
  return Number(row?.files ?? 0)
}
