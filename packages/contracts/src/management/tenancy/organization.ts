import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Email, Id, Name, OrganizationScope, PageRequest, Slug, Timestamp, pageOf } from '../../primitives.js'

/** An organization: what contains projects, and what tokens belong to. */
export const Organization = z
  .object({ id: Id, slug: Slug, name: z.string(), created_at: Timestamp })
  .meta({ id: 'Organization' })

export const listOrganizations = operation({
  subject: 'management.v1.organization.list',
  summary: 'List the organizations the caller belongs to',
  description:
    'With a user API key, the account password, or an organization auth token: then it is the organization of the token.',
  input: z.object({ ...PageRequest }),
  output: pageOf(Organization),
  errors: ['user_required'],
  permission: 'organization:list',
})

const NewOrganization = { name: Name, slug: Slug.optional() }

export const createOrganization = operation({
  subject: 'management.v1.organization.create',
  summary: 'Create an organization',
  description:
    'The caller becomes its admin. Without a `slug` one is made from the name. A user belongs to at most 100 organizations. Where only operators create organizations (`ORGANIZATION_CREATION`), the answer is 403 `permission_denied`.',
  input: z.object(NewOrganization),
  output: Organization,
  errors: ['permission_denied', 'slug_taken', 'slug_reserved', 'too_many_organizations', 'user_required'],
  permission: 'organization:create',
})

export const createOrganizationFor = operation({
  subject: 'management.v1.organization.create-for',
  summary: 'Create an organization for a user, who becomes its admin',
  input: z.object({ ...NewOrganization, admin: Email }),
  output: Organization,
  errors: ['slug_taken', 'slug_reserved', 'too_many_organizations', 'user_not_found'],
  permission: 'membership:grant',
})

export const showOrganization = operation({
  subject: 'management.v1.organization.show',
  summary: 'Show an organization',
  input: z.object(OrganizationScope),
  output: Organization,
  errors: ['organization_not_found'],
  // If a caller may list the projects, the name reveals nothing more.
  permission: 'project:list',
})

export const renameOrganization = operation({
  subject: 'management.v1.organization.rename',
  summary: 'Rename an organization',
  description:
    'Changes the name, the slug, or both. The former slug redirects nobody: every gateway stops accepting it within 30 s, and it stays reserved for this organization for 30 days.',
  input: z.object({ ...OrganizationScope, name: Name.optional(), slug: Slug.optional() }),
  output: Organization,
  errors: ['organization_not_found', 'slug_taken', 'slug_reserved', 'quota_exceeded'],
  permission: 'organization:rename',
})

/** An organization has another name or slug. */
export const findCreator = operation({
  subject: 'management.v1.organization.creator',
  summary: 'Find the user who created an organization, for the location service',
  input: z.object({ organization_id: Id }),
  output: z.object({ user_id: Id.nullable().describe('Null: there is no such organization.') }),
  errors: [],
  permission: 'internal',
  timeoutMs: 2_000,
})

export const organizationChanged = event({
  subject: 'management.v1.organization.changed',
  data: z.object({
    id: Id,
    ...OrganizationScope,
    name: z.string(),
    slug: Slug,
    former_slug: Slug.nullable().describe('The slug before. Null: only the name changed.'),
  }),
})
