import type { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import type { AuditRecord } from '@bearing/service/audit/audit-row'
import type { Transaction } from '../../ground/database.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'

/** @throws OperationError `project_not_found` if a role mapping names a project of another organization */
export async function refuseMapping(
  transaction: Transaction,
  organizationId: string,
  mapping: RoleMapping | null | undefined,
): Promise<void> {
  const all = [...(mapping?.rules ?? []), ...(mapping?.fallback ? [mapping.fallback] : [])]
  const ids = new Set(all.flatMap(({ projects }) => projects.map(({ project_id }) => project_id)))
  for (const project_id of ids)
    await refuseForeignProject(transaction, { organization_id: organizationId, project_id })
}

/** Returns the details of an audit event that say what a role mapping gives. */
export function mappingDetails(mapping: RoleMapping | null | undefined): AuditRecord['details'] {
  if (mapping === undefined) return {}
  if (mapping === null) return { role_mapping: null }
  const { claim, rules, fallback } = mapping
  const line = ({ projects }: RoleMapping['rules'][number] | NonNullable<RoleMapping['fallback']>) =>
    projects.map(({ project_id, role }) => `${project_id}:${role}`).join(' ')
  return {
    role_mapping: [
      `claim ${claim}`,
      ...rules.map((rule) => `${rule.value} = ${rule.role} ${line(rule)}`.trim()),
      fallback ? `else = member ${line(fallback)}`.trim() : 'else = none',
    ],
  }
}

/**
 * Leaves the roles that the role mapping of a connection gave to be edited by hand. Sign-ins that apply the mapping have locked the admins,
 * as the caller has, so none is at work.
 */
export async function releaseRoles(transaction: Transaction, connectionId: string): Promise<void> {
  await transaction.$executeRaw`
    UPDATE memberships SET connection_id = NULL WHERE (user_id, organization_id) IN (
      SELECT user_id, organization_id FROM memberships WHERE connection_id = ${connectionId}::uuid
      ORDER BY organization_id, user_id FOR NO KEY UPDATE)`
  await transaction.projectMember.updateMany({ where: { connectionId }, data: { connectionId: null } })
}
