import { z } from 'zod'
import { operation } from '../../operation.js'
import { Id, OrganizationScope, Timestamp } from '../../primitives.js'
import { Day, LookupCounts, Step } from '../../counts/usage.js'

export const listLookupUsage = operation({
  subject: 'location.v1.lookup-usage.list',
  summary: 'List the look-ups of an organization by day and outcome',
  input: z.object({ ...OrganizationScope, from: Day }),
  /** Days with look-ups only. */
  output: z.object({ days: z.array(LookupCounts.extend({ day: Day })) }),
  errors: [],
  permission: 'internal',
})

export const listLookupHours = operation({
  subject: 'location.v1.lookup-hours.list',
  summary: 'List the look-ups of projects by hour or day and outcome, with the radii of positions',
  input: z.object({
    ...OrganizationScope,
    project_ids: z.array(Id),
    from: Timestamp,
    step: Step,
  }),
  output: z.object({
    /** Points with look-ups only. */
    points: z.array(
      LookupCounts.extend({
        project_id: Id,
        at: Timestamp,
        radii: z.array(z.int()).describe('Positions by radius, in the buckets of `histogram.ts`.'),
      }),
    ),
    has_access_points: z.boolean().describe('Whether the organization has access points of its own.'),
    has_positions: z.boolean().describe('Whether one of the projects has stored a position.'),
  }),
  errors: [],
  permission: 'internal',
  timeoutMs: 10_000,
})
