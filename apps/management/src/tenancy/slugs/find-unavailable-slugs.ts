import type { Database } from '../../ground/database.js'
import type { UnavailableSlug } from '../rules/choose-slug.js'
import { scopeOf, type SlugOwner } from './slug-owner.js'

/**
 * Returns which slugs a new organization or project cannot have: those in use, and those reserved for another owner.
 *
 * @param owner the new organization, or the new project
 */
export async function findUnavailableSlugs(
  database: Database,
  owner: SlugOwner,
  slugs: readonly string[],
  now: Date,
): Promise<UnavailableSlug[]> {
  const slug = { in: [...slugs] }
  const select = { slug: true }
  const { organizationId, projectId } = owner
  const [used, reserved] = await Promise.all([
    projectId === undefined
      ? database.organization.findMany({ where: { slug }, select })
      : database.project.findMany({ where: { organizationId, slug }, select }),
    database.reservedSlug.findMany({
      where: { scopeId: scopeOf(owner), slug, expiresAt: { gt: now } },
      select: { slug: true, expiresAt: true },
    }),
  ])
  return [
    ...used.map((row) => ({ slug: row.slug, reservedUntil: undefined })),
    ...reserved.map((row) => ({ slug: row.slug, reservedUntil: row.expiresAt })),
  ]
}
