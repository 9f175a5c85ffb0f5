import { Connection } from '@bearing/nats/connection'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Module, type DynamicModule } from '@nestjs/common'
import { AuditLog } from './audit/audit-log.js'
import { GetJwks } from './claims/get-jwks.js'
import { IssueServiceClaims } from './claims/issue-service-claims.js'
import { PublishedKeys } from './claims/published-keys.js'
import { SignClaims } from './claims/sign-claims.js'
import { Clock } from '@bearing/service/clock'
import { CheckOrganizationToken } from './credentials/check-organization-token.js'
import { CheckPassword } from './credentials/check-password.js'
import { CheckProjectKey } from './credentials/check-project-key.js'
import { CheckSecret } from './credentials/check-secret.js'
import { CheckUser } from './credentials/check-user.js'
import { CredentialMemory } from './credentials/credential-memory.js'
import { FindHolder } from './credentials/find-holder.js'
import { IntrospectCredential } from './credentials/introspect-credential.js'
import { UserRows } from './credentials/user-rows.js'
import { Database } from './database.js'
import { CredentialChanges } from './events/credential-changes.js'
import { MembershipChanges } from './events/membership-changes.js'
import { ListMembers } from './members/list-members.js'
import { RemoveMember } from './members/remove-member.js'
import { SetMemberRole } from './members/set-member-role.js'
import { CreateOrganizationToken } from './organization-tokens/create-organization-token.js'
import { DeleteOrganizationToken } from './organization-tokens/delete-organization-token.js'
import { ListOrganizationTokens } from './organization-tokens/list-organization-tokens.js'
import { RecordTokenUses } from './organization-tokens/record-token-uses.js'
import { RotateOrganizationToken } from './organization-tokens/rotate-organization-token.js'
import { ChangeOrganizationTokenPolicy } from './organization-token-policy/change-organization-token-policy.js'
import { ShowOrganizationTokenPolicy } from './organization-token-policy/show-organization-token-policy.js'
import { FoundOrganization } from './organizations/found-organization.js'
import { Passwords } from './passwords/passwords.js'
import { CreateProjectKey } from './project-keys/create-project-key.js'
import { CycleProjectKey } from './project-keys/cycle-project-key.js'
import { ShowProjectKey } from './project-keys/show-project-key.js'
import { ChangeProjectSettings } from './project-settings/change-project-settings.js'
import { ShowProjectSettings } from './project-settings/show-project-settings.js'
import { ListProjectMembers } from './project-members/list-project-members.js'
import { RemoveProjectMember } from './project-members/remove-project-member.js'
import { SetProjectMember } from './project-members/set-project-member.js'
import { Randomness } from '@bearing/service/randomness'
import { Peppers } from './rules/peppers.js'
import { CycleUserKey } from './user-keys/cycle-user-key.js'
import { DeleteUserKey } from './user-keys/delete-user-key.js'
import { ShowUserKey } from './user-keys/show-user-key.js'
import { BootstrapAdmin } from './users/bootstrap-admin.js'
import { CreateUser } from './users/create-user.js'
import { GrantMembership } from './users/grant-membership.js'
import { ShowPrincipal } from './users/show-principal.js'

/** What the operations work with, made once when the service starts. */
export interface Parts {
  readonly connection: Connection
  readonly clock: Clock
  readonly randomness: Randomness
  readonly database: Database
  readonly peppers: Peppers
  readonly passwords: Passwords
  readonly signer: SignClaims
  readonly keys: PublishedKeys
  readonly relay: OutboxRelay
}

/** The operations of the identity service. */
@Module({
  controllers: [
    IntrospectCredential,
    GetJwks,
    IssueServiceClaims,
    ListOrganizationTokens,
    CreateOrganizationToken,
    DeleteOrganizationToken,
    RotateOrganizationToken,
    RecordTokenUses,
    ShowOrganizationTokenPolicy,
    ChangeOrganizationTokenPolicy,
    ShowUserKey,
    CycleUserKey,
    DeleteUserKey,
    ShowProjectKey,
    CycleProjectKey,
    CreateProjectKey,
    ShowProjectSettings,
    ChangeProjectSettings,
    ListMembers,
    SetMemberRole,
    RemoveMember,
    ListProjectMembers,
    SetProjectMember,
    RemoveProjectMember,
    BootstrapAdmin,
    CreateUser,
    GrantMembership,
    ShowPrincipal,
    FoundOrganization,
  ],
  providers: [
    AuditLog,
    CredentialChanges,
    MembershipChanges,
    UserRows,
    CheckSecret,
    CheckOrganizationToken,
    CheckPassword,
    CheckUser,
    CheckProjectKey,
    FindHolder,
    CredentialMemory,
  ],
})
export class IdentityModule {
  /** The module with its parts. */
  static with(parts: Parts): DynamicModule {
    return {
      module: IdentityModule,
      providers: [
        { provide: Connection, useValue: parts.connection },
        { provide: Clock, useValue: parts.clock },
        { provide: Randomness, useValue: parts.randomness },
        { provide: Database, useValue: parts.database },
        { provide: Peppers, useValue: parts.peppers },
        { provide: Passwords, useValue: parts.passwords },
        { provide: SignClaims, useValue: parts.signer },
        { provide: PublishedKeys, useValue: parts.keys },
        { provide: OutboxRelay, useValue: parts.relay },
      ],
    }
  }
}
