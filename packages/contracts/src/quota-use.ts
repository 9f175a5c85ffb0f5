import { z } from 'zod'

/** A quota that is used up. */
export const QuotaUse = z.object({
  /** The counted resource, such as `files`. */
  resource: z.string(),
  /** In bytes if the resource is stored. */
  limit: z.number(),
  /** Without the refused request. */
  used: z.number(),
  scope: z.enum(['project', 'organization']),
  /** The role that can raise it; nobody if the limit is fixed. */
  raised_by: z.enum(['operator', 'organization_admin', 'project_manager', 'nobody']),
})
export type QuotaUse = z.output<typeof QuotaUse>
