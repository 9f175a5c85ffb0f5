import { z } from 'zod'

/** A quota that is used up. */
export const QuotaUse = z.object({
  /** What is counted, such as `files`. */
  resource: z.string(),
  /** How much is allowed; bytes if the resource is stored. */
  limit: z.number(),
  /** How much is used, without what was refused. */
  used: z.number(),
  /** Whose quota it is. */
  scope: z.enum(['project', 'organization']),
  /** Who can raise it; nobody if the limit is fixed. */
  raised_by: z.enum(['operator', 'organization_admin', 'project_manager', 'nobody']),
})
export type QuotaUse = z.output<typeof QuotaUse>
