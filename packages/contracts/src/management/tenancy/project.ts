import { z } from 'zod'
import { event, operation } from '../../operation.js'
import {
  Id,
  Name,
  OrganizationScope,
  PageRequest,
  ProjectScope,
  Slug,
  Timestamp,
  pageOf,
} from '../../primitives.js'

/** A project: what devices send data to. */
export const Project = z
  .object({ id: Id, slug: Slug, name: z.string(), created_at: Timestamp })
  .meta({ id: 'Project' })

export const listProjects = operation({
  subject: 'management.v1.project.list',
  summary: 'List the projects of an organization that the caller may see',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(Project),
  errors: [],
  permission: 'project:list',
  batched: true,
})

export const createProject = operation({
  subject: 'management.v1.project.create',
  summary: 'Create a project',
  description: 'It has its project key from the first moment. Without a `slug` one is made from the name.',
  input: z.object({ ...OrganizationScope, name: Name, slug: Slug.optional() }),
  output: Project,
  errors: ['organization_not_found', 'slug_taken', 'slug_reserved', 'quota_exceeded'],
  permission: 'project:create',
  timeoutMs: 10_000,
})

export const showProject = operation({
  subject: 'management.v1.project.show',
  summary: 'Show a project',
  input: z.object(ProjectScope),
  output: Project,
  errors: ['project_not_found'],
  permission: 'project:read',
})

export const renameProject = operation({
  subject: 'management.v1.project.rename',
  summary: 'Rename a project',
  description:
    'Changes the name, the slug, or both. The former slug redirects nobody: every gateway stops accepting it within 30 s, and it stays reserved for this project for 30 days.',
  input: z.object({ ...ProjectScope, name: Name.optional(), slug: Slug.optional() }),
  output: Project,
  errors: ['project_not_found', 'slug_taken', 'slug_reserved', 'quota_exceeded'],
  permission: 'project-settings:change',
})

/** A project has another name or slug. */
export const projectChanged = event({
  subject: 'management.v1.project.changed',
  data: z.object({
    id: Id,
    ...ProjectScope,
    name: z.string(),
    slug: Slug,
    former_slug: Slug.nullable().describe('The slug before. Null: only the name changed.'),
  }),
})
