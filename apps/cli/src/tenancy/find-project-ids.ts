import type { Session } from '../session/session.js'
import { UsageError } from '../ground/usage-error.js'

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
