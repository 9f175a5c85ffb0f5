import type { CallOutput } from '@bearing/client/call-types'
import { readSpan } from '../ground/times.js'
import { findProjectIds } from './find-project-ids.js'
import type { Session } from '../session/session.js'
import { UsageError } from '../ground/usage-error.js'

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
    'Update identity first; see docs/upgrading.md.',
  )
}

/**
 * Returns the end of a span from now, as RFC 3339 in UTC.
 *
 * @param text hours, days or weeks: `12h`, `90d`, `52w`
 * @throws UsageError if it is invalid
 */
export function expiryIn(text: string, nowMs: number): string {
  return new Date(nowMs + readSpan(text, '--expires-in')).toISOString()
}
