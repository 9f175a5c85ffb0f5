import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { OrganizationRole, ProjectRole } from '../../principal.js'
import { Id, OrganizationScope, PageRequest, Timestamp, pageOf } from '../../primitives.js'

/** The origin of a role: such a role cannot be edited by hand. */
export const RoleOrigin = Id.nullable()
  .optional()
  .describe('The single sign-on connection whose role mapping gave the role. Null: it was given by hand.')

/** A user's place in an organization. */
export const Member = z
  .object({
    user_id: Id,
    email: z.string(),
    role: OrganizationRole,
    connection_id: RoleOrigin,
    projects: z
      .array(z.object({ project_id: Id, role: ProjectRole, connection_id: RoleOrigin }))
      .describe(
        'The projects in which the user has a role of their own; of these, the ones that the caller may see.',
      ),
  })
  .meta({ id: 'Member' })

/** A member as admins see it. */
const ListedMember = Member.extend({
  second_factor: z
    .boolean()
    .optional()
    .describe(
      'Whether the user has a second factor. Only for admins of the organization; missing for others.',
    ),
  last_sign_in_at: Timestamp.nullable()
    .optional()
    .describe(
      'The last session that reaches the organization, or the last use of the account password. API keys do not count. Null: none is known. Only for admins; missing for others.',
    ),
}).meta({ id: 'ListedMember' })

/**
 * Every member may see who else is in the organization: a project manager chooses from them. Roles in projects that the
 * caller may not know to exist are left out.
 */
export const listMembers = operation({
  subject: 'identity.v1.member.list',
  summary: 'List the members of an organization',
  description:
    'By e-mail address, with the role of each and their roles in the projects that the caller may see. With a user API key or the account password; organization auth tokens see members of projects only.',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(ListedMember),
  errors: [],
  permission: 'member:read',
})

/** Changes the role of somebody who is a member already. */
export const setMemberRole = operation({
  subject: 'identity.v1.member.set-role',
  summary: 'Change the role of a member',
  description:
    'For admins. It is effective at every gateway within a second. The last admin keeps the role: make somebody else an admin first.',
  input: z.object({ ...OrganizationScope, user_id: Id, role: OrganizationRole }),
  output: Member,
  errors: [
    'recent_sign_in_required',
    'last_admin',
    'member_not_found',
    'permission_denied',
    'role_from_provider',
  ],
  permission: 'member:manage',
  proof: 'recent',
})

/** Every member may leave; to remove somebody else takes `member:manage`, which the handler asks for. */
export const removeMember = operation({
  subject: 'identity.v1.member.remove',
  summary: 'Remove a member from an organization, or leave it',
  description:
    'Admins remove anybody, every other member only themselves. Their roles in its projects go with it, and their credentials stop for this organization within a second; for their other organizations they keep working. The last admin cannot leave.',
  input: z.object({ ...OrganizationScope, user_id: Id }),
  output: Member,
  errors: ['last_admin', 'member_not_found', 'permission_denied'],
  permission: 'member:leave',
})

/** A user has come to an organization, got another role in it, or is gone from it. */
export const membershipChanged = event({
  subject: 'identity.v1.membership.changed',
  data: z.object({
    id: Id,
    organization_id: Id,
    user_id: Id,
    role: OrganizationRole.nullable().describe('The role from now on. Null: the user is no member any more.'),
  }),
})
