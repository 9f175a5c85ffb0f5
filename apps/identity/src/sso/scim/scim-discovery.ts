import type { Attributes } from './scim-patch.js'
import { GROUP_SCHEMA, USER_SCHEMA } from './scim-resource.js'

export const LIST_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
/** The most resources on one page. */
export const MAX_PAGE = 200

const attribute = (name: string, more: Attributes = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const reference = (name: string, of: string, mutability: string) =>
  attribute(name, {
    ...{ type: 'complex', multiValued: true, mutability },
    subAttributes: [
      attribute('value', { caseExact: true, mutability }),
      attribute('display', { mutability: 'readOnly' }),
    ],
    description: `Ids of ${of}.`,
  })

const SCHEMAS: readonly Attributes[] = [
  {
    id: USER_SCHEMA,
    name: 'User',
    description: 'A person at the provider',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('displayName'),
      attribute('name', {
        type: 'complex',
        subAttributes: ['givenName', 'familyName', 'formatted'].map((name) => attribute(name)),
      }),
      attribute('emails', {
        ...{ type: 'complex', multiValued: true },
        subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
      }),
      attribute('active', { type: 'boolean' }),
      reference('groups', 'the groups of the user', 'readOnly'),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'A group at the provider',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      reference('members', 'the users in the group', 'readWrite'),
    ],
  },
]

const TYPES: readonly Attributes[] = [
  { id: 'User', name: 'User', endpoint: '/Users', schema: USER_SCHEMA },
  { id: 'Group', name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
]

const unsupported = { supported: false }
const CONFIG: Attributes = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: unsupported,
  sort: unsupported,
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Organization auth token',
      description: 'An organization auth token with the permission scim:provision',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
}

/** Returns what RFC 7644 §4 has a client discover. @returns undefined if there is no such document */
export function discovery(resource: string, id: string | undefined, base: string): Attributes | undefined {
  const meta = (resourceType: string, path: string) => ({ meta: { resourceType, location: base + path } })
  if (resource === 'ServiceProviderConfig')
    return id === undefined
      ? { ...CONFIG, ...meta('ServiceProviderConfig', '/ServiceProviderConfig') }
      : undefined
  const [documents, kind, schema] =
    resource === 'Schemas'
      ? [SCHEMAS, 'Schema', 'urn:ietf:params:scim:schemas:core:2.0:Schema']
      : [TYPES, 'ResourceType', 'urn:ietf:params:scim:schemas:core:2.0:ResourceType']
  if (resource !== 'Schemas' && resource !== 'ResourceTypes') return undefined
  const all = documents.map((document) => ({
    schemas: [schema],
    ...document,
    ...meta(kind, `/${resource}/${String(document['id'])}`),
  }))
  if (id !== undefined) return all.find((document) => String((document as Attributes)['id']) === id)
  return listResponse(all, all.length, 1)
}

export function listResponse(resources: readonly Attributes[], total: number, start: number): Attributes {
  return {
    schemas: [LIST_RESPONSE],
    totalResults: total,
    startIndex: start,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
