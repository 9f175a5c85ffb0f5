import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import type { Submission } from './submission.js'

/**
 * Removes observations that were exported from one that the organization still has: they would count twice. Only the
 * organization's own originals count, so nobody can keep others from submitting.
 */
export async function withoutCopies(
  client: pg.ClientBase,
  submissions: readonly Submission[],
): Promise<readonly Submission[]> {
  const originals = new Set(submissions.flat().flatMap(({ copyOf }) => copyOf ?? []))
  if (originals.size === 0) return submissions
  const text = 'SELECT id, organization_id FROM observations WHERE id = ANY ($1::uuid[])'
  const columns = { id: 'uuid', organization_id: 'uuid' } as const
  const rows = await readRows(client, { name: 'find-originals', text, columns }, [[...originals]])
  const owners = new Map(rows.map((row) => [row.id, row.organization_id]))
  return submissions.map((submission) =>
    submission.filter(
      ({ copyOf, organizationId }) => copyOf === undefined || owners.get(copyOf) !== organizationId,
    ),
  )
}
