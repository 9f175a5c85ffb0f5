import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Prisma } from '../generated/prisma/client.js'
import type { Transaction } from './database.js'

/** The state of a deleted organization or project; null if it is active. */
export type DeletedState = 'stopped' | 'erasing' | null

/**
 * Returns a subquery for the state of an organization or project that is deleted; null if it is not.
 *
 * @param organizationId a column
 * @param projectId a column; undefined for the organization as a whole
 */
export function deletedState(organizationId: Prisma.Sql, projectId?: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (SELECT d.state FROM tenant_states d
     WHERE d.organization_id = ${organizationId}
       AND d.project_id = ${projectId ?? Prisma.sql`${WHOLE_ORGANIZATION}::uuid`} AND d.state <> 'active')`
}

/** Returns whether an organization, or the project of it, is deleted. */
export async function isDeleted(
  database: Pick<Transaction, 'tenantState'>,
  organizationId: string,
  projectId?: string,
): Promise<boolean> {
  const projectIds = [WHOLE_ORGANIZATION, ...(projectId === undefined ? [] : [projectId])]
  const where = { organizationId, projectId: { in: projectIds }, state: { not: 'active' } }
  return (await database.tenantState.findFirst({ where, select: { state: true } })) !== null
}

/** Returns whether the erasure of an organization has started. */
export async function isErasing(
  database: Pick<Transaction, 'tenantState'>,
  organizationId: string,
): Promise<boolean> {
  const where = { organizationId, projectId: WHOLE_ORGANIZATION, state: 'erasing' }
  return (await database.tenantState.findFirst({ where, select: { state: true } })) !== null
}
