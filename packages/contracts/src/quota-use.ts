import { z } from 'zod'

/** A quota that is used up. */
export const QuotaUse = z.object({
  resource: z.string().describe('The counted resource, such as `files`.'),
  limit: z.number().describe('In bytes if the resource is stored.'),
  used: z.number().describe('Without the refused request.'),
  scope: z
    .enum(['project', 'organization', 'creator'])
    .describe('`creator`: all organizations that one user created.'),
  raised_by: z
    .enum(['operator', 'organization_admin', 'project_manager', 'nobody'])
    .describe('The role that can raise it; nobody if the limit is fixed.'),
})
export type QuotaUse = z.output<typeof QuotaUse>
