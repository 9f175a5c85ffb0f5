import type { Type } from '@nestjs/common'
import { AppendLocationAuditEvent } from './ground/audit/append-location-audit-event.js'
import { AppendManagementAuditEvent } from './ground/audit/append-management-audit-event.js'
import { ExportAuditEntries } from './ground/audit/export-audit-entries.js'
import { ListAuditChains } from './ground/audit/list-audit-chains.js'
import { ListAuditEntries } from './ground/audit/list-audit-entries.js'
import { RecordRefusals } from './ground/audit/record-refusals.js'
import { VerifyAuditChain } from './ground/audit/verify-audit-chain.js'
import { ListOwnMemberships } from './people/users/list-own-memberships.js'
import { GetJwks } from './introspection/claims/get-jwks.js'
import { IssueServiceClaims } from './introspection/claims/issue-service-claims.js'
import { AuthorizeCredential } from './introspection/authorize-credential.js'
import { IntrospectCredential } from './introspection/introspect-credential.js'
import { ReportLeak } from './credentials/leaks/report-leak.js'
import { DeleteLegacyToken } from './credentials/legacy-tokens/delete-legacy-token.js'
import { ImportLegacyTokens } from './credentials/legacy-tokens/import-legacy-tokens.js'
import { ListLegacyTokens } from './credentials/legacy-tokens/list-legacy-tokens.js'
import { ReportPeppers } from './credentials/peppers/report-peppers.js'
import { AcceptInvitation } from './organizations/invitations/accept-invitation.js'
import { CreateInvitation } from './organizations/invitations/create-invitation.js'
import { ListInvitations } from './organizations/invitations/list-invitations.js'
import { ResendInvitation } from './organizations/invitations/resend-invitation.js'
import { RevokeInvitation } from './organizations/invitations/revoke-invitation.js'
import { ShowInvitation } from './organizations/invitations/show-invitation.js'
import { ListMembers } from './organizations/members/list-members.js'
import { RemoveMember } from './organizations/members/remove-member.js'
import { SetMemberRole } from './organizations/members/set-member-role.js'
import { CreateOrganizationToken } from './credentials/organization-tokens/create-organization-token.js'
import { DeleteOrganizationToken } from './credentials/organization-tokens/delete-organization-token.js'
import { ListOrganizationTokens } from './credentials/organization-tokens/list-organization-tokens.js'
import { RecordTokenUses } from './credentials/organization-tokens/record-token-uses.js'
import { RotateOrganizationToken } from './credentials/organization-tokens/rotate-organization-token.js'
import { ChangeOrganizationTokenPolicy } from './credentials/organization-token-policy/change-organization-token-policy.js'
import { ShowOrganizationTokenPolicy } from './credentials/organization-token-policy/show-organization-token-policy.js'
import { FindOrganizationPeople } from './organizations/organizations/find-organization-people.js'
import { FoundOrganization } from './organizations/organizations/add-first-admin.js'
import { ChangePassword } from './people/passwords/change-password.js'
import { RequestPasswordReset } from './people/passwords/request-password-reset.js'
import { ResetPassword } from './people/passwords/reset-password.js'
import { CreateProjectKey } from './credentials/project-keys/create-project-key.js'
import { CycleProjectKey } from './credentials/project-keys/cycle-project-key.js'
import { ShowProjectKey } from './credentials/project-keys/show-project-key.js'
import { ChangeProjectSettings } from './credentials/project-settings/change-project-settings.js'
import { ShowProjectSettings } from './credentials/project-settings/show-project-settings.js'
import { ListProjectMembers } from './organizations/project-members/list-project-members.js'
import { RemoveProjectMember } from './organizations/project-members/remove-project-member.js'
import { SetProjectMember } from './organizations/project-members/set-project-member.js'
import { ConfirmTotp } from './people/second-factor/confirm-totp.js'
import { EnrollTotp } from './people/second-factor/enroll-totp.js'
import { RemoveTotp } from './people/second-factor/remove-totp.js'
import { RenewRecoveryCodes } from './people/second-factor/renew-recovery-codes.js'
import { ResetSecondFactor } from './people/second-factor/reset-second-factor.js'
import { ShowTotp } from './people/second-factor/show-totp.js'
import { EndOtherSessions } from './people/sessions/end-other-sessions.js'
import { EndSession } from './people/sessions/end-session.js'
import { ListSessions } from './people/sessions/list-sessions.js'
import { ShowSession } from './people/sessions/show-session.js'
import { SignOut } from './people/sessions/sign-out.js'
import { StartSession } from './people/sessions/start-session.js'
import { ChangeSignInPolicy } from './sso/sign-in-policy/change-sign-in-policy.js'
import { ShowSignInPolicy } from './sso/sign-in-policy/show-sign-in-policy.js'
import { CycleUserKey } from './credentials/user-keys/cycle-user-key.js'
import { DeleteUserKey } from './credentials/user-keys/delete-user-key.js'
import { ShowUserKey } from './credentials/user-keys/show-user-key.js'
import { BootstrapAdmin } from './people/users/bootstrap-admin.js'
import { CreateUser } from './people/users/create-user.js'
import { DeleteOwnAccount } from './accounts/delete-own-account.js'
import { DeleteUser } from './accounts/delete-user.js'
import { GrantMembership } from './accounts/grant-membership.js'
import { ShowPrincipal } from './people/users/show-principal.js'
import { ReleaseSsoRule } from './sso/sign-in-policy/release-sso-rule.js'
import { CreatePartnerConnection } from './sso/partner-connections/create-partner-connection.js'
import { ListPartnerConnections } from './sso/partner-connections/list-partner-connections.js'
import { DeletePartnerConnection } from './sso/partner-connections/delete-partner-connection.js'
import { ShowPartnerTeam } from './sso/partner-teams/show-partner-team.js'
import { FoundPartnerTeam } from './sso/partner-teams/create-partner-organization.js'
import { AskPartnerLink } from './sso/partner-teams/request-partner-link.js'
import { ListPartnerLinks } from './sso/partner-links/list-partner-links.js'
import { ConfirmPartnerLink } from './sso/partner-links/confirm-partner-link.js'
import { RefusePartnerLink } from './sso/partner-links/reject-partner-link.js'
import { ListSsoConnections } from './sso/connections/list-sso-connections.js'
import { ShowSsoConnection } from './sso/connections/show-sso-connection.js'
import { CreateSsoConnection } from './sso/connections/create-sso-connection.js'
import { ChangeSsoConnection } from './sso/connections/change-sso-connection.js'
import { DeleteSsoConnection } from './sso/connections/delete-sso-connection.js'
import { ListSsoDomains } from './sso/domains/list-sso-domains.js'
import { AddSsoDomain } from './sso/domains/add-sso-domain.js'
import { VerifySsoDomain } from './sso/domains/verify-sso-domain.js'
import { DeleteSsoDomain } from './sso/domains/delete-sso-domain.js'
import { BeginSignOn } from './sso/sign-on/begin-sign-on.js'
import { BeginLink } from './sso/sign-on/begin-link.js'
import { CompleteSignOn } from './sso/sign-on/complete-sign-on.js'
import { ListSsoIdentities } from './sso/identities/list-sso-identities.js'
import { DeleteSsoIdentity } from './sso/identities/delete-sso-identity.js'

