import type { Type } from '@nestjs/common'
import { AppendLocationDeed } from './audit/append-location-deed.js'
import { AppendManagementDeed } from './audit/append-management-deed.js'
import { ExportAuditEntries } from './audit/export-audit-entries.js'
import { ListAuditChains } from './audit/list-audit-chains.js'
import { ListAuditEntries } from './audit/list-audit-entries.js'
import { RecordRefusals } from './audit/record-refusals.js'
import { VerifyAuditChain } from './audit/verify-audit-chain.js'
import { ListOwnMemberships } from './users/list-own-memberships.js'
import { GetJwks } from './claims/get-jwks.js'
import { IssueServiceClaims } from './claims/issue-service-claims.js'
import { AuthorizeCredential } from './credentials/authorize-credential.js'
import { IntrospectCredential } from './credentials/introspect-credential.js'
import { ReportLeak } from './leaks/report-leak.js'
import { DeleteLegacyToken } from './legacy-tokens/delete-legacy-token.js'
import { ImportLegacyTokens } from './legacy-tokens/import-legacy-tokens.js'
import { ListLegacyTokens } from './legacy-tokens/list-legacy-tokens.js'
import { ReportPeppers } from './peppers/report-peppers.js'
import { AcceptInvitation } from './invitations/accept-invitation.js'
import { CreateInvitation } from './invitations/create-invitation.js'
import { ListInvitations } from './invitations/list-invitations.js'
import { ResendInvitation } from './invitations/resend-invitation.js'
import { RevokeInvitation } from './invitations/revoke-invitation.js'
import { ShowInvitation } from './invitations/show-invitation.js'
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
import { FindOrganizationPeople } from './organizations/find-organization-people.js'
import { FoundOrganization } from './organizations/found-organization.js'
import { ChangePassword } from './passwords/change-password.js'
import { RequestPasswordReset } from './passwords/request-password-reset.js'
import { ResetPassword } from './passwords/reset-password.js'
import { CreateProjectKey } from './project-keys/create-project-key.js'
import { CycleProjectKey } from './project-keys/cycle-project-key.js'
import { ShowProjectKey } from './project-keys/show-project-key.js'
import { ChangeProjectSettings } from './project-settings/change-project-settings.js'
import { ShowProjectSettings } from './project-settings/show-project-settings.js'
import { ListProjectMembers } from './project-members/list-project-members.js'
import { RemoveProjectMember } from './project-members/remove-project-member.js'
import { SetProjectMember } from './project-members/set-project-member.js'
import { ConfirmTotp } from './second-factor/confirm-totp.js'
import { EnrollTotp } from './second-factor/enroll-totp.js'
import { RemoveTotp } from './second-factor/remove-totp.js'
import { RenewRecoveryCodes } from './second-factor/renew-recovery-codes.js'
import { ResetSecondFactor } from './second-factor/reset-second-factor.js'
import { ShowTotp } from './second-factor/show-totp.js'
import { EndOtherSessions } from './sessions/end-other-sessions.js'
import { EndSession } from './sessions/end-session.js'
import { ListSessions } from './sessions/list-sessions.js'
import { ShowSession } from './sessions/show-session.js'
import { SignOut } from './sessions/sign-out.js'
import { StartSession } from './sessions/start-session.js'
import { ChangeSignInPolicy } from './sign-in-policy/change-sign-in-policy.js'
import { ShowSignInPolicy } from './sign-in-policy/show-sign-in-policy.js'
import { CycleUserKey } from './user-keys/cycle-user-key.js'
import { DeleteUserKey } from './user-keys/delete-user-key.js'
import { ShowUserKey } from './user-keys/show-user-key.js'
import { BootstrapAdmin } from './users/bootstrap-admin.js'
import { CreateUser } from './users/create-user.js'
import { DeleteOwnAccount } from './users/delete-own-account.js'
import { DeleteUser } from './users/delete-user.js'
import { GrantMembership } from './users/grant-membership.js'
import { ShowPrincipal } from './users/show-principal.js'
import { ReleaseSsoRule } from './sign-in-policy/release-sso-rule.js'
import { CreatePartnerConnection } from './partner-connections/create-partner-connection.js'
import { ListPartnerConnections } from './partner-connections/list-partner-connections.js'
import { DeletePartnerConnection } from './partner-connections/delete-partner-connection.js'
import { ShowPartnerTeam } from './partner-teams/show-partner-team.js'
import { FoundPartnerTeam } from './partner-teams/found-partner-team.js'
import { AskPartnerLink } from './partner-teams/ask-partner-link.js'
import { ListPartnerLinks } from './partner-links/list-partner-links.js'
import { ConfirmPartnerLink } from './partner-links/confirm-partner-link.js'
import { RefusePartnerLink } from './partner-links/refuse-partner-link.js'
import { ListSsoConnections } from './sso-connections/list-sso-connections.js'
import { ShowSsoConnection } from './sso-connections/show-sso-connection.js'
import { CreateSsoConnection } from './sso-connections/create-sso-connection.js'
import { ChangeSsoConnection } from './sso-connections/change-sso-connection.js'
import { DeleteSsoConnection } from './sso-connections/delete-sso-connection.js'
import { ListSsoDomains } from './sso-domains/list-sso-domains.js'
import { AddSsoDomain } from './sso-domains/add-sso-domain.js'
import { VerifySsoDomain } from './sso-domains/verify-sso-domain.js'
import { DeleteSsoDomain } from './sso-domains/delete-sso-domain.js'
import { BeginSignOn } from './sign-on/begin-sign-on.js'
import { BeginLink } from './sign-on/begin-link.js'
import { CompleteSignOn } from './sign-on/complete-sign-on.js'
import { ListSsoIdentities } from './sso-identities/list-sso-identities.js'
import { DeleteSsoIdentity } from './sso-identities/delete-sso-identity.js'

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
  AppendManagementDeed,
  AppendLocationDeed,
  RecordRefusals,
  ListAuditChains,
  VerifyAuditChain,
]
