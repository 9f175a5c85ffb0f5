import { z } from 'zod'
import { PERMISSIONS, Permission } from './permission.js'
import { Id, Timestamp } from './primitives.js'

/**
 * A list without items that this version does not know. Services are deployed in any order: an unknown permission or role grants
 * nothing, and must not make the rest unreadable.
 */
function known<Item extends z.ZodType>(
  item: Item,
  isKnown = (candidate: unknown) => item.safeParse(candidate).success,
) {
  return z.preprocess((list) => (Array.isArray(list) ? list.filter(isKnown) : list), z.array(item))
}

/** Every introspection reads principals, so permissions are filtered without the schema. */
const PERMISSION_NAMES: ReadonlySet<unknown> = new Set(PERMISSIONS)
const isPermission = (candidate: unknown) => PERMISSION_NAMES.has(candidate)

export const ORGANIZATION_ROLES = ['admin', 'member'] as const
/** The role of a user in an organization. */
export const OrganizationRole = z.enum(ORGANIZATION_ROLES).meta({ id: 'OrganizationRole' })
export type OrganizationRole = z.infer<typeof OrganizationRole>

export const PROJECT_ROLES = ['manager', 'member', 'reader'] as const
/** The role of a user in a project. An admin of the organization is a manager of all its projects. */
export const ProjectRole = z.enum(PROJECT_ROLES).meta({ id: 'ProjectRole' })
export type ProjectRole = z.infer<typeof ProjectRole>

export const SESSION_METHODS = ['pwd', 'otp', 'recovery', 'passkey', 'sso'] as const
/**
 * Sign-in method of a user: account password, code of an authenticator, recovery code, passkey, single sign-on. The first two are
 * names of RFC 8176.
 */
export const SessionMethod = z.enum(SESSION_METHODS).meta({ id: 'SessionMethod' })
export type SessionMethod = z.infer<typeof SessionMethod>

const SECOND_FACTORS: ReadonlySet<string> = new Set<SessionMethod>(['otp', 'recovery', 'passkey'])

/** Returns whether the user of a session has proven a second factor. A passkey verifies its user, so it counts as both factors. */
export function provesSecondFactor(methods: readonly SessionMethod[]): boolean {
  return methods.some((method) => SECOND_FACTORS.has(method))
}

export const SECOND_FACTOR_KINDS = ['any', 'phishing-resistant'] as const
/** Second factors that an organization accepts: all, or passkeys alone. */
export const SecondFactorKind = z.enum(SECOND_FACTOR_KINDS).meta({ id: 'SecondFactorKind' })
export type SecondFactorKind = z.infer<typeof SecondFactorKind>

export const DEVICE_LOGINS = ['on', 'same-network', 'off'] as const
/**
 * Command lines, signed in by a browser, that are accepted: all, those that asked from the client network of the browser (the
 * same IPv4 address or IPv6 /64), or none.
 */
export const DeviceLogins = z.enum(DEVICE_LOGINS).meta({ id: 'DeviceLogins' })
export type DeviceLogins = z.infer<typeof DeviceLogins>

/** The roles of a user in one organization. */
export const OrganizationGrant = z
  .object({
    organization_id: Id,
    role: OrganizationRole,
    projects: known(z.object({ project_id: Id, role: ProjectRole })).describe(
      'Projects in which the user has a role.',
    ),
    sso_required: z.boolean().describe('Whether the organization requires single sign-on.'),
    second_factor_required: z
      .boolean()
      .optional()
      .describe('Whether the organization requires a second factor (default: no).'),
    second_factor_kind: SecondFactorKind.optional().describe(
      'Which second factors the organization accepts where it requires one (default: any).',
    ),
    device_logins: DeviceLogins.optional().describe(
      'Which sessions of command lines the organization accepts (default: on).',
    ),
  })
  .meta({ id: 'OrganizationGrant' })
export type OrganizationGrant = z.infer<typeof OrganizationGrant>

/** A user, authenticated by an API key, the account password, or a browser session. */
export const UserPrincipal = z
  .object({
    kind: z.literal('user'),
    user_id: Id,
    email: z.string(),
    credential_id: Id.describe(
      "The id of the API key or session, or the user's id for the account password.",
    ),
    proof: z.enum(['api_key', 'password', 'session']),
    second_factor: z.boolean().optional().describe('Whether the user has a second factor (default: no).'),
    methods: known(SessionMethod)
      .optional()
      .describe('How the user signed in to the session. Missing for other credentials.'),
    sso: z
      .object({ connection_id: Id, organization_id: Id.nullable() })
      .optional()
      .describe(
        'For a session of single sign-on: its connection, and the only organization that it reaches, because the owner of the provider could sign in as any user. Null: a partner team without an organization.',
      ),
    device_login: z
      .object({
        same_network: z
          .boolean()
          .describe('Whether the command line asked from the client network of the browser that allowed it.'),
      })
      .nullable()
      .optional()
      .describe(
        'For a session of a command line. Null for a session of a browser. Missing for other credentials, and in claims of an earlier version of identity.',
      ),
    key_second_factor: z
      .boolean()
      .optional()
      .describe(
        "Whether the API key was created with the user's current second factor. Missing for other credentials, and in claims of an earlier version of identity.",
      ),
    expires_at: Timestamp.optional().describe(
      'When the API key expires, or the session if it is not used before. Missing: never.',
    ),
    grants: known(OrganizationGrant),
    deleted_grants: known(OrganizationGrant)
      .optional()
      .describe(
        'Grants on deleted organizations (default: none). They are of use only to restore or erase the organization.',
      ),
  })
  .meta({ id: 'UserPrincipal' })
