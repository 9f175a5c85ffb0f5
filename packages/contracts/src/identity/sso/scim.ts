import { z } from 'zod'
import { operation, setByGateway } from '../../operation.js'
import { Id, OrganizationScope } from '../../primitives.js'

/** The kinds of wrong requests of RFC 7644 §3.12 that occur, as `reason` of `scim_request_invalid`. */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'noTarget'

/** The most users and groups of a connection. */
export const MAX_SCIM_RESOURCES = 50_000

const Scope = {
  ...OrganizationScope,
  connection_id: Id,
  resource: z
    .string()
    .max(64)
    .describe('`Users`, `Groups`, `ServiceProviderConfig`, `Schemas` or `ResourceTypes`.'),
  resource_id: z.string().max(128).optional().describe('Id of the user, group, schema or resource type.'),
  base_url: setByGateway(z.url().max(1_024), 'URL of the connection, in front of the resources.'),
}
const Resource = z.record(z.string(), z.unknown())

const Found = z
  .object({
    resource: Resource.nullable().describe('Null after a deletion.'),
    etag: z.string().optional(),
  })
  .meta({ id: 'ScimReply' })

export const readScim = operation({
  subject: 'identity.v1.scim.read',
  summary: 'Read users, groups and capabilities by SCIM',
  description:
    'SCIM 2.0 (RFC 7643, RFC 7644) for identity providers. Filters: `eq`, joined by `and`, on `id`, `userName`, `externalId`, `displayName`, `active`, `emails.value` and `members.value`.',
  input: z.object({
    ...Scope,
    filter: z.string().max(1_024).optional().describe('Such as `userName eq "ada@example.com"`.'),
    startIndex: z.coerce.number().int().optional().describe('From 1.'),
    count: z.coerce.number().int().optional().describe('At most 200.'),
    excludedAttributes: z.string().max(256).optional().describe('`members` and `groups` can be left out.'),
  }),
  output: Found,
  errors: ['scim_request_invalid', 'scim_resource_not_found', 'sso_connection_not_found'],
  permission: 'scim:provision',
  lenient: true,
})

export const writeScim = operation({
  subject: 'identity.v1.scim.write',
  summary: 'Create, replace, change or delete a user or group by SCIM',
  description:
    'A user who is deactivated or deleted is no member of the organization any more: sessions and API keys stop for it at every gateway. Groups feed the role mapping of the connection. With `?dry_run=true` nothing changes: the response (200) has the `resource` that would be stored, and `changes` of members, each with what they have `before` and `after` (null: no member any more).',
  input: z.object({
    ...Scope,
    method: setByGateway(z.enum(['POST', 'PUT', 'PATCH', 'DELETE']), 'Method of the request.'),
    if_match: setByGateway(z.string().max(256), '`If-Match` of the request.'),
    body: setByGateway(Resource, 'The body.'),
    dry_run: setByGateway(z.boolean(), '`dry_run=true` of the query: nothing changes.'),
  }),
  output: Found,
  errors: [
    'scim_request_invalid',
    'scim_resource_not_found',
    'scim_resource_taken',
    'sso_connection_not_found',
    'last_admin',
    'precondition_failed',
    'quota_exceeded',
  ],
  permission: 'scim:provision',
  timeoutMs: 30_000,
  lenient: true,
})
