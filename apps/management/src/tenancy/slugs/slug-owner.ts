/** Owner of a slug: an organization, or a project of one. */
export interface SlugOwner {
  readonly organizationId: string
  /** Undefined: the slug is that of the organization. */
  readonly projectId?: string | undefined
}

/** The scope of the slugs of organizations. */
const INSTALLATION = '00000000-0000-0000-0000-000000000000'

/** Returns the id of the scope in which a slug is unique: the organization of a project, or the installation. */
export function scopeOf({ organizationId, projectId }: SlugOwner): string {
  return projectId === undefined ? INSTALLATION : organizationId
}
