import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationScope } from '../../primitives.js'
import { Day, LookupCounts } from '../../usage.js'

export const listLookupUsage = operation({
  subject: 'location.v1.lookup-usage.list',
  summary: 'List the look-ups of an organization by day and outcome',
  input: z.object({ ...OrganizationScope, from: Day }),
  /** Days with look-ups only. */
  output: z.object({ days: z.array(LookupCounts.extend({ day: Day })) }),
  errors: [],
  permission: 'internal',
})
