import { z } from 'zod'
import { humanText } from '../../text/human-text.js'
import { event, operation } from '../../operation.js'
import { Permission } from '../../permission.js'
import { Workload } from '../../principal.js'
import {
  DEFAULT_GRACE_SECONDS,
  graceSeconds,
  Id,
  IdempotencyKey,
  Nothing,
  OrganizationScope,
  pageOf,
  PageRequest,
  Timestamp,
  orNull,
} from '../../primitives.js'
import { Days, RequestOutcomes } from '../credentials/request-usage.js'
import { DEFAULT_LIFETIME_DAYS, TOKEN_PRESET_NAMES, TOKEN_PRESETS } from './token-presets.js'

export const Description = humanText(256)

/** The most projects that a token can be bound to. */
export const MAX_BOUND_PROJECTS = 100

export const BoundProjects = z.array(Id).min(1).max(MAX_BOUND_PROJECTS)

const TokenState = z.enum(['active', 'expired', 'deleted'])

/** An organization auth token, without its secret. */
export const OrganizationToken = z
  .object({
    id: Id,
    description: z.string(),
    permissions: z
      .array(Permission)
      .describe('What it may do, on every project of its organization or on those it is bound to.'),
    administers: z
      .boolean()
      .default(false)
      .describe('Whether it has a permission to administer the organization.'),
    project_ids: z
      .array(Id)
      .nullable()
      .default(null)
      .describe(
        'The only projects it reaches, including deleted ones. Null: every project of its organization.',
      ),
    scim_connection_id: Id.nullable().optional().describe('The only connection it pushes to by SCIM.'),
    created_at: Timestamp,
    created_by: Id.describe('The id of the user who created it.'),
    expires_at: Timestamp.nullable(),
    deleted_at: Timestamp.nullable(),
    leaked_at: Timestamp.nullable()
      .default(null)
      .describe(
        'When it was first reported as found where it should not be (`POST /leaks`). Null: it was not.',
      ),
    state: TokenState,
    allowed_addresses: z
      .array(z.string())
      .describe('Ranges (CIDR) of the client addresses that it may be used from; none: from anywhere.'),
    last_used: z
      .object({
        at: Timestamp,
        address: z.string().describe('Of the client, as the gateway saw it.'),
        user_agent: z.string().nullable().describe('What the client said it is.'),
      })
      .nullable()
      .describe('Its last use that is known of; up to a minute behind. Null: none yet.'),
    replaces: Id.nullable().describe('The id of the token that it replaced when that one was rotated.'),
    replaced_by: Id.nullable().describe('The id of the token that replaced it.'),
    derived_from: Id.nullable()
      .default(null)
      .describe('The token that it was derived from, and with which it ends. Null: none.'),
    workload: Workload.nullable()
      .default(null)
      .describe('The workload that it was exchanged for. Null: people created it, or its first ancestor.'),
  })
  .meta({ id: 'OrganizationToken' })

export const listOrganizationTokens = operation({
  subject: 'identity.v1.organization-token.list',
  summary: 'List the auth tokens of an organization',
  description:
    'The newest first. Expired and deleted tokens stay listed; filters combine. Derived tokens are listed only with `derived_from`, and until a week after their end. Secrets are never shown again.',
  input: z.object({
    ...OrganizationScope,
    ...PageRequest,
    state: TokenState.optional().describe('Only tokens in this state.'),
    unused_since: Timestamp.optional().describe(
      'Only tokens without a use since this time. Tokens that were never used count from their creation.',
    ),
    creator: Id.optional().describe('Only tokens that this user created.'),
    derived_from: Id.optional().describe(
      'Only tokens that come from this token, or from the workloads of this trust: directly, or derived.',
    ),
    q: z
      .string()
      .trim()
      .min(1)
      .max(256)
      .optional()
      .describe('Only tokens whose description contains this text, in any case.'),
  }),
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
    ...IdempotencyKey,
    description: Description,
    preset: z
      .enum(TOKEN_PRESET_NAMES)
      .optional()
      .describe(
        `A set of permissions: ${TOKEN_PRESET_NAMES.map((name) => `\`${name}\` (${TOKEN_PRESETS[name].hint})`).join(', ')} Left out: \`project-manager\`, unless \`permissions\` is given. A token that is bound to projects has those of the preset that are on projects.`,
      ),
    permissions: z
      .array(Permission)
      .min(1)
      .optional()
      .describe(
        'The permissions of the token, beside those of the preset. `admin:grant`, to give and take the role admin, is in no preset.',
      ),
    project_ids: orNull(BoundProjects).describe(
      'The only projects it reaches. Left out or null: every project of the organization, including future ones.',
    ),
    scim_connection_id: orNull(Id).describe('The only connection it pushes to by SCIM (default: all).'),
    expires_at: Timestamp.nullish().describe(
      `When it stops working. Left out: after ${String(DEFAULT_LIFETIME_DAYS)} days. Null: never. The policy of the organization can end it earlier, and always ends a token with administration.`,
    ),
    allowed_addresses: z
      .array(z.string().max(64))
      .max(64)
      .optional()
      .describe(
        'Addresses and ranges (CIDR), IPv4 and IPv6, that it may be used from; from anywhere when left out or empty.',
      ),
  }),
  output: OrganizationToken.extend({ token: z.string() }).meta({ id: 'CreatedOrganizationToken' }),
  errors: [
    'idempotency_conflict',
    'recent_sign_in_required',
    'invalid_input',
    'permission_denied',
    'administration_forbidden',
    'project_not_found',
    'quota_exceeded',
    'sso_connection_not_found',
  ],
  permission: 'organization-token:create',
  proof: 'recent',
})

