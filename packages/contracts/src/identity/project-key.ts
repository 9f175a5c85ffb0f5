import { z } from 'zod'
import { operation } from '../operation.js'
import { GraceSeconds, ProjectScope, Timestamp } from '../primitives.js'

/** 32 characters of 0–9 and a–f: device SDKs reserve exactly that. */
const Key = z.string().regex(/^[0-9a-f]{32}$/)

/** A project's key. It is not a secret: every member of the project may see it. */
export const ProjectKey = z
  .object({
    api_key: Key,
    created_at: Timestamp,
    /** Replaced keys that still work, the one that ends last first. */
    in_grace: z.array(
      z.object({
        api_key: Key,
        created_at: Timestamp,
        /** From this moment on it is refused. */
        expires_at: Timestamp,
      }),
    ),
  })
  .meta({ id: 'ProjectKey' })

export const showProjectKey = operation({
  subject: 'identity.v1.project-key.show',
  summary: "Show a project's key, and those before it that still work",
  input: z.object(ProjectScope),
  output: ProjectKey,
  errors: ['project_not_found'],
  permission: 'project-key:read',
})

export const cycleProjectKey = operation({
  subject: 'identity.v1.project-key.cycle',
  summary: "Replace a project's key",
  description:
    'Without `grace_seconds` every earlier key stops working immediately, those in their grace period too. With it the previous key works that much longer, and keys in their grace period keep their end.',
  input: z.object({ ...ProjectScope, grace_seconds: GraceSeconds }),
  output: ProjectKey,
  errors: ['project_not_found', 'permission_denied'],
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
  errors: ['permission_denied'],
  permission: 'project:create',
  forwardedBy: ['management'],
})
