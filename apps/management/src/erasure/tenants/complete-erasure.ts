import { organizationErased, projectErased } from '@bearing/contracts/management/tenancy/deletion'
import { recordEvent } from '@bearing/service/store/transactions'
import type { Transaction } from '../../ground/database.js'
import { lockOrganizations } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { reserveSlug } from '../../tenancy/slugs/reserve-slug.js'
import { progressOf, type DeletionRow } from './deletion-row.js'

/**
 * Deletes the row of an organization with its projects, or of a project, when nothing else is left. A foreign key would refuse it
 * if there was. The tombstone keeps ids, times and counts, and the slug is reserved.
 */
export async function completeErasure(transaction: Transaction, row: DeletionRow, now: Date): Promise<void> {
  const { id, organizationId, projectId, slug } = row
  await lockOrganizations(transaction, [organizationId])
  if (projectId === null) {
    await transaction.project.deleteMany({ where: { organizationId } })
    await transaction.organization.deleteMany({ where: { id: organizationId } })
  } else await transaction.project.deleteMany({ where: { id: projectId, organizationId } })
  const tombstone = { state: 'erased', slug: null, name: null, erasedAt: now, nextAttemptAt: null }
  // With an organization, deletions of its projects end too.
  const where = projectId === null ? { organizationId } : { id }
  const { count } = await transaction.deletion.updateMany({
    where: { ...where, state: { not: 'erased' } },
    data: tombstone,
  })
  if (count === 0) return
  if (slug !== null)
    await reserveSlug(transaction, { organizationId, projectId: projectId ?? undefined }, slug, now)
  const counts = Object.fromEntries(progressOf(row).map(({ part, erased }) => [part, erased]))
  const target = projectId === null ? 'organization' : 'project'
  recordAudit(
    transaction,
    { kind: 'service', name: 'management' },
    {
      action: `${target}.erased`,
      target: [target, projectId ?? organizationId],
      organizationId,
      details: { slug, ...counts },
    },
  )
  if (projectId === null) recordEvent(transaction, organizationErased, { organization_id: organizationId })
  else recordEvent(transaction, projectErased, { organization_id: organizationId, project_id: projectId })
}
