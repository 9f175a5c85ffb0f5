import { z } from 'zod'
import { operation } from '../operation.js'
import { OrganizationScope } from '../primitives.js'

/** What an organization demands of its auth tokens. */
export const OrganizationTokenPolicy = z
  .object({
    /** The longest life of a token in days, counted from when it is made; null: any. */
    max_lifetime_days: z.int().min(1).max(3650).nullable(),
  })
  .meta({ id: 'OrganizationTokenPolicy' })

export const showOrganizationTokenPolicy = operation({
  subject: 'identity.v1.organization-token-policy.show',
  summary: 'Show what an organization demands of its auth tokens',
  input: z.object(OrganizationScope),
  output: OrganizationTokenPolicy,
  errors: [],
  permission: 'organization-token-policy:read',
})

export const changeOrganizationTokenPolicy = operation({
  subject: 'identity.v1.organization-token-policy.change',
  summary: 'Change what an organization demands of its auth tokens',
  description:
    'Tokens that are created or rotated from now on end no later than this allows, whatever is asked for. Tokens that there are stay as they are.',
  input: z.object({ ...OrganizationScope, ...OrganizationTokenPolicy.shape }),
  output: OrganizationTokenPolicy,
  errors: [],
  permission: 'organization-token-policy:change',
})
