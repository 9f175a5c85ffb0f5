import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectRole } from '../../principal.js'
import { RoleOrigin } from './member.js'
import { Id, PageRequest, ProjectScope, pageOf } from '../../primitives.js'

/** A user's role in a project. */
export const ProjectMember = z
  .object({ user_id: Id, email: z.string(), role: ProjectRole, connection_id: RoleOrigin })
  .meta({ id: 'ProjectMember' })

/**
 * Every member of a project may list the others, readers too. So may organization tokens that have the permission;
 * project keys may not.
 */
export const listProjectMembers = operation({
  subject: 'identity.v1.project-member.list',
  summary: 'List the members of a project',
  description:
    'By e-mail address. Admins of the organization are managers of all its projects, and are listed where they have a role of their own besides.',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(ProjectMember),
  errors: ['project_not_found'],
  permission: 'project-member:read',
})

/** Gives a member of the organization a role in a project, replacing the one they had there. */
export const setProjectMember = operation({
  subject: 'identity.v1.project-member.set',
  summary: 'Give a member of the organization a role in a project',
  description:
    'For managers of the project, admins, and organization auth tokens with the permission `project-member:manage`. It replaces the role that the user had there, and is effective at every gateway within a second. A token cannot change the role of an admin of the organization, nor give or replace a role that has permissions which the token does not have.',
  input: z.object({ ...ProjectScope, user_id: Id, role: ProjectRole }),
  output: ProjectMember,
  errors: [
    'recent_sign_in_required',
    'member_not_found',
    'project_not_found',
    'permission_denied',
    'quota_exceeded',
    'role_from_provider',
  ],
  permission: 'project-member:manage',
  proof: 'recent',
})

/** Removes a user's own role in a project. They stay a member of the organization. */
export const removeProjectMember = operation({
  subject: 'identity.v1.project-member.remove',
  summary: 'Remove a member from a project',
  description:
    'For managers of the project, admins, and organization auth tokens with the permission `project-member:manage`, which cannot remove admins or roles with more permissions than their own. The user stays a member of the organization.',
  input: z.object({ ...ProjectScope, user_id: Id }),
  output: ProjectMember,
  errors: ['member_not_found', 'project_not_found', 'permission_denied', 'role_from_provider'],
  permission: 'project-member:manage',
})