export const rotateOrganizationToken = operation({
  subject: 'identity.v1.organization-token.rotate',
  summary: 'Replace an organization auth token by a new one',
  description:
    'The new token has the same permissions and projects, or fewer projects with `project_ids`. The secret (`token`) is in this reply and never shown again. The old token stops working after `grace_seconds`; one that was revoked as leaked works no more, and can be replaced too. Rotation never extends a life: the old token keeps its own end if that is sooner, and the new token ends no later than the old one would have.',
  input: z.object({
    ...OrganizationScope,
    ...IdempotencyKey,
    organization_token_id: Id,
    grace_seconds: graceSeconds(DEFAULT_GRACE_SECONDS),
    project_ids: BoundProjects.nullish().describe(
      'The only projects that the new token reaches: some of those of the old token. Left out: the same. Null, every project of the organization, is refused if the old token is bound.',
    ),
  }),
  output: OrganizationToken.extend({
    token: z.string(),
    replaced: OrganizationToken.describe('The one before.'),
  }).meta({ id: 'RotatedOrganizationToken' }),
  errors: [
    'idempotency_conflict',
    'recent_sign_in_required',
    'organization_token_not_found',
    'organization_token_conflict',
    'permission_denied',
    'invalid_input',
    'project_not_found',
    'quota_exceeded',
  ],
  permission: 'organization-token:rotate',
  proof: 'recent',
})

/** The most uses that are reported per call. */
export const MAX_REPORTED_USES = 500

/** The longest name of a client that is reported, in characters. */
export const MAX_USER_AGENT_LENGTH = 128

/** Reports when and from where tokens were last used. Gateways call this now and then, never while a request waits. */
export const recordTokenUses = operation({
  subject: 'identity.v1.organization-token-use.record',
  summary: 'Report when and from where organization auth tokens were last used',
  description:
    'What is older than what is known already changes nothing; neither does a token that there is not.',
  input: z.object({
    uses: z
      .array(
        z.object({
          organization_token_id: Id,
          used_at: Timestamp,
          address: z.string().max(64),
          user_agent: z.string().max(MAX_USER_AGENT_LENGTH).nullable(),
        }),
      )
      .min(1)
      .max(MAX_REPORTED_USES),
  }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})

export const showOrganizationTokenUsage = operation({
  subject: 'identity.v1.organization-token.show-usage',
  summary: 'Show the requests with an organization token, by day and outcome',
  input: z.object({ ...OrganizationScope, organization_token_id: Id, ...Days }),
  output: RequestOutcomes,
  errors: ['organization_token_not_found'],
  permission: 'organization-token:read',
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

/** Days before a token's expiry on which its admins are notified. */
export const EXPIRY_NOTICE_DAYS = [7, 1] as const

/**
 * A token is about to expire: sent once for each of {@link EXPIRY_NOTICE_DAYS} that lies within its life, and only the
 * last one if several are due together.
 */
export const organizationTokenExpiring = event({
  subject: 'identity.v1.organization-token.expiring',
  data: z.object({
    id: Id,
    organization_id: Id,
    organization_token_id: Id,
    expires_at: Timestamp,
    days_left: z.int().min(1).describe('Whole days until then, rounded up.'),
    replaced_by: Id.nullable().describe('The token that has replaced it already. Null: none.'),
  }),
})

/**
 * A token is about to expire and was not replaced: for the webhooks of management, which is the only reader. Published with
 * {@link organizationTokenExpiring}, as often.
 */
export const organizationTokenNotice = event({
  subject: 'identity.v1.organization-token-notice.expiring',
  data: z.object({
    id: Id,
    organization_id: Id,
    organization_token_id: Id,
    project_ids: z
      .array(Id)
      .nullable()
      .describe('The only projects that it reaches. Null: all of its organization.'),
    expires_at: Timestamp,
    days_left: z.int().min(1).describe('Whole days until then, rounded up.'),
  }),
})
