import type { Transaction } from '../ground/database.js'

/**
 * Deletes files, and the uploads that they were committed from, so that no commit that is repeated brings one back. Their
 * bytes go with the next sweep of uploads, unless another file of the project has the same. Under the lock of the project's commits
 * (see lockCommits).
 *
 * @param ids of files of one project
 * @returns how many there were
 */
export async function removeFiles(transaction: Transaction, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const [row] = await transaction.$queryRaw<{ files: bigint }[]>`
    WITH gone AS (
      DELETE FROM files WHERE id = ANY (${ids}::uuid[]) RETURNING id, object_id
    ), committed AS (
      DELETE FROM uploads WHERE file_id IN (SELECT id FROM gone)
    ), unkept AS (
      UPDATE stored_objects o SET kept = NULL, leaving = true
      WHERE id IN (SELECT object_id FROM gone)
        AND NOT EXISTS (SELECT FROM files f WHERE f.object_id = o.id AND f.id NOT IN (SELECT id FROM gone))
    )
    SELECT count(*) AS files FROM gone`
  return Number(row?.files ?? 0)
}
