import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, Slug } from '../../primitives.js'

/** The ids behind the slugs of an address. For the gateway, which only asks for callers it has authenticated. */
export const resolveScope = operation({
  subject: 'management.v1.address.resolve',
  summary: 'Give the ids behind the slugs of an address',
  input: z.object({ organization: Slug, project: Slug.optional() }),
  output: z.object({
    organization_id: Id.nullable(),
    project_id: Id.nullable().describe(
      'Null where no project was asked for or the organization has none of that slug.',
    ),
  }),
  errors: [],
  permission: 'internal',
  batched: true,
})

export const findOnlyProject = operation({
  subject: 'management.v1.project.find-only',
  summary: 'Find the project of an organization that has one',
  input: z.object({ organization_id: Id }),
  /** Null: the organization has no project, or several. */
  output: z.object({ project_id: Id.nullable() }),
  errors: [],
  permission: 'internal',
})
