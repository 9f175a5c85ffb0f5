import { z } from 'zod'
import { PERMISSIONS, Permission } from './permission.js'
import { Id, Timestamp } from './primitives.js'

/**
 * A list that leaves out what this version does not know. Services are deployed in any order: a permission or role of a
 * newer one gives nothing here, and must not make the rest unreadable.
 */
function known<Item extends z.ZodType>(
  item: Item,
  isKnown = (candidate: unknown) => item.safeParse(candidate).success,
) {
  return z.preprocess((list) => (Array.isArray(list) ? list.filter(isKnown) : list), z.array(item))
}

/** Principals are read on every introspection, so their permissions are told apart without the schema. */
const PERMISSION_NAMES: ReadonlySet<unknown> = new Set(PERMISSIONS)
const isPermission = (candidate: unknown) => PERMISSION_NAMES.has(candidate)

export const ORGANIZATION_ROLES = ['admin', 'member'] as const
/** What a user is in an organization. */
export const OrganizationRole = z.enum(ORGANIZATION_ROLES).meta({ id: 'OrganizationRole' })
export type OrganizationRole = z.infer<typeof OrganizationRole>

export const PROJECT_ROLES = ['manager', 'member', 'reader'] as const
/** What a user is in a project. An admin of the organization is a manager of all its projects. */
export const ProjectRole = z.enum(PROJECT_ROLES).meta({ id: 'ProjectRole' })
export type ProjectRole = z.infer<typeof ProjectRole>

/** What a user may act on in one organization. */
export const OrganizationGrant = z
  .object({
    organization_id: Id,
    role: OrganizationRole,
    /** The projects in which the user has a role of their own. */
    projects: known(z.object({ project_id: Id, role: ProjectRole })),
    /** Whether the organization only lets in users who came by single sign-on. */
    sso_required: z.boolean(),
  })
  .meta({ id: 'OrganizationGrant' })
export type OrganizationGrant = z.infer<typeof OrganizationGrant>

/** A person, proven by their API key or account password. */
export const UserPrincipal = z
  .object({
    kind: z.literal('user'),
    user_id: Id,
    email: z.string(),
    /** The API key's id, or the user's id where the account password was the proof. */
    credential_id: Id,
    proof: z.enum(['api_key', 'password']),
    grants: known(OrganizationGrant),
  })
  .meta({ id: 'UserPrincipal' })

/** An organization auth token. */
export const OrganizationTokenPrincipal = z
  .object({
    kind: z.literal('organization_token'),
    credential_id: Id,
    organization_id: Id,
    description: z.string(),
    permissions: known(Permission, isPermission),
    expires_at: Timestamp.nullable(),
    /** Ranges (CIDR) of the client addresses that it may be used from. Left out: from anywhere. */
    allowed_addresses: z.array(z.string()).optional(),
  })
  .meta({ id: 'OrganizationTokenPrincipal' })

/** A project key: anybody who holds a device of the project. */
export const ProjectKeyPrincipal = z
  .object({
    kind: z.literal('project_key'),
    credential_id: Id,
    organization_id: Id,
    project_id: Id,
    permissions: known(Permission, isPermission),
    /** When its grace ends. Left out: it is the project's current key, which has no end. */
    expires_at: Timestamp.optional(),
  })
  .meta({ id: 'ProjectKeyPrincipal' })

/** A service or an operator, proven by their NATS credentials. */
export const ServicePrincipal = z
  .object({ kind: z.literal('service'), name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/) })
  .meta({ id: 'ServicePrincipal' })

/** Who is calling. */
export const Principal = z
  .discriminatedUnion('kind', [
    UserPrincipal,
    OrganizationTokenPrincipal,
    ProjectKeyPrincipal,
    ServicePrincipal,
  ])
  .meta({ id: 'Principal' })
export type Principal = z.infer<typeof Principal>
