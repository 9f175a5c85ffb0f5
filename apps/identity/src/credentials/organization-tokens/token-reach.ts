import { BOUND_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import { invalidInput, refuseMistakes } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { grantedPermissions, type OrganizationTokenRow } from './organization-token-row.js'

/** The columns with the permissions and projects of a token. */
export type TokenReach = Pick<OrganizationTokenRow, 'permissions' | 'boundProjectIds' | 'boundPermissions'>

interface Binding {
  readonly organizationId: string
  readonly projectIds: readonly string[] | null | undefined
}

/**
 * Returns the reach of a new token.
 *
 * @throws OperationError `project_not_found` if the organization does not have one of the projects
 */
export async function newReach(
  transaction: Transaction,
  permissions: readonly string[],
  { organizationId, projectIds }: Binding,
): Promise<TokenReach> {
  const granted = [...new Set(permissions)]
  if (!projectIds) return { permissions: granted, boundProjectIds: [], boundPermissions: [] }
  const boundProjectIds = [...new Set(projectIds)]
  for (const project_id of boundProjectIds)
    await refuseForeignProject(transaction, { organization_id: organizationId, project_id })
  return { permissions: [], boundProjectIds, boundPermissions: granted }
}

/**
 * Returns the reach of a replacing token: the same, or fewer projects, never more.
 *
 * @throws OperationError `invalid_input`, `project_not_found`
 */
export async function narrowedReach(
  transaction: Transaction,
  before: TokenReach,
  binding: Binding,
): Promise<TokenReach> {
  const { permissions, boundProjectIds, boundPermissions } = before
  if (binding.projectIds === null && boundProjectIds.length > 0)
    throw invalidInput('/project_ids', 'must not be null: rotation never widens a binding')
  if (!binding.projectIds) return { permissions, boundProjectIds, boundPermissions }
  if (boundProjectIds.length > 0) refuseWidening(boundProjectIds, binding.projectIds)
  const kept = grantedPermissions(before).filter((name) =>
    BOUND_TOKEN_PERMISSIONS.some((grantable) => grantable === name),
  )
  if (kept.length === 0)
    throw invalidInput(
      '/project_ids',
      'must be left out: the token has no permission that a token bound to projects can have',
    )
  return newReach(transaction, kept, binding)
}

function refuseWidening(bound: readonly string[], wanted: readonly string[]): void {
  const mistakes = wanted.flatMap((id, index) =>
    bound.includes(id)
      ? []
      : [
          {
            pointer: `/project_ids/${String(index)}`,
            detail: 'must be a project that the token is bound to: rotation never widens a binding',
          },
        ],
  )
  refuseMistakes(mistakes)
}
