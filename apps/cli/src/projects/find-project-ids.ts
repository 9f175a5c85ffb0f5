import type { Session } from '../session.js'
import { UsageError } from '../usage-error.js'

/**
 * Returns the ids of projects of the organization, in the order of their slugs.
 *
 * @throws UsageError if the organization has no such project, or the caller does not see it
 */
export async function findProjectIds(
  { client, organization }: Session,
  slugs: readonly string[],
): Promise<string[]> {
  if (slugs.length === 0) return []
  const projects = await client.listAll('listProjects', { organization })
  return slugs.map((slug) => {
    const project = projects.find((candidate) => candidate.slug === slug)
    if (!project)
      throw new UsageError(
        `The organization has no project "${slug}".`,
        '"bearing projects list" shows the slugs.',
      )
    return project.id
  })
}

/** Returns the slugs of projects; the id of a project that is deleted, or that the caller does not see. */
export async function projectNames(session: Session, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { client, organization } = session
  const projects = await client.listAll('listProjects', { organization })
  return ids.map((id) => projects.find((project) => project.id === id)?.slug ?? id)
}
