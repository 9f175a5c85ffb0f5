import { z } from 'zod'
import { operation } from '../../operation.js'
import { Permission } from '../../permission.js'
import { ORGANIZATION_TOKEN } from '../../principal.js'
import { Id, Nothing, OrganizationScope, PageRequest, Paging, Timestamp } from '../../primitives.js'

/** Text as Postgres stores it, without half characters and NUL: what is hashed has to be what is stored. */
const Text = z.string().overwrite((text) => text.toWellFormed().replaceAll('\0', ''))

/** Further facts of an audit event: flat, small, and never a secret. */
export const AuditDetails = z.record(
  z.string(),
  z.union([Text, z.number(), z.boolean(), z.null(), z.array(Text)]),
)

/** An audit event, recorded by the service in the transaction that it is about. */
export const AuditEvent = z.object({
  id: Id.describe('Created by the recording service; identity recognizes duplicates by it.'),
  organization_id: Id.nullable().describe('Null: it happened in no organization.'),
  at: Timestamp.describe('When it was done.'),
  actor_kind: Text.describe(
    'The kind of the principal, `workload` for a token of a workload, or `anonymous`.',
  ),
  actor_credential_id: Id.nullable().describe(
    'The credential that the actor was proven with. Null for services.',
  ),
  actor_user_id: Id.nullable(),
  actor_service: Text.nullable(),
  action: Text.describe('What was done: `<noun>.<past participle>`.'),
  target: Text.describe('What it was done to: `<noun>:<id>`.'),
  details: AuditDetails.describe('What exactly was done; of what was changed also `<name>_before`.'),
  address: Text.nullable().describe('Of the HTTP client, as the gateway saw it.'),
  request_id: Text,
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** Lower-case hexadecimal SHA-256. */
const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * A row of the audit log of an organization, as it is hashed: see `entryHash` in `@bearing/access/audit-chain`. The
 * members that are null together are those of rows from before there was a chain.
 */
export const AuditEntry = AuditEvent.extend({
  format: z.literal('bearing-audit-v1').nullable().describe('Says how `hash` is made.'),
  sequence: z.int().min(1).nullable().describe('Place in the chain of the organization, from 1.'),
  previous_hash: Hash.nullable().describe('`hash` of the row before; null in the first one.'),
  service: z.string().describe('The service that it was done in.'),
  hash: Hash.nullable().describe('SHA-256 over all other members, as canonical JSON (RFC 8785).'),
}).meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

const Filters = {
  action: z
    .string()
    .regex(
      /^[a-z][a-z_]{0,62}(?:\.[a-z][a-z_]{0,62})?$/,
      'must be a noun, or an action such as "user_key.cycled"',
    )
    .optional()
    .describe('An action such as `project_key.cycled`, or all of a noun: `project_key`.'),
  actor: Id.optional().describe('Id of a user or credential.'),
  target: z.string().min(1).max(256).optional().describe('What it was done to, such as `user:<id>`.'),
  request_id: z.string().min(1).max(128).optional(),
  from: Timestamp.optional().describe('The first moment.'),
  to: Timestamp.optional().describe('The first moment that is too late.'),
}

/** Up to so many rows of a filter are counted. */
export const MAX_COUNTED_ROWS = 10_000

export const listAuditEntries = operation({
  subject: 'identity.v1.audit-entry.list',
  summary: 'List the audit log of an organization',
  description:
    'Newest first. What happens in a service other than identity arrives within seconds; `at` is when it was done. Read long lists with `cursor`.',
  input: z.object({
    ...OrganizationScope,
    ...Filters,
    ...PageRequest,
    cursor: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('`next` of the reply before, with the same filters. Not together with `page`.'),
  }),
  output: z.object({
    data: z.array(
      AuditEntry.extend({
        actor_email: z
          .string()
          .nullable()
          .describe(
            'E-mail address of the acting user, where there still is that user. Not part of what is hashed.',
          ),
        actor_name: z
          .string()
          .nullable()
          .default(null)
          .describe('Description of the acting auth token. Null: another actor. Not part of what is hashed.'),
        target_name: z
          .string()
          .nullable()
          .default(null)
          .describe(
            'What people call the target: an email address, or a description. Null where identity does not know it. Not part of what is hashed.',
          ),
      }).meta({ id: 'ListedAuditEntry' }),
    ),
    paging: Paging.extend({
      total_is_minimum: z
        .boolean()
        .optional()
        .describe(
          `Whether more than \`total_count\` rows match: only ${MAX_COUNTED_ROWS.toLocaleString('en')} are counted.`,
        ),
    }),
    next: z
      .string()
      .nullable()
      .default(null)
      .describe('The `cursor` of the next page; null after the last row.'),
  }),
  errors: [],
  permission: 'audit-log:read',
})

/** Rows that an export reads per query. */
export const EXPORT_PAGE_ROWS = 1_000

export const exportAuditEntries = operation({
  subject: 'identity.v1.audit-entry.export',
  summary: 'Export the audit log of an organization',
  description:
    'All rows that match, oldest first, in the order of the chain: without filters it can be verified with `bearing audit-log verify`, or with any implementation of RFC 8785 and SHA-256. A connection that ends before the last chunk is an export that is not whole.',
  input: z.object({
    ...OrganizationScope,
    ...Filters,
    cursor: z
      .string()
      .max(64)
      .optional()
      .describe('The cursor for the next part: `next` of the reply before.'),
  }),
  output: z.object({ data: z.array(AuditEntry), next: z.string().nullable() }),
  errors: [],
  permission: 'audit-log:read',
})

/** A moment in the life of a chain: how long it was, and the hash of its last row. */
export const AuditHead = z.object({
  organization_id: Id.nullable().describe('Null: the chain of what happens in no organization.'),
  length: z.int().min(0),
  hash: Hash.nullable().describe('Null where it is empty.'),
})
export type AuditHead = z.infer<typeof AuditHead>

export const listAuditChains = operation({
  subject: 'identity.v1.audit-chain.list',
  summary: 'List the chains of the audit log',
  input: z.object({
    cursor: Id.optional().describe('The cursor for the next page: `next` of the reply before.'),
  }),
  output: z.object({
    data: z.array(
      AuditHead.extend({
        unchained: z
          .int()
          .min(0)
          .describe('Rows from before there was a chain, and whatever else was never chained.'),
      }),
    ),
    next: Id.nullable(),
  }),
  errors: [],
  permission: 'audit-log:verify',
})

/** The most rows that are verified per call. */
export const MAX_VERIFIED_ROWS = 5_000

/** The fault of a row, or after the last one. */
export const AuditFault = z.object({
  sequence: z.int().min(1).describe('The first place in the chain that is wrong.'),
  id: Id.nullable().describe('Of the row at this place; null where there is none.'),
  fault: z
    .enum(['missing', 'changed', 'unlinked', 'beyond'])
    .describe(
      '- `missing`: the row of this place is not there. - `changed`: its content is not what was hashed. - `unlinked`: it does not follow the row before. - `beyond`: it stands behind the end of the chain.',
    ),
})
export type AuditFault = z.infer<typeof AuditFault>

export const verifyAuditChain = operation({
  subject: 'identity.v1.audit-chain.verify',
  summary: 'Verify a part of a chain of the audit log',
  description: 'Begins behind `after` and reads at most `limit` rows; continue with `after` of the reply.',
  input: z.object({
    chain: Id.nullable().describe('Null: the chain of what happens in no organization.'),
    after: z.object({ length: z.int().min(0), hash: Hash.nullable() }),
    limit: z.int().min(1).max(MAX_VERIFIED_ROWS).default(MAX_VERIFIED_ROWS),
  }),
  output: z.object({
    after: z.object({ length: z.int().min(0), hash: Hash.nullable() }),
    done: z.boolean().describe('Whether this was the end of the chain.'),
    fault: AuditFault.nullable().describe('The first mistake; null: none so far.'),
  }),
  errors: [],
  permission: 'audit-log:verify',
  timeoutMs: 15_000,
})

/** The most refusals that are reported per call. */
export const MAX_REPORTED_REFUSALS = 100

/** The longest IP address that is reported, in characters. */
export const MAX_ADDRESS_LENGTH = 64

/** Rules of an organization that refuse whose credential is right. */
export const RefusalRule = z.enum([
  'sso_required',
  'second_factor_required',
  'device_login_refused',
  'address_not_allowed',
  'device_identity_required',
])
export type RefusalRule = z.infer<typeof RefusalRule>

/** The most permissions that one reported refusal names. */
export const MAX_REFUSED_PERMISSIONS = 10

/** Reports which callers a rule has refused. Gateways call this now and then, never while a request waits. */
export const recordRefusals = operation({
  subject: 'identity.v1.refusal.record',
  summary:
    'Report the callers that a rule of an organization refused, and tokens without a permission to administer it',
  description: 'Refusals of the same kind are reported together. Reporting a refusal again changes nothing.',
  input: z.object({
    refusals: z
      .array(
        z.object({
          id: Id.describe('Chosen by the gateway: identifies a refusal that is reported twice.'),
          organization_id: Id,
          rule: z
            .enum([...RefusalRule.options, 'permission_denied'])
            .describe('`permission_denied`: a token or user API key lacks a permission to administer.'),
          permissions: z
            .array(Permission)
            .max(MAX_REFUSED_PERMISSIONS)
            .optional()
            .describe('Of the refused requests, the first ones.'),
          actor_kind: z.enum(['user', ORGANIZATION_TOKEN, 'workload', 'project_key', 'device']),
          actor_credential_id: Id,
          actor_user_id: Id.nullable(),
          address: z.string().max(MAX_ADDRESS_LENGTH),
          request_id: z.string().max(128).describe('Of the first one.'),
          count: z.int().min(1),
          first_at: Timestamp,
          last_at: Timestamp,
        }),
      )
      .min(1)
      .max(MAX_REPORTED_REFUSALS),
  }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})
