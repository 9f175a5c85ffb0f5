import { z } from 'zod'
import { operation } from '../operation.js'
import { Permission } from '../permission.js'
import { GraceSeconds, Id, OrganizationScope, PageRequest, Timestamp, pageOf } from '../primitives.js'

const Description = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')

/** An organization auth token, without its secret. */
export const OrganizationToken = z
  .object({
    id: Id,
    description: z.string(),
    /** What it may do, on every project of its organization. */
    permissions: z.array(Permission),
    created_at: Timestamp,
    /** The id of the user who created it. */
    created_by: Id,
    expires_at: Timestamp.nullable(),
    deleted_at: Timestamp.nullable(),
    state: z.enum(['active', 'expired', 'deleted']),
    /** Ranges (CIDR) of the client addresses that it may be used from; none: from anywhere. */
    allowed_addresses: z.array(z.string()),
    /** The id of the token that it replaced when that one was rotated. */
    replaces: Id.nullable(),
    /** The id of the token that replaced it. */
    replaced_by: Id.nullable(),
  })
  .meta({ id: 'OrganizationToken' })

export const listOrganizationTokens = operation({
  subject: 'identity.v1.organization-token.list',
  summary: 'List the auth tokens of an organization',
  description: 'Expired and deleted tokens stay listed. Secrets are never shown again.',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(OrganizationToken),
  errors: [],
  permission: 'organization-token:read',
})

export const createOrganizationToken = operation({
  subject: 'identity.v1.organization-token.create',
  summary: 'Create an organization auth token',
  description: 'The secret (`token`) is in this reply and never shown again.',
  input: z.object({
    ...OrganizationScope,
    description: Description,
    /** Fewer permissions than a token can have; all of them when left out. */
    permissions: z.array(Permission).min(1).optional(),
    /** When it stops working; never when left out. */
    expires_at: Timestamp.optional(),
    /** Addresses and ranges (CIDR), IPv4 and IPv6, that it may be used from; from anywhere when left out. */
    allowed_addresses: z.array(z.string().max(64)).min(1).max(64).optional(),
  }),
  output: OrganizationToken.extend({ token: z.string() }).meta({ id: 'CreatedOrganizationToken' }),
  errors: ['invalid_input'],
  permission: 'organization-token:create',
})

export const rotateOrganizationToken = operation({
  subject: 'identity.v1.organization-token.rotate',
  summary: 'Replace an organization auth token by a new one',
  description:
    'The new one may do the same. The secret (`token`) is in this reply and never shown again. The one before stops at once, or after `grace_seconds`. No end is ever put off: the one before keeps its own where that is sooner, and the new one ends no later than the one before would have.',
  input: z.object({ ...OrganizationScope, organization_token_id: Id, grace_seconds: GraceSeconds }),
  output: OrganizationToken.extend({
    token: z.string(),
    /** The one before. */
    replaced: OrganizationToken,
  }).meta({ id: 'RotatedOrganizationToken' }),
  errors: ['organization_token_not_found', 'organization_token_conflict'],
  permission: 'organization-token:rotate',
})

export const deleteOrganizationToken = operation({
  subject: 'identity.v1.organization-token.delete',
  summary: 'Delete an organization auth token',
  description: 'It is refused from now on, at every gateway. Deleting it again changes nothing.',
  input: z.object({ ...OrganizationScope, organization_token_id: Id }),
  output: OrganizationToken,
  errors: ['organization_token_not_found'],
  permission: 'organization-token:delete',
})
