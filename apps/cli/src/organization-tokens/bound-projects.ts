import type { CallOutput } from '@bearing/client/call-types'
import { findProjectIds } from '../projects/find-project-ids.js'
import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

/**
 * Returns the projects to which a new token is bound. Only flags count, because BEARING_PROJECT is for other commands.
 *
 * @returns undefined if no flag names one
 */
export async function boundProjects(
  session: Session,
  slugs: readonly string[],
): Promise<string[] | undefined> {
  return slugs.length === 0 ? undefined : findProjectIds(session, slugs)
}

/**
 * Deletes a new token that should be bound to projects and is not: an older identity service ignores the binding, and the
 * token has access to all projects.
 *
 * @throws UsageError if it is not bound
 */
export async function refuseUnbound(
  { client, organization }: Session,
  wanted: readonly string[] | undefined,
  { id, project_ids }: CallOutput<'deleteOrganizationToken'>,
): Promise<void> {
  if (!wanted || project_ids) return
  await client.call('deleteOrganizationToken', { organization, organization_token_id: id })
  throw new UsageError(
    'This version of Bearing cannot bind tokens to projects. The new token was deleted.',
    'Update identity first; see "Upgrade" in docs/operations.md.',
  )
}
