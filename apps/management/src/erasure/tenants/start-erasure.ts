import { invalidInput } from '@bearing/contracts/errors'
import type { Principal } from '@bearing/contracts/principal'
import type { Transaction } from '../../ground/database.js'
import { lockDeletions, lockOrganizations } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import { findOpen, newProgress, type DeletionRow, type Tenant } from './deletion-row.js'

/**
 * Starts the erasure of a deleted tenant: from now on it cannot be restored, and queued messages of it are discarded. Does
 * nothing if it has started already.
 *
 * @param slug must be the slug of the tenant; undefined to start only if it was kept long enough
 * @returns the deletion; undefined if the tenant is not deleted, or kept longer
 */
export async function startErasure(
  transaction: Transaction,
  tenant: Tenant,
  by: Principal,
  now: Date,
  slug?: string,
): Promise<DeletionRow | undefined> {
  const { organizationId, projectId } = tenant
  // Waits for transactions that store chunks of it; later ones see the new state.
  await lockDeletions(transaction, 'exclusive', await projectsOf(transaction, tenant))
  await lockOrganizations(transaction, [organizationId])
  const open = await findOpen(transaction, tenant)
  if (!open) return undefined
  if (slug !== undefined && slug !== open.slug)
    throw invalidInput('/slug', 'must be the slug of what is erased')
  if (open.state === 'erasing') return open
  // It may have been restored and deleted again since the caller read that it is due.
  if (slug === undefined && open.eraseAfter > now) return undefined
  await transaction.$executeRaw`
    UPDATE deletions SET state = 'erasing', version = nextval('deletions_version_seq'), erasing_since = ${now},
      next_attempt_at = ${now}, parts = ${JSON.stringify(newProgress())}::jsonb
    WHERE id = ${open.id}::uuid`
  const target = projectId === null ? 'organization' : 'project'
  recordAudit(transaction, by, {
    action: `${target}.erasure_started`,
    target: [target, projectId ?? organizationId],
    organizationId,
    details: { slug: open.slug },
  })
  return transaction.deletion.findUniqueOrThrow({ where: { id: open.id } })
}

/** Returns the ids of the projects of a tenant. */
export async function projectsOf(
  transaction: Pick<Transaction, 'project'>,
  { organizationId, projectId }: Tenant,
): Promise<string[]> {
  if (projectId !== null) return [projectId]
  const rows = await transaction.project.findMany({ where: { organizationId }, select: { id: true } })
  return rows.map(({ id }) => id)
}