/** The handlers of all operations: one class each, in the folder of its noun. */
export const OPERATIONS: readonly Type[] = [
  IntrospectCredential,
  AuthorizeCredential,
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
  StartSession,
  ShowSession,
  SignOut,
  ListSessions,
  EndSession,
  EndOtherSessions,
  ShowTotp,
  EnrollTotp,
  ConfirmTotp,
  RemoveTotp,
  RenewRecoveryCodes,
  ResetSecondFactor,
  ShowSignInPolicy,
  ChangeSignInPolicy,
  ReleaseSsoRule,
  CreatePartnerConnection,
  ListPartnerConnections,
  DeletePartnerConnection,
  ShowPartnerTeam,
  FoundPartnerTeam,
  AskPartnerLink,
  ListPartnerLinks,
  ConfirmPartnerLink,
  RefusePartnerLink,
  ListSsoConnections,
  ShowSsoConnection,
  CreateSsoConnection,
  ChangeSsoConnection,
  DeleteSsoConnection,
  ListSsoDomains,
  AddSsoDomain,
  VerifySsoDomain,
  DeleteSsoDomain,
  BeginSignOn,
  BeginLink,
  CompleteSignOn,
  ListSsoIdentities,
  DeleteSsoIdentity,
  ShowProjectKey,
  CycleProjectKey,
  CreateProjectKey,
  ShowProjectSettings,
  ChangeProjectSettings,
  ReportLeak,
  ReportPeppers,
  ImportLegacyTokens,
  ListLegacyTokens,
  DeleteLegacyToken,
  ListMembers,
  SetMemberRole,
  RemoveMember,
  ListInvitations,
  CreateInvitation,
  RevokeInvitation,
  ResendInvitation,
  ShowInvitation,
  AcceptInvitation,
  ChangePassword,
  RequestPasswordReset,
  ResetPassword,
  ListProjectMembers,
  SetProjectMember,
  RemoveProjectMember,
  BootstrapAdmin,
  CreateUser,
  DeleteUser,
  DeleteOwnAccount,
  GrantMembership,
  ShowPrincipal,
  FoundOrganization,
  FindOrganizationPeople,
  ListOwnMemberships,
  ListAuditEntries,
  ExportAuditEntries,
  AppendManagementAuditEvent,
  AppendLocationAuditEvent,
  RecordRefusals,
  ListAuditChains,
  VerifyAuditChain,
]
