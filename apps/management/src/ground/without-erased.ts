import type { Transaction } from './database.js'

interface Owned {
  readonly organizationId: string
  readonly projectId: string
}

/**
 * Removes what belongs to organizations and projects whose erasure has started. The caller holds `lockDeletions` of the projects, or
 * rows could be written after they were erased.
 */
export async function withoutErased<One extends Owned>(
  transaction: Transaction,
  list: readonly One[],
): Promise<readonly One[]> {
  const organizations = [...new Set(list.map(({ organizationId }) => organizationId))]
  const rows = await transaction.$queryRaw<{ organizationId: string; projectId: string | null }[]>`
    SELECT organization_id AS "organizationId", project_id AS "projectId" FROM deletions
    WHERE organization_id = ANY (${organizations}::uuid[]) AND state IN ('erasing', 'erased')`
  if (rows.length === 0) return list
  return list.filter(
    (one) =>
      !rows.some(
        ({ organizationId, projectId }) =>
          organizationId === one.organizationId && (projectId === null || projectId === one.projectId),
      ),
  )
}
