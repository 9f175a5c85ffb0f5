import { createHash } from 'node:crypto'
import { Email } from '@bearing/contracts/primitives'
import { z } from 'zod'
import { scimInvalid } from './scim-error.js'
import type { Attributes } from './scim-patch.js'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export const RESOURCE_TYPES = ['User', 'Group'] as const
export type ResourceType = (typeof RESOURCE_TYPES)[number]

/** Text that Postgres takes. */
const Text = z
  .string()
  .max(512)
  .regex(/^\P{Cc}*$/u)
/** Entra ID sends "True" and "False". */
const Flag = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
])
const absent = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined)

const User = z.object({
  userName: Text.min(1),
  externalId: absent(Text),
  displayName: absent(Text),
  name: absent(z.object({ givenName: absent(Text), familyName: absent(Text), formatted: absent(Text) })),
  emails: absent(z.array(z.object({ value: Text, type: absent(Text), primary: absent(Flag) })).max(20)),
  active: Flag.default(true),
})

/** Members of a group that one request may name. */
const MAX_MEMBERS = 10_000
const Group = z.object({
  displayName: Text.min(1),
  externalId: absent(Text),
  members: z
    .array(z.object({ value: z.guid() }))
    .max(MAX_MEMBERS)
    .nullish()
    .transform((members) => [...new Set((members ?? []).map(({ value }) => value.toLowerCase()))]),
})

/** A resource as it is stored. */
export interface StoredResource {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly externalId: string | null
  readonly email: string | null
  readonly active: boolean
  readonly attributes: unknown
  readonly groupIds: readonly string[]
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The columns that follow from what a provider sent. */
export interface GivenResource {
  readonly type: ResourceType
  readonly name: string
  readonly externalId: string | null
  readonly email: string | null
  readonly active: boolean
  readonly attributes: Attributes
  /** Ids of the members of a group. */
  readonly members: readonly string[]
}

/** Reads what a provider sent. Attributes that Bearing does not store are ignored. @throws OperationError `scim_request_invalid` */
export function givenResource(type: ResourceType, attributes: Attributes): GivenResource {
  if (type === 'Group') {
    const { success, data } = Group.safeParse(attributes)
    if (!success) throw scimInvalid('invalidValue', 'A group needs a displayName, and members with ids.')
    const { displayName, externalId, members } = data
    const columns = { name: displayName, externalId: externalId ?? null, email: null, active: true }
    return { type, ...columns, attributes: plain({ displayName, externalId }), members }
  }
  const { success, data } = User.safeParse(attributes)
  if (!success) throw scimInvalid('invalidValue', 'A user needs a userName, and active is true or false.')
  const { userName, externalId, emails, active } = data
  const email = (emails?.find(({ primary }) => primary) ?? emails?.[0])?.value ?? userName
  return {
    type,
    name: userName.toLowerCase(),
    externalId: externalId ?? null,
    email: Email.safeParse(email).data ?? null,
    active,
    attributes: plain(data),
    members: [],
  }
}

/** Leaves out what is undefined. */
function plain(attributes: Attributes): Attributes {
  return JSON.parse(JSON.stringify(attributes)) as Attributes // of JSON
}

/** Returns a resource as RFC 7643 has it. @param base URL of the connection @param related members of a group, or groups of a user */
export function toScim(
  row: StoredResource,
  base: string,
  related: readonly { readonly id: string; readonly name: string }[],
): Attributes {
  const listed = related.map(({ id, name }) => ({ value: id, display: name }))
  return {
    schemas: [row.type === 'User' ? USER_SCHEMA : GROUP_SCHEMA],
    id: row.id,
    ...(row.attributes as Attributes), // as givenResource made it
    ...(row.type === 'User' ? { active: row.active, groups: listed } : { members: listed }),
    meta: {
      resourceType: row.type,
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${base}/${row.type}s/${row.id}`,
      version: etagOf(row),
    },
  }
}

/** Returns the weak ETag of a resource: memberships change it too. */
export function etagOf({ id, version }: Pick<StoredResource, 'id' | 'version'>): string {
  const hash = createHash('sha256')
    .update(`${id}/${String(version)}`)
    .digest('base64url')
  return `W/"${hash.slice(0, 22)}"`
}
