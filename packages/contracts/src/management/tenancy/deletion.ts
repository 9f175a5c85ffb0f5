import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Id, OrganizationScope, PageRequest, Slug, Timestamp, pageOf } from '../../primitives.js'

/** Parts that are erased separately, in the order of the erasure. */
export const DELETION_PARTS = ['location', 'management', 'identity'] as const
export type DeletionPart = (typeof DELETION_PARTS)[number]

/** The progress of a part of an erasure. */
const PartProgress = z
  .object({
    part: z.enum(DELETION_PARTS),
    erased: z.int().min(0).describe('Rows, files and messages that were erased so far.'),
    remaining: z.int().min(0).nullable().describe('How many are left, at least. Null: not counted yet.'),
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable().describe('When nothing was left.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Which service failed in the last attempt, with the error code; null: none. The erasure is retried with backoff. The log of management has the cause.',
      ),
  })
  .meta({ id: 'DeletionPart' })

/** The deletion of an organization or a project. */
export const Deletion = z
  .object({
    id: Id,
    organization_id: Id,
    project_id: Id.nullable().describe('Null if an organization is deleted.'),
    slug: Slug.nullable().describe('Slug of what is deleted. Null once it is erased.'),
    name: z.string().nullable(),
    state: z
      .enum(['deleted', 'erasing', 'erased'])
      .describe('`deleted`: it can be restored. `erasing`: it cannot. `erased`: nothing is left.'),
    deleted_at: Timestamp,
    credentials_stopped_at: Timestamp.nullable().describe(
      'When its credentials stopped. Null: they stop in a moment.',
    ),
    erase_after: Timestamp.describe('When the erasure starts.'),
    erasing_since: Timestamp.nullable(),
    erased_at: Timestamp.nullable(),
    parts: z.array(PartProgress).describe('Empty before the erasure.'),
  })
  .meta({ id: 'Deletion' })
export type Deletion = z.infer<typeof Deletion>

const KEPT =
  'Its credentials stop within a second. Its data is kept until `erase_after` (default: 7 days) and can be restored until then, with the same slug and the same credentials. Afterwards it is erased in all services. Until then devices get 503 with `Retry-After`, so they keep their key and their data.'

const ERASE_NOW =
  'Starts the erasure now instead of at `erase_after`. It cannot be undone. The organization or project must have been deleted before, and `slug` must be its slug, as confirmation.'

export const deleteOrganization = operation({
  subject: 'management.v1.organization.delete',
  summary: 'Delete an organization with all its projects',
  description: `For admins. ${KEPT} If it is deleted already, nothing changes.`,
  input: z.object(OrganizationScope),
  output: Deletion,
  errors: ['organization_not_found'],
  permission: 'organization:delete',
})

export const restoreOrganization = operation({
  subject: 'management.v1.organization.restore',
  summary: 'Restore a deleted organization',
  description: 'For admins, before its erasure starts. Projects that were deleted before it stay deleted.',
  input: z.object(OrganizationScope),
  output: z.object({ organization_id: Id, slug: Slug, restored_at: Timestamp }),
  errors: ['deletion_not_found', 'erasure_started'],
  permission: 'organization:restore',
})

export const eraseOrganization = operation({
  subject: 'management.v1.organization.erase',
  summary: 'Erase a deleted organization now',
  description: ERASE_NOW,
  input: z.object({ ...OrganizationScope, slug: Slug }),
  output: Deletion,
  errors: ['deletion_not_found'],
  permission: 'organization:restore',
})

export const showOrganizationDeletion = operation({
  subject: 'management.v1.organization-deletion.show',
  summary: 'Show the deletion of an organization and the progress of its erasure',
  input: z.object(OrganizationScope),
  output: Deletion,
  errors: ['deletion_not_found'],
  permission: 'organization:restore',
})

export const listDeletedOrganizations = operation({
  subject: 'management.v1.organization-deletion.list',
  summary: 'List deleted organizations that the caller is an admin of, with the time of their erasure',
  description: 'Latest first. Operators see all, projects and erased ones included.',
  input: z.object({ ...PageRequest }),
  output: pageOf(Deletion),
  errors: ['user_required'],
  permission: 'organization:list',
})

/** A deleted project has no id in URLs: its slug is resolved by the handler. */
const ProjectSlugScope = { ...OrganizationScope, project_slug: Slug }

export const deleteProject = operation({
  subject: 'management.v1.project.delete',
  summary: 'Delete a project with its devices and their data',
  description: `For admins of the organization. ${KEPT} If it is deleted already, nothing changes.`,
  input: z.object(ProjectSlugScope),
  output: Deletion,
  errors: ['project_not_found'],
  permission: 'project:delete',
})

export const restoreProject = operation({
  subject: 'management.v1.project.restore',
  summary: 'Restore a deleted project',
  description: 'For admins of the organization, before its erasure starts.',
  input: z.object(ProjectSlugScope),
  output: z.object({ organization_id: Id, project_id: Id, slug: Slug, restored_at: Timestamp }),
  errors: ['deletion_not_found', 'erasure_started'],
  permission: 'project:delete',
})

export const eraseProject = operation({
  subject: 'management.v1.project.erase',
  summary: 'Erase a deleted project now',
  description: ERASE_NOW,
  input: z.object({ ...ProjectSlugScope, slug: Slug }),
  output: Deletion,
  errors: ['deletion_not_found'],
  permission: 'project:delete',
})

export const showProjectDeletion = operation({
  subject: 'management.v1.project-deletion.show',
  summary: 'Show the deletion of a project and the progress of its erasure',
  input: z.object(ProjectSlugScope),
  output: Deletion,
  errors: ['deletion_not_found'],
  permission: 'project:delete',
})

export const listDeletedProjects = operation({
  subject: 'management.v1.project-deletion.list',
  summary: 'List the deleted projects of an organization, with the time of their erasure',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(Deletion),
  errors: [],
  permission: 'project:delete',
})

const OrganizationEvent = z.object({ id: Id, organization_id: Id })
const ProjectEvent = z.object({ id: Id, organization_id: Id, project_id: Id })

/** An organization was deleted. Its data can be restored. */
export const organizationDeleted = event({
  subject: 'management.v1.organization.deleted',
  data: OrganizationEvent,
})
/** A deleted organization is as it was before. */
export const organizationRestored = event({
  subject: 'management.v1.organization.restored',
  data: OrganizationEvent,
})
/** Nothing of an organization is left. */
export const organizationErased = event({
  subject: 'management.v1.organization.erased',
  data: OrganizationEvent,
})
/** A project was deleted. Not published for the projects of a deleted organization. */
export const projectDeleted = event({ subject: 'management.v1.project.deleted', data: ProjectEvent })
/** A deleted project is as it was before. */
export const projectRestored = event({ subject: 'management.v1.project.restored', data: ProjectEvent })
/** Nothing of a project is left. Not published for the projects of an erased organization. */
export const projectErased = event({ subject: 'management.v1.project.erased', data: ProjectEvent })

/** Every event of a deletion. */
export const DELETION_EVENTS = [
  organizationDeleted,
  organizationRestored,
  organizationErased,
  projectDeleted,
  projectRestored,
  projectErased,
] as const
