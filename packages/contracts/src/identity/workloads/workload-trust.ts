import { z } from 'zod'
import { humanText } from '../../text/human-text.js'
import { operation } from '../../operation.js'
import { Permission } from '../../permission.js'
import { Id, Nothing, OrganizationScope, PageRequest, Timestamp, orNull, pageOf } from '../../primitives.js'
import { BoundProjects } from '../tokens/organization-token.js'
import { WORKLOAD_PLATFORM_NAMES } from './workload-platforms.js'

/** The most trusts of an organization. */
export const MAX_TRUSTS = 100
/** The most claims that a trust requires. */
const MAX_CLAIMS = 16
/** The longest life of a token of a workload, in seconds. */
export const MAX_WORKLOAD_SECONDS = 3_600

const ClaimText = z.string().min(1).max(256)
/** Required claims, by name. Parts of a claim that is an object follow "/": `kubernetes.io/serviceaccount/uid`. */
const RequiredClaims = z
  .record(ClaimText, ClaimText)
  .refine(
    (claims) => Object.keys(claims).length <= MAX_CLAIMS,
    `must have at most ${String(MAX_CLAIMS)} claims`,
  )

/** A set of public keys (RFC 7517), for issuers that cannot be reached. */
const PublicKey = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })
  .refine((key) => !('d' in key), 'must be a public key')
const PastedKeys = z.object({ keys: z.array(PublicKey).min(1).max(16) })

/** Fields of a trust, which is changed as a whole. */
const TrustFields = {
  name: humanText(128),
  platform: z
    .enum(WORKLOAD_PLATFORM_NAMES)
    .describe('Which immutable claims the trust has to require, and which claims are recorded.'),
  issuer: z
    .url({ protocol: /^https?$/ })
    .max(512)
    .optional()
    .describe('`iss` of the tokens. Left out: that of the platform, if it has one.'),
  jwks: orNull(PastedKeys).describe(
    'Public keys of an issuer that Bearing cannot reach. Left out or null: found by OpenID Connect Discovery.',
  ),
  audience: ClaimText.describe('The required audience (`aud`): the URL of this installation, for example.'),
  claims: RequiredClaims.describe(
    'Required claims with their values. `*` stands for any characters except "/" and ":", at most 4 times in a value.',
  ),
  permissions: z.array(Permission).min(1).describe('The most that a token of this trust can do.'),
  project_ids: orNull(BoundProjects).describe(
    'The only projects that its tokens reach. Left out or null: every project of the organization.',
  ),
  allowed_addresses: z
    .array(z.string().max(64))
    .max(64)
    .default([])
    .describe('Addresses and ranges (CIDR) that its tokens may be used from; none: from anywhere.'),
  lifetime_seconds: z.int().min(60).max(MAX_WORKLOAD_SECONDS).default(900).describe('Life of its tokens.'),
  single_use: z.boolean().default(false).describe('Whether a token of the issuer is accepted once (`jti`).'),
}

/** The tokens that an organization exchanges: issuer, audience and claims that a workload must show. */
export const WorkloadTrust = z
  .object({
    id: Id,
    name: z.string(),
    platform: z.enum(WORKLOAD_PLATFORM_NAMES),
    issuer: z.string(),
    has_pasted_keys: z.boolean().describe('Whether its keys were pasted instead of being discovered.'),
    audience: z.string(),
    claims: z.record(z.string(), z.string()),
    permissions: z.array(Permission),
    administers: z.boolean().describe('Whether its tokens can administer the organization.'),
    project_ids: z.array(Id).nullable(),
    allowed_addresses: z.array(z.string()),
    lifetime_seconds: z.int(),
    single_use: z.boolean(),
    created_at: Timestamp,
    created_by: Id.describe('The user who created it.'),
    last_exchange_at: Timestamp.nullable().describe('Its last exchange within a week. Null: none.'),
  })
  .meta({ id: 'WorkloadTrust' })

const MISTAKES = [
  'recent_sign_in_required',
  'invalid_input',
  'permission_denied',
  'project_not_found',
] as const

export const listWorkloadTrusts = operation({
  subject: 'identity.v1.workload-trust.list',
  summary: 'List the trusts in workloads of an organization',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(WorkloadTrust),
  errors: [],
  permission: 'workload-trust:read',
})

export const createWorkloadTrust = operation({
  subject: 'identity.v1.workload-trust.create',
  summary: 'Trust the tokens of workloads',
  description:
    'From now on `POST /oauth/token` exchanges tokens of this issuer with this audience and these claims. A trust has to require immutable ids with exact values: names can be registered again by others.',
  input: z.object({ ...OrganizationScope, ...TrustFields }),
  output: WorkloadTrust,
  errors: [...MISTAKES, 'administration_forbidden', 'quota_exceeded'],
  permission: 'workload-trust:manage',
  proof: 'recent',
})

export const changeWorkloadTrust = operation({
  subject: 'identity.v1.workload-trust.change',
  summary: 'Replace a trust in workloads',
  description: 'All fields are replaced. Its tokens end immediately, at every gateway.',
  input: z.object({ ...OrganizationScope, trust_id: Id, ...TrustFields }),
  output: WorkloadTrust,
  errors: [...MISTAKES, 'administration_forbidden', 'workload_trust_not_found'],
  permission: 'workload-trust:manage',
  proof: 'recent',
})

export const deleteWorkloadTrust = operation({
  subject: 'identity.v1.workload-trust.delete',
  summary: 'Delete a trust in workloads',
  description: 'Its tokens end immediately, at every gateway.',
  input: z.object({ ...OrganizationScope, trust_id: Id }),
  output: Nothing,
  errors: ['permission_denied', 'workload_trust_not_found'],
  permission: 'workload-trust:manage',
})
