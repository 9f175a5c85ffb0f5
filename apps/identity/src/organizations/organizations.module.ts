import { Module } from '@nestjs/common'
import { PeopleModule } from '../people/people.module.js'
import { AcceptInvitation } from './invitations/accept-invitation.js'
import { ComposeInvitation } from './invitations/compose-invitation.js'
import { CreateInvitation } from './invitations/create-invitation.js'
import { FindInvitation } from './invitations/find-invitation.js'
import { ListInvitations } from './invitations/list-invitations.js'
import { ResendInvitation } from './invitations/resend-invitation.js'
import { RevokeInvitation } from './invitations/revoke-invitation.js'
import { ShowInvitation } from './invitations/show-invitation.js'
import { GrantMembership } from './members/grant-membership.js'
import { ListMembers } from './members/list-members.js'
import { RemoveMember } from './members/remove-member.js'
import { SetMemberRole } from './members/set-member-role.js'
import { AddFirstAdminFor } from './organizations/add-first-admin-for.js'
import { AddFirstAdmin } from './organizations/add-first-admin.js'
import { SetTenantState } from './organizations/set-tenant-state.js'
import { ReplaceProjectKey } from './project-keys/replace-project-key.js'
import { ListProjectMembers } from './project-members/list-project-members.js'
import { RemoveProjectMember } from './project-members/remove-project-member.js'
import { SetProjectMember } from './project-members/set-project-member.js'

/**
 * Members of organizations and projects: their roles, invitations, roles in projects; and the replacement of a project's key. Management owns the
 * organizations and projects themselves. Upper wings use `requireAdmin`, `requireManager` and `refuseForeignProject`. It may
 * import people and ground.
 */
@Module({
  imports: [PeopleModule],
  controllers: [
    ...[AddFirstAdmin, AddFirstAdminFor, SetTenantState],
    ...[ListMembers, SetMemberRole, RemoveMember, GrantMembership],
    ...[ListProjectMembers, SetProjectMember, RemoveProjectMember],
    ...[
      ListInvitations,
      CreateInvitation,
      ResendInvitation,
      RevokeInvitation,
      ShowInvitation,
      AcceptInvitation,
    ],
  ],
  providers: [FindInvitation, ComposeInvitation, ReplaceProjectKey],
  exports: [ReplaceProjectKey],
})
export class OrganizationsModule {}
