import { z } from 'zod'
import { operation } from '../../operation.js'
import { Permission } from '../../permission.js'
import { IdempotencyKey, OrganizationScope, orNull } from '../../primitives.js'
import { BoundProjects, Description, OrganizationToken } from './organization-token.js'

/** The longest life of a derived token, in seconds. */
export const MAX_DERIVED_SECONDS = 86_400
/** The life of a derived token that asks for none, in seconds. */
export const DEFAULT_DERIVED_SECONDS = 3_600
/** The most tokens that a chain of derivation may have. */
export const MAX_CHAIN = 3
/** The most active tokens that come from one token. */
export const MAX_DERIVED_TOKENS = 1_000

export const deriveOrganizationToken = operation({
  subject: 'identity.v1.organization-token.derive',
  summary: 'Derive a weaker auth token from the calling one',
  description: `For an organization auth token with this permission. The new token has some of its permissions, projects and networks, expires no later, and ends immediately when the calling token ends. The secret (\`token\`) is in this reply and never shown again. A chain of derivation has at most ${String(MAX_CHAIN)} tokens: the last one cannot have this permission.`,
  input: z.object({
    ...OrganizationScope,
    ...IdempotencyKey,
    description: Description.optional().describe('Left out: that of the calling token.'),
    permissions: z
      .array(Permission)
      .min(1)
      .optional()
      .describe(
        'Permissions that the calling token has. Left out: all of them, except `organization-token:derive`.',
      ),
    project_ids: orNull(BoundProjects).describe(
      'The only projects that it reaches, some of those of the calling token. Left out or null: the same.',
    ),
    expires_in: z
      .int()
      .min(1)
      .max(MAX_DERIVED_SECONDS)
      .default(DEFAULT_DERIVED_SECONDS)
      .describe('Its lifetime in seconds. It ends with the calling token at the latest.'),
    allowed_addresses: z
      .array(z.string().max(64))
      .max(64)
      .optional()
      .describe(
        'Addresses and ranges (CIDR) that it may be used from, within those of the calling token. Left out or empty: the same.',
      ),
  }),
  output: OrganizationToken.extend({ token: z.string() }).meta({ id: 'DerivedOrganizationToken' }),
  errors: [
    'idempotency_conflict',
    'invalid_input',
    'permission_denied',
    'project_not_found',
    'quota_exceeded',
  ],
  permission: 'organization-token:derive',
})
