import { z } from 'zod'
import { operation } from '../operation.js'
import { Permission } from '../permission.js'
import { Id, OrganizationScope, PageRequest, Timestamp, pageOf } from '../primitives.js'

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
  }),
  output: OrganizationToken.extend({ token: z.string() }).meta({ id: 'CreatedOrganizationToken' }),
  errors: ['invalid_input'],
  permission: 'organization-token:create',
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
