import type { Transaction } from '../database.js'

/**
 * Deletes the files that are from a device, and the uploads that they were committed from, so that no commit that is
 * repeated brings one back. Their bytes go with the sweep of uploads, unless another file of the project has the same.
 *
 * @returns how many files
 */
export async function deleteFiles(
  transaction: Transaction,
  projectId: string,
  deviceSerial: string,
): Promise<number> {
  const [row] = await transaction.$queryRaw<{ files: bigint }[]>`
    WITH gone AS (
      DELETE FROM files WHERE project_id = ${projectId}::uuid AND device_serial = ${deviceSerial}
      RETURNING id, object_id
    ), committed AS (
      DELETE FROM uploads WHERE file_id IN (SELECT id FROM gone)
    ), unkept AS (
      UPDATE stored_objects o SET kept = NULL
      WHERE id IN (SELECT object_id FROM gone)
        AND NOT EXISTS (SELECT FROM files f WHERE f.object_id = o.id AND f.id NOT IN (SELECT id FROM gone))
    )
    SELECT count(*) AS files FROM gone`
  return Number(row?.files ?? 0)
}
