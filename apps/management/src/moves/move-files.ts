import { OperationError } from '@bearing/contracts/errors'
import { checkQuota } from '../files/uploads/storage-quota.js'
import type { FilesQuota } from '../files/uploads/upload-limits.js'
import type { Transaction } from '../ground/database.js'
import type { Move } from './finish-moves.js'

/** Content of files of a device, as it is in both projects. */
interface Content {
  readonly id: string
  readonly size: number
  /** Whether other files of the project have it too. */
  readonly shared: boolean
  /** The same content in the other project, kept there or copied. Null: there is none. */
  readonly other: string | null
  readonly isKept: boolean
}

/**
 * Moves the files of a device, and their content. Content that other files of the project have too stays there; the other
 * project has its own or a copy of it. The caller holds `lockCommits` of both projects and `lockStorageQuota`.
 *
 * @param quotas of the other project
 * @returns the number of files
 * @throws OperationError `storage_quota_exceeded`; `overloaded` if shared content was not copied yet
 */
export async function moveFiles(
  transaction: Transaction,
  { organizationId, projectId, toProjectId, serial }: Move,
  quotas: readonly FilesQuota[],
): Promise<number> {
  const contents = await transaction.$queryRaw<Content[]>`
    SELECT o.id, coalesce(o.size, 0)::float8 AS size, other.id AS other, coalesce(other.kept IS NOT NULL, false) AS "isKept",
      EXISTS (SELECT FROM files f WHERE f.object_id = o.id AND f.device_serial IS DISTINCT FROM ${serial}) AS shared
    FROM stored_objects o
    LEFT JOIN LATERAL (
      SELECT t.id, t.kept FROM stored_objects t
      WHERE t.project_id = ${toProjectId}::uuid
        AND (t.kept = o.sha256 OR (t.kept IS NULL AND t.sha256 = o.sha256 AND NOT t.leaving))
      ORDER BY t.kept NULLS LAST LIMIT 1
    ) other ON true
    WHERE o.id IN (
      SELECT object_id FROM files WHERE project_id = ${projectId}::uuid AND device_serial = ${serial})`
  if (contents.some(({ shared, other }) => shared && other === null)) throw notCopied()
  const added = contents.filter(({ isKept }) => !isKept)
  await checkQuota(
    transaction,
    { organizationId, projectId: toProjectId, quotas: quotas.filter(({ scope }) => scope === 'project') },
    added.reduce((sum, { size }) => sum + size, 0),
  )
  const replaced = contents.filter(({ other }) => other !== null)
  const copies = replaced.filter(({ isKept }) => !isKept).map(({ other }) => other)
  const kept = await transaction.$executeRaw`
    UPDATE stored_objects SET kept = sha256 WHERE id = ANY (${copies}::uuid[]) AND NOT leaving`
  // The sweep of uploads has begun to delete a copy.
  if (kept < copies.length) throw notCopied()
  await transaction.$executeRaw`
    UPDATE stored_objects SET project_id = ${toProjectId}::uuid
    WHERE id = ANY (${contents.filter(({ other }) => other === null).map(({ id }) => id)}::uuid[])`
  const moved = await transaction.$executeRaw`
    UPDATE files f SET project_id = ${toProjectId}::uuid, object_id = coalesce(replaced.other, f.object_id)
    FROM files mine LEFT JOIN unnest(
      ${replaced.map(({ id }) => id)}::uuid[], ${replaced.map(({ other }) => other)}::uuid[]
    ) AS replaced (object_id, other) ON replaced.object_id = mine.object_id
    WHERE mine.id = f.id AND f.project_id = ${projectId}::uuid AND f.device_serial = ${serial}`
  // Content that no file of the project has any more.
  await transaction.$executeRaw`
    UPDATE stored_objects o SET kept = NULL, leaving = true
    WHERE id = ANY (${replaced.map(({ id }) => id)}::uuid[])
      AND NOT EXISTS (SELECT FROM files f WHERE f.object_id = o.id)`
  return moved
}

function notCopied(): OperationError {
  return new OperationError(
    'overloaded',
    'Other devices have uploaded the same content meanwhile. Move the device again.',
    { retry_after: 1 },
  )
}
