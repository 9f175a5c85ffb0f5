import { z } from 'zod'
import { operation } from '../../operation.js'
import { OrganizationScope } from '../../primitives.js'

/** Reaction to a token that was found where it should not be. */
const WhenLeaked = z.enum(['revoke', 'flag'])

/** Permission for tokens to administer the organization. */
const Administration = z.enum(['allow', 'forbid'])

export const DEFAULT_ADMINISTRATION_DAYS = 90
const AdministrationDays = z.int().min(1).max(365)

/** Requirements of an organization on its auth tokens. */
export const OrganizationTokenPolicy = z
  .object({
    max_lifetime_days: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .describe('The longest life of a token in days, counted from when it is made; null: any.'),
    when_leaked: WhenLeaked.default('revoke').describe(
      'What happens to a token that is reported as leaked: it stops working immediately, or is only marked in the list.',
    ),
    administration: Administration.default('allow').describe(
      'Whether tokens may administer the organization. With `forbid`, existing tokens lose these permissions immediately.',
    ),
    administration_max_lifetime_days: AdministrationDays.default(DEFAULT_ADMINISTRATION_DAYS).describe(
      'The longest life of a token that administers, in days.',
    ),
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
    'Tokens that are created or rotated from now on end no later than this allows, whatever is asked for. Tokens that there are stay as they are, but for administration: forbidding it takes it from all of them.',
  input: z.object({
    ...OrganizationScope,
    ...OrganizationTokenPolicy.shape,
    when_leaked: WhenLeaked.optional().describe('As it is where it is left out.'),
    administration: Administration.optional().describe('As it is where it is left out.'),
    administration_max_lifetime_days: AdministrationDays.optional().describe(
      'As it is where it is left out.',
    ),
  }),
  output: OrganizationTokenPolicy,
  errors: ['recent_sign_in_required', 'permission_denied'],
  permission: 'organization-token-policy:change',
  proof: 'recent',
})
