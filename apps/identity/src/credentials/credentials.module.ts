import { Module } from '@nestjs/common'
import { OrganizationsModule } from '../organizations/organizations.module.js'
import { PeopleModule } from '../people/people.module.js'
import { ChangeDeviceCa } from './device-cas/change-device-ca.js'
import { CreateDeviceCa } from './device-cas/create-device-ca.js'
import { DeleteDeviceCa } from './device-cas/delete-device-ca.js'
import { ListDeviceCas } from './device-cas/list-device-cas.js'
import { ApproveDeviceClaim } from './device-claims/approve-device-claim.js'
import { ClaimDevice } from './device-claims/claim-device.js'
import { ListDeviceClaims } from './device-claims/list-device-claims.js'
import { RejectDeviceClaim } from './device-claims/reject-device-claim.js'
import { VerifyClaim } from './device-claims/verify-claim.js'
import { CountProvenDevices } from './device-keys/count-proven-devices.js'
import { CreateDeviceKey } from './device-keys/create-device-key.js'
import { EraseDeviceKeys } from './device-keys/erase-device-keys.js'
import { ImportDeviceKeys } from './device-keys/import-device-keys.js'
import { ListDeviceKeys } from './device-keys/list-device-keys.js'
import { RecordDeviceKeyUses } from './device-keys/record-device-key-uses.js'
import { RevokeDeviceKey } from './device-keys/revoke-device-key.js'
import { ReportLeak } from './leaks/report-leak.js'
import { RevokeLeakedOnboardingToken } from './leaks/revoke-leaked-onboarding-token.js'
import { RevokeLeakedSession } from './leaks/revoke-leaked-session.js'
import { RevokeLeakedToken } from './leaks/revoke-leaked-token.js'
import { RevokeLeakedUserKey } from './leaks/revoke-leaked-user-key.js'
import { DeleteLegacyToken } from './legacy-tokens/delete-legacy-token.js'
import { ImportLegacyTokens } from './legacy-tokens/import-legacy-tokens.js'
import { ListLegacyTokens } from './legacy-tokens/list-legacy-tokens.js'
import { CreateOnboardingToken } from './onboarding-tokens/create-onboarding-token.js'
import { DeleteOnboardingToken } from './onboarding-tokens/delete-onboarding-token.js'
import { ListOnboardingTokens } from './onboarding-tokens/list-onboarding-tokens.js'
import { UseOnboardingToken } from './onboarding-tokens/use-onboarding-token.js'
import { ChangeOrganizationTokenPolicy } from './organization-token-policy/change-organization-token-policy.js'
import { ShowOrganizationTokenPolicy } from './organization-token-policy/show-organization-token-policy.js'
import { AdministrationMails } from './organization-tokens/administration-mails.js'
import { CreateOrganizationToken } from './organization-tokens/create-organization-token.js'
import { DeleteOrganizationToken } from './organization-tokens/delete-organization-token.js'
import { DeriveOrganizationToken } from './organization-tokens/derive-organization-token.js'
import { ExpiryMails } from './organization-tokens/expiry-mails.js'
import { ExpiryNotices } from './organization-tokens/expiry-notices.js'
import { ListOrganizationTokens } from './organization-tokens/list-organization-tokens.js'
import { RecordTokenUses } from './organization-tokens/record-token-uses.js'
import { RotateOrganizationToken } from './organization-tokens/rotate-organization-token.js'
import { TokenQuota } from './organization-tokens/token-quota.js'
import { ReportPeppers } from './peppers/report-peppers.js'
import { CreateProjectKey } from './project-keys/create-project-key.js'
import { CycleProjectKey } from './project-keys/cycle-project-key.js'
import { ImportProjectKey } from './project-keys/import-project-key.js'
import { CancelKeyImport } from './project-keys/cancel-key-import.js'
import { ListKeyImports } from './project-keys/list-key-imports.js'
import { RequestKeyImport } from './project-keys/request-key-import.js'
import { EndKeyGraces } from './project-keys/end-key-graces.js'
import { RecordKeyUses } from './project-keys/record-key-uses.js'
import { ShowProjectKey } from './project-keys/show-project-key.js'
import { ChangeProjectSettings } from './project-settings/change-project-settings.js'
import { ShowProjectSettings } from './project-settings/show-project-settings.js'
import { ListRequestUsage } from './request-usage/list-request-usage.js'
import { RecordRequestUsage } from './request-usage/record-request-usage.js'
import { ShowOrganizationTokenUsage } from './request-usage/show-organization-token-usage.js'
import { ShowProjectKeyUsage } from './request-usage/show-project-key-usage.js'
import { SweepRequestUsage } from './request-usage/sweep-request-usage.js'
import { CycleUserKey } from './user-keys/cycle-user-key.js'
import { DeleteUserKey } from './user-keys/delete-user-key.js'
import { ProveBeforeCycling } from './user-keys/prove-before-cycling.js'
import { ShowUserKey } from './user-keys/show-user-key.js'

/**
 * The life of credentials without a password: organization auth tokens and their policy, user API keys, project keys and
 * what they allow, public keys of devices and claims to them, CAs of devices, onboarding tokens, legacy location tokens, reported leaks, and the report of peppers. Authenticating them is the task of
 * introspection. It may import organizations, people and ground.
 */
@Module({
  imports: [OrganizationsModule, PeopleModule],
  controllers: [
    ...[ListOrganizationTokens, CreateOrganizationToken, DeleteOrganizationToken, RotateOrganizationToken],
    ...[RecordRequestUsage, ListRequestUsage, ShowOrganizationTokenUsage, ShowProjectKeyUsage],
    DeriveOrganizationToken,
    ...[RecordTokenUses, ShowOrganizationTokenPolicy, ChangeOrganizationTokenPolicy],
    ...[ShowUserKey, CycleUserKey, DeleteUserKey],
    ...[ShowProjectKey, CreateProjectKey, CycleProjectKey, ImportProjectKey, EndKeyGraces, RecordKeyUses],
    ...[RequestKeyImport, CancelKeyImport, ListKeyImports],
    ...[ListDeviceKeys, CreateDeviceKey, RevokeDeviceKey, EraseDeviceKeys, RecordDeviceKeyUses],
    ...[CountProvenDevices, ImportDeviceKeys, ClaimDevice, ListDeviceClaims],
    ...[ApproveDeviceClaim, RejectDeviceClaim],
    ...[ListDeviceCas, CreateDeviceCa, ChangeDeviceCa, DeleteDeviceCa],
    ...[ListOnboardingTokens, CreateOnboardingToken, DeleteOnboardingToken],
    ...[ShowProjectSettings, ChangeProjectSettings],
    ...[ImportLegacyTokens, ListLegacyTokens, DeleteLegacyToken, ReportLeak, ReportPeppers],
  ],
  providers: [
    ...[VerifyClaim, UseOnboardingToken],
    TokenQuota,
    SweepRequestUsage,
    ...[
      ExpiryNotices,
      ExpiryMails,
      AdministrationMails,
      RevokeLeakedToken,
      RevokeLeakedOnboardingToken,
      RevokeLeakedSession,
      RevokeLeakedUserKey,
      ProveBeforeCycling,
    ],
  ],
  exports: [AdministrationMails],
})
export class CredentialsModule {}
