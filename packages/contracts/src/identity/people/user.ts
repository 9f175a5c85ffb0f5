import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { OrganizationRole, Principal, ProjectRole } from '../../principal.js'
import type { Beside } from '../../route.js'
import { Email, Id, Nothing, ServiceName } from '../../primitives.js'
import { NewPassword } from './password.js'
import { SecondFactorCode } from './second-factor.js'

/**
 * The most organizations that a user creates or joins. Each of their requests carries a grant for each: with 100 of them
 * what identity signs is 19 KiB (docs/decisions/0055-limit-users-to-100-organizations.md).
 */
export const MAX_ORGANIZATIONS_OF_USER = 100

const NewAccount = z.object({ email: Email, password: NewPassword })

/** Makes an account. For operators; people register by invitation. */
export const createUser = operation({
  subject: 'identity.v1.user.create',
  summary: 'Create a user account',
  input: NewAccount,
  output: z.object({ user_id: Id, email: z.string() }),
  errors: ['email_taken'],
  permission: 'user:create',
  timeoutMs: 10_000,
})

/**
 * Creates the first account of a new installation, which can then create organizations. For operators, once: refused if
 * there is any account already, and of two concurrent calls one succeeds.
 */
export const bootstrapAdmin = operation({
  subject: 'identity.v1.admin.bootstrap',
  summary: 'Create the first user account',
  input: NewAccount,
  output: z.object({ user_id: Id, email: z.string() }),
  errors: ['already_bootstrapped'],
  permission: 'user:create',
  timeoutMs: 10_000,
})

/** A user who is no more. */
const DeletedUser = z.object({ user_id: Id, email: z.string() }).meta({ id: 'DeletedUser' })

/** Deletes the calling user. An API key alone is not enough: it may have been found somewhere. */
export const deleteOwnAccount = operation({
  subject: 'identity.v1.account.delete',
  summary: 'Delete your own account',
  description:
    'The API key and the password stop at every gateway within a second, and every membership ends. Organization auth tokens that you created are those of their organizations, and stay. It cannot be undone. It takes the account password: as the credential, as `password`, or by signing in with a browser at most ten minutes before. A user with a second factor sends `totp_code`, `recovery_code` or `passkey` with `password`. The last admin of an organization cannot be deleted.',
  input: z.object({
    password: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe(
        'The account password; needed with an API key, and in a session that was not begun just before.',
      ),
    ...SecondFactorCode,
  }),
  output: DeletedUser,
  errors: [
    'last_admin',
    'password_incorrect',
    'rate_limited',
    'recent_sign_in_required',
    'second_factor_invalid',
    'user_not_found',
  ],
  permission: 'user:delete-self',
  proof: 'in-request',
  timeoutMs: 10_000,
})

/** Deletes a user account, named by its id or its e-mail address. For operators. */
export const deleteUser = operation({
  subject: 'identity.v1.user.delete',
  summary: 'Delete a user account',
  input: z.union([z.object({ user_id: Id }), z.object({ email: Email })]),
  output: DeletedUser,
  errors: ['last_admin', 'user_not_found'],
  permission: 'user:delete',
})

/**
 * A user account was deleted. Its memberships have ended, each with an event of its own. The e-mail address may be used
 * for a new account from now on: that is another user.
 */
export const userDeleted = event({
  subject: 'identity.v1.user.deleted',
  data: z.object({ id: Id, user_id: Id }),
})

/** Gives a user a place in an organization, replacing the one they had there. For operators. */
export const grantMembership = operation({
  subject: 'identity.v1.membership.grant',
  summary: 'Give a user a place in an organization',
  input: z.object({
    organization_id: Id,
    user_id: Id,
    role: OrganizationRole,
    projects: z.array(z.object({ project_id: Id, role: ProjectRole })).default([]),
  }),
  output: Nothing,
  errors: ['user_not_found'],
  permission: 'membership:grant',
})

/**
 * Makes the calling user the admin of an organization that is about to exist. Management calls this with the user's
 * claims, before it writes the organization. Refused where the organization has any member already.
 */
export const addFirstAdmin = operation({
  subject: 'identity.v1.organization.found',
  summary: 'Make the calling user the admin of a new organization',
  input: z.object({ founded_organization_id: Id }),
  output: Nothing,
  errors: ['permission_denied', 'too_many_organizations', 'user_required'],
  permission: 'organization:create',
  forwardedBy: ['management'],
})

/**
 * Makes a user the admin of an organization that an operator is about to create. Management calls this with the operator's claims, as
 * {@link addFirstAdmin}.
 */
export const addFirstAdminFor = operation({
  subject: 'identity.v1.organization.found-for',
  summary: 'Make a user the admin of a new organization',
  input: z.object({ founded_organization_id: Id, email: Email }),
  output: z.object({ user_id: Id }),
  errors: ['permission_denied', 'too_many_organizations', 'user_not_found'],
  permission: 'membership:grant',
  forwardedBy: ['management'],
})

/**
 * Lists the organizations of the calling user, for the list that management shows: its claims name none of them. A session
 * of single sign-on reaches one.
 */
export const listOwnMemberships = operation({
  subject: 'identity.v1.own-membership.list',
  summary: 'List the ids of the organizations of the calling user',
  input: Nothing,
  output: z.object({
    organization_ids: z.array(Id),
    deleted_organization_ids: z
      .array(Id)
      .optional()
      .describe('Deleted organizations that the user is an admin of.'),
  }),
  errors: ['user_required'],
  permission: 'organization:list',
  forwardedBy: ['management'],
})

/** Returns the caller and what they are allowed to do. */
export const whoAmI = operation({
  subject: 'identity.v1.principal.show',
  summary: 'Show who the caller is',
  input: Nothing,
  output: Principal,
  errors: [],
  permission: 'principal:read',
})

/** Fields that debuggers and other tools read at the top of the reply about a user. */
export const CALLER_SUMMARY: Beside = {
  schema: z.object({
    id: Id.optional().describe('Of the user. Absent: the caller is no user.'),
    email: z.string().optional(),
    name: z.string().optional().describe('The email address: users have no other name.'),
  }),
  from: (output) => {
    const principal = output as z.output<typeof Principal> // the output of the operation
    if (principal.kind !== 'user') return {}
    return { id: principal.user_id, email: principal.email, name: principal.email }
  },
}

/** Signs claims about a service or an operator, for one service. NATS subject permissions decide who may call this. */
export const issueServiceClaims = operation({
  subject: 'identity.v1.service.issue',
  summary: 'Sign claims for a service',
  input: z.object({ name: ServiceName, audience: ServiceName }),
  output: z.object({ claims: z.string(), claims_expire_at: z.int() }),
  errors: [],
  permission: 'internal',
})
