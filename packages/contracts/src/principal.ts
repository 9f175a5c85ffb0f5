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

export const SESSION_METHODS = ['pwd', 'otp', 'recovery', 'sso'] as const
/**
 * How a user has signed in: account password, code of an authenticator, recovery code, single sign-on. The first two are
 * names of RFC 8176.
 */
export const SessionMethod = z.enum(SESSION_METHODS).meta({ id: 'SessionMethod' })
export type SessionMethod = z.infer<typeof SessionMethod>

/** What a user may act on in one organization. */
export const OrganizationGrant = z
  .object({
    organization_id: Id,
    role: OrganizationRole,
    /** The projects in which the user has a role of their own. */
    projects: known(z.object({ project_id: Id, role: ProjectRole })),
    /** Whether the organization only lets in users who came by single sign-on. */
    sso_required: z.boolean(),
    /** Whether the organization only lets in users who have a second factor. Left out: no. */
    second_factor_required: z.boolean().optional(),
  })
  .meta({ id: 'OrganizationGrant' })
export type OrganizationGrant = z.infer<typeof OrganizationGrant>

/** A person, proven by their API key, account password or a session of their browser. */
export const UserPrincipal = z
  .object({
    kind: z.literal('user'),
    user_id: Id,
    email: z.string(),
    /** The id of the API key or session, or the user's id where the account password was the proof. */
    credential_id: Id,
    proof: z.enum(['api_key', 'password', 'session']),
    /** Whether the user has a second factor. Left out: not known, which is taken for no. */
    second_factor: z.boolean().optional(),
    /** How the session was started. Left out: it is no session. */
    methods: known(SessionMethod).optional(),
    /**
     * Where the session was started by single sign-on: through which connection, and the one organization that it reaches.
     * Null: the team of a partner that has none yet. Whoever owns the provider could sign in there as anybody, so the session is of no use elsewhere. Left out: it was not.
     */
    sso: z.object({ connection_id: Id, organization_id: Id.nullable() }).optional(),
    /**
     * Whether the API key was created with the second factor that the user has now. Left out: it is not an API key, or an
     * identity service of an earlier version signed the claims.
     */
    key_second_factor: z.boolean().optional(),
    /** When the API key expires, or when the session ends unless it is used again before. Left out: it does not end. */
    expires_at: Timestamp.optional(),
    grants: known(OrganizationGrant),
  })
  .meta({ id: 'UserPrincipal' })
export type UserPrincipal = z.infer<typeof UserPrincipal>

/** The kind of organization auth tokens, as presented and as principal. */
export const ORGANIZATION_TOKEN = 'organization_token'

/** An organization auth token. */
export const OrganizationTokenPrincipal = z
  .object({
    kind: z.literal(ORGANIZATION_TOKEN),
    credential_id: Id,
    organization_id: Id,
    description: z.string(),
    /** What it may do on its organization and all its projects. Empty where it is bound to projects. */
    permissions: known(Permission, isPermission),
    /**
     * The only projects it reaches, and what it may do there. Left out: it reaches all projects of its organization.
     * Its permissions are here and not above, so a reader that does not know this field grants it nothing.
     */
    project_binding: z
      .object({ project_ids: z.array(Id).min(1), permissions: known(Permission, isPermission) })
      .optional(),
    expires_at: Timestamp.nullable(),
    /** Ranges (CIDR) of the client addresses that it may be used from. Left out: from anywhere. */
    allowed_addresses: z.array(z.string()).optional(),
    /**
     * Where it is a token of the location service from before organization auth tokens: since when such tokens are
     * deprecated. `expires_at` is its sunset. Left out: it is none.
     */
    legacy: z.object({ deprecated_at: Timestamp }).optional(),
  })
  .meta({ id: 'OrganizationTokenPrincipal' })
export type OrganizationTokenPrincipal = z.infer<typeof OrganizationTokenPrincipal>

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

export function isOrganizationToken(
  principal: Principal | undefined,
): principal is OrganizationTokenPrincipal {
  return principal?.kind === ORGANIZATION_TOKEN
}
