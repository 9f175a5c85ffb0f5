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

/** Numbers of access points of a scan, by outcome. */
export const AccessPointCounts = z
  .object({
    received: z.int().min(0).describe('As many as were sent.'),
    usable: z
      .int()
      .min(0)
      .describe(
        'Of them those that count: each address once, no group addresses, no old ones, nobody who opted out.',
      ),
    known: z
      .int()
      .min(0)
      .optional()
      .describe('Of them those that are known to be near the position. Only if there is one.'),
    used: z
      .int()
      .min(0)
      .optional()
      .describe('Of them those that the position was determined with. Only if there is one.'),
    unknown: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Of the usable ones those that are not known to be near the position. The more there are, the larger the radius. Only if there is a position.',
      ),
    ranged: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Of the known ones those whose measured `distance` counted. Only if there is a position, and the request has distances.',
      ),
  })
  .meta({ id: 'AccessPointCounts' })
export type AccessPointCounts = z.infer<typeof AccessPointCounts>
