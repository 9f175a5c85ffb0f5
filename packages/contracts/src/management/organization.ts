import { z } from 'zod'
import { operation } from '../operation.js'
import { Id, Name, PageRequest, Slug, Timestamp, pageOf } from '../primitives.js'

/** An organization: what contains projects, and what tokens belong to. */
export const Organization = z
  .object({ id: Id, slug: Slug, name: z.string(), created_at: Timestamp })
  .meta({ id: 'Organization' })

export const listOrganizations = operation({
  subject: 'management.v1.organization.list',
  summary: 'List the organizations the caller belongs to',
  description: 'With a user API key or the account password.',
  input: z.object({ ...PageRequest }),
  output: pageOf(Organization),
  errors: ['user_required'],
  permission: 'organization:list',
})

export const createOrganization = operation({
  subject: 'management.v1.organization.create',
  summary: 'Create an organization',
  description:
    'The caller becomes its admin. Without a `slug` one is made from the name. A user belongs to at most 100 organizations.',
  input: z.object({ name: Name, slug: Slug.optional() }),
  output: Organization,
  errors: ['slug_taken', 'too_many_organizations', 'user_required'],
  permission: 'organization:create',
})
