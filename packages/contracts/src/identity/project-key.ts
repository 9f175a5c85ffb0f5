import { z } from 'zod'
import { operation } from '../operation.js'
import { ProjectScope, Timestamp } from '../primitives.js'

/** A project's key. It is not a secret: every member of the project may see it. */
export const ProjectKey = z
  .object({
    /** 32 characters of 0–9 and a–f: device SDKs reserve exactly that. */
    api_key: z.string().regex(/^[0-9a-f]{32}$/),
    created_at: Timestamp,
  })
  .meta({ id: 'ProjectKey' })

export const showProjectKey = operation({
  subject: 'identity.v1.project-key.show',
  summary: "Show a project's key",
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: ['project_not_found'],
  permission: 'project-key:read',
})

export const cycleProjectKey = operation({
  subject: 'identity.v1.project-key.cycle',
  summary: "Replace a project's key",
  description: 'The key before stops working at once.',
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: ['project_not_found'],
  permission: 'project-key:cycle',
})

/**
 * Gives a project its first key. Management calls this with the claims of the user who creates the project, before it
 * writes the project: a crash in between leaves a key that points at nothing. Repeating it gives the same key.
 */
export const createProjectKey = operation({
  subject: 'identity.v1.project-key.create',
  summary: 'Give a new project its key',
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: [],
  permission: 'project:create',
})