export type UserPrincipal = z.infer<typeof UserPrincipal>

/** The kind of organization auth tokens, as presented and as principal. */
export const ORGANIZATION_TOKEN = 'organization_token'

/** The workload that an organization auth token was exchanged for. */
export const Workload = z
  .object({
    trust_id: Id.describe('The trust of the organization that accepted it.'),
    issuer: z.string(),
    subject: z.string().describe('`sub` of its token.'),
    claims: z
      .record(z.string(), z.string())
      .describe('Claims that say what runs, such as repository and ref.'),
  })
  .meta({ id: 'Workload' })
export type Workload = z.infer<typeof Workload>

/** An organization auth token. */
export const OrganizationTokenPrincipal = z
  .object({
    kind: z.literal(ORGANIZATION_TOKEN),
    credential_id: Id,
    organization_id: Id,
    description: z.string(),
    permissions: known(Permission, isPermission).describe(
      'Permissions on its organization and all its projects. Empty if it is bound to projects.',
    ),
    project_binding: z
      .object({ project_ids: z.array(Id).min(1), permissions: known(Permission, isPermission) })
      .optional()
      .describe(
        'The only projects it reaches, and its permissions there. Missing: it reaches all projects of its organization. The permissions are here, so a reader that does not know this field grants it nothing.',
      ),
    expires_at: Timestamp.nullable(),
    allowed_addresses: z
      .array(z.string())
      .optional()
      .describe('IP ranges (CIDR) that it may be used from. Missing: from anywhere.'),
    workload: Workload.optional().describe(
      'For a token that a workload got for its own, and those derived from it. Missing: people created the token.',
    ),
    legacy: z
      .object({ deprecated_at: Timestamp })
      .optional()
      .describe(
        'For a legacy location token: since when such tokens are deprecated. `expires_at` is its sunset.',
      ),
  })
  .meta({ id: 'OrganizationTokenPrincipal' })
export type OrganizationTokenPrincipal = z.infer<typeof OrganizationTokenPrincipal>

/** A project key. Anyone with a device of the project has it. */
export const ProjectKeyPrincipal = z
  .object({
    kind: z.literal('project_key'),
    credential_id: Id,
    organization_id: Id,
    project_id: Id,
    permissions: known(Permission, isPermission),
    device_identity_required: z
      .literal(true)
      .optional()
      .describe('The project accepts only devices that prove who they are: the key has no permission.'),
    expires_at: Timestamp.optional().describe(
      'When its grace period ends. Missing for the current key of the project.',
    ),
  })
  .meta({ id: 'ProjectKeyPrincipal' })

/** A device that has proven with a key of its own who it is. */
export const DevicePrincipal = z
  .object({
    kind: z.literal('device'),
    credential_id: Id.describe(
      'The key of the device that signed its token, or that its certificate is for.',
    ),
    organization_id: Id,
    project_id: Id,
    device_serial: z.string().describe('It acts for this device alone.'),
    proof: z.enum(['token', 'certificate']),
    permissions: known(Permission, isPermission),
    expires_at: Timestamp.optional().describe(
      'When the token or certificate expires, or the grace period of its key ends. Missing: the token has no expiry.',
    ),
  })
  .meta({ id: 'DevicePrincipal' })
export type DevicePrincipal = z.infer<typeof DevicePrincipal>

/** A service or an operator, authenticated by NATS credentials. */
export const ServicePrincipal = z
  .object({ kind: z.literal('service'), name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/) })
  .meta({ id: 'ServicePrincipal' })

/** The authenticated caller. */
export const Principal = z
  .discriminatedUnion('kind', [
    UserPrincipal,
    OrganizationTokenPrincipal,
    ProjectKeyPrincipal,
    DevicePrincipal,
    ServicePrincipal,
  ])
  .meta({ id: 'Principal' })
export type Principal = z.infer<typeof Principal>

export function isOrganizationToken(
  principal: Principal | undefined,
): principal is OrganizationTokenPrincipal {
  return principal?.kind === ORGANIZATION_TOKEN
}

/** Returns whether the caller is a device, with the key of its project or one of its own. */
export function isOfDevice(
  principal: Principal | undefined,
): principal is Extract<Principal, { kind: 'project_key' | 'device' }> {
  return principal?.kind === 'project_key' || principal?.kind === 'device'
}
