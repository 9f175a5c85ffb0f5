import { z } from 'zod'
import { operation } from '../operation.js'
import { Id } from '../primitives.js'

/** The most organizations of one call. */
export const MOST_ORGANIZATIONS_ASKED = 500

/**
 * Finds the creators and the current and former admins of organizations: organizations that share one of them are not
 * independent of each other.
 */
export const findOrganizationPeople = operation({
  subject: 'identity.v1.organization.people',
  summary: 'Find the creators and the current and former admins of organizations',
  input: z.object({ organization_ids: z.array(Id).max(MOST_ORGANIZATIONS_ASKED) }),
  output: z.object({
    organizations: z.array(z.object({ organization_id: Id, user_ids: z.array(Id) })),
  }),
  errors: [],
  permission: 'internal',
  timeoutMs: 2_000,
})
