import { SSO_ROUTES } from './sso/routes.js'
import { listAuditCheckpoints } from './audit/audit-checkpoint.js'
import { exportAuditEntries, listAuditEntries } from './audit/audit-log.js'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  showInvitation,
} from './members/invitation.js'
import { changeDeviceCa, createDeviceCa, deleteDeviceCa, listDeviceCas } from './devices/device-ca.js'
import { createDeviceKey, importDeviceKeys, listDeviceKeys, revokeDeviceKey } from './devices/device-key.js'
import {
  approveDeviceClaim,
  claimDevice,
  listDeviceClaims,
  rejectDeviceClaim,
} from './devices/device-claim.js'
import {
  createOnboardingToken,
  deleteOnboardingToken,
  listOnboardingTokens,
} from './devices/onboarding-token.js'
import { deriveOrganizationToken } from './tokens/derived-token.js'
import { reportLeak } from './credentials/leak.js'
import { allowLogin, denyLogin, exchangeLogin, requestLogin, showLogin } from './people/login.js'
import { deleteLegacyToken, importLegacyTokens, listLegacyTokens } from './tokens/legacy-token.js'
import { listMembers, removeMember, setMemberRole } from './members/member.js'
import {
  changeOrganizationTokenPolicy,
  showOrganizationTokenPolicy,
} from './tokens/organization-token-policy.js'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  listOrganizationTokens,
  rotateOrganizationToken,
  showOrganizationTokenUsage,
} from './tokens/organization-token.js'
import { confirmEmailChange, requestEmailChange } from './people/email-change.js'
import { changePassword, requestPasswordReset, resetPassword } from './people/password.js'
import {
  cancelKeyImport,
  cycleProjectKey,
  endKeyGraces,
  requestKeyImport,
  showProjectKey,
  showProjectKeyUsage,
} from './credentials/project-key.js'
import { listProjectMembers, removeProjectMember, setProjectMember } from './members/project-member.js'
import { changeProjectSettings, showProjectSettings } from './credentials/project-settings.js'
import { confirmTotp, enrollTotp, removeTotp, renewRecoveryCodes, showTotp } from './people/second-factor.js'
import { addPasskey, challengePasskey, listPasskeys, removePasskey, renamePasskey } from './people/passkey.js'
import {
  confirmSession,
  endOtherSessions,
  endSession,
  listSessions,
  showSession,
  signOut,
  startSession,
} from './people/session.js'
import { listSignInOptions } from './people/sign-in-options.js'
import { changeSignInPolicy, showSignInPolicy } from './sso/sign-in-policy.js'
import { cycleUserKey, deleteUserKey, showUserKey } from './people/user-key.js'
import { CALLER_SUMMARY, deleteOwnAccount, whoAmI } from './people/user.js'
import { exchangeToken, MAX_SUBJECT_TOKEN } from './workloads/token-exchange.js'
import {
  changeWorkloadTrust,
  createWorkloadTrust,
  deleteWorkloadTrust,
  listWorkloadTrusts,
} from './workloads/workload-trust.js'
import { ORGANIZATION, PROJECT, KIB, route } from '../route.js'

const CLAIM = `${PROJECT}/device-claims/:device_claim_id`
const ONBOARDING_TOKENS = `${PROJECT}/onboarding-tokens`
const DEVICE_KEYS = `${PROJECT}/devices/:device_serial/keys`

/** The caller, their permissions, and identity's other operations. */
export const IDENTITY_ROUTES = {
  whoAmI: route('GET', '/auth/me', whoAmI, { beside: CALLER_SUMMARY }),
  deleteOwnAccount: route('POST', '/auth/me/delete', deleteOwnAccount),
  showUserKey: route('GET', '/auth/api_key', showUserKey),
  cycleUserKey: route('POST', '/auth/api_key', cycleUserKey, { status: 201, idempotencyKey: true }),
  deleteUserKey: route('DELETE', '/auth/api_key', deleteUserKey),
  changePassword: route('POST', '/auth/password/change', changePassword),
  requestPasswordReset: route('POST', '/auth/password/reset-request', requestPasswordReset, { status: 202 }),
  resetPassword: route('POST', '/auth/password/reset', resetPassword),
  requestEmailChange: route('POST', '/auth/email/change', requestEmailChange, { status: 202 }),
  confirmEmailChange: route('POST', '/auth/email/confirm', confirmEmailChange),
  showInvitation: route('POST', '/auth/invitations/show', showInvitation),
  acceptInvitation: route('POST', '/auth/invitations/accept', acceptInvitation),
  listSignInOptions: route('POST', '/auth/sign_in_options', listSignInOptions),
  startSession: route('POST', '/auth/session', startSession, { status: 201, hasController: true }),
  showSession: route('GET', '/auth/session', showSession, { hasController: true }),
  signOut: route('DELETE', '/auth/session', signOut, { hasController: true }),
  confirmSession: route('POST', '/auth/session/confirm', confirmSession),
  listSessions: route('GET', '/auth/sessions', listSessions, { envelope: 'none' }),
  endSession: route('DELETE', '/auth/sessions/:session_id', endSession),
  endOtherSessions: route('DELETE', '/auth/sessions', endOtherSessions),
  requestLogin: route('POST', '/auth/login', requestLogin, { status: 201, hasController: true }),
  exchangeLogin: route('POST', '/auth/login/token', exchangeLogin, { hasController: true }),
  showLogin: route('POST', '/auth/login/show', showLogin),
  allowLogin: route('POST', '/auth/login/allow', allowLogin),
  denyLogin: route('POST', '/auth/login/deny', denyLogin),
  showTotp: route('GET', '/auth/totp', showTotp),
  enrollTotp: route('POST', '/auth/totp', enrollTotp, { status: 201, idempotencyKey: true }),
  confirmTotp: route('POST', '/auth/totp/confirm', confirmTotp, { idempotencyKey: true }),
  removeTotp: route('POST', '/auth/totp/remove', removeTotp),
  renewRecoveryCodes: route('POST', '/auth/totp/recovery_codes', renewRecoveryCodes, {
    idempotencyKey: true,
  }),
  challengePasskey: route('POST', '/auth/passkeys/challenge', challengePasskey),
  listPasskeys: route('GET', '/auth/passkeys', listPasskeys, { envelope: 'none' }),
  addPasskey: route('POST', '/auth/passkeys', addPasskey, { status: 201, idempotencyKey: true }),
  renamePasskey: route('PATCH', '/auth/passkeys/:passkey_id', renamePasskey),
  removePasskey: route('DELETE', '/auth/passkeys/:passkey_id', removePasskey),
  ...SSO_ROUTES,
  reportLeak: route('POST', '/leaks', reportLeak),
  listOrganizationTokens: route('GET', `${ORGANIZATION}/auth_tokens`, listOrganizationTokens, {
    envelope: 'none',
  }),
  createOrganizationToken: route('POST', `${ORGANIZATION}/auth_tokens`, createOrganizationToken, {
    status: 201,
    idempotencyKey: true,
  }),
  deriveOrganizationToken: route('POST', `${ORGANIZATION}/auth_tokens/derive`, deriveOrganizationToken, {
    status: 201,
    idempotencyKey: true,
  }),
  deleteOrganizationToken: route(
    'DELETE',
    `${ORGANIZATION}/auth_tokens/:organization_token_id`,
    deleteOrganizationToken,
  ),
  rotateOrganizationToken: route(
    'POST',
    `${ORGANIZATION}/auth_tokens/:organization_token_id/rotate`,
    rotateOrganizationToken,
    { status: 201, idempotencyKey: true },
  ),
  showOrganizationTokenUsage: route(
    'GET',
    `${ORGANIZATION}/auth_tokens/:organization_token_id/usage`,
    showOrganizationTokenUsage,
  ),
  showOrganizationTokenPolicy: route('GET', `${ORGANIZATION}/auth_token_policy`, showOrganizationTokenPolicy),
  changeOrganizationTokenPolicy: route(
    'PUT',
    `${ORGANIZATION}/auth_token_policy`,
    changeOrganizationTokenPolicy,
  ),
  exchangeToken: route('POST', '/oauth/token', exchangeToken, {
    envelope: 'none',
    hasController: true,
    dialect: 'oauth',
    bodyLimit: 4 * MAX_SUBJECT_TOKEN,
  }),
  listWorkloadTrusts: route('GET', `${ORGANIZATION}/workload_trusts`, listWorkloadTrusts, {
    envelope: 'none',
  }),
  createWorkloadTrust: route('POST', `${ORGANIZATION}/workload_trusts`, createWorkloadTrust, { status: 201 }),
  changeWorkloadTrust: route('PUT', `${ORGANIZATION}/workload_trusts/:trust_id`, changeWorkloadTrust),
  deleteWorkloadTrust: route('DELETE', `${ORGANIZATION}/workload_trusts/:trust_id`, deleteWorkloadTrust),
  listLegacyTokens: route('GET', `${ORGANIZATION}/legacy_tokens`, listLegacyTokens, { envelope: 'none' }),
  importLegacyTokens: route('POST', `${ORGANIZATION}/legacy_tokens`, importLegacyTokens, {
    status: 201,
    bodyLimit: 512 * KIB,
  }),
  deleteLegacyToken: route('DELETE', `${ORGANIZATION}/legacy_tokens/:legacy_token_id`, deleteLegacyToken),
  showSignInPolicy: route('GET', `${ORGANIZATION}/sign_in_policy`, showSignInPolicy),
  changeSignInPolicy: route('PUT', `${ORGANIZATION}/sign_in_policy`, changeSignInPolicy),
  listMembers: route('GET', `${ORGANIZATION}/members`, listMembers, { envelope: 'none' }),
  setMemberRole: route('PUT', `${ORGANIZATION}/members/:user_id`, setMemberRole),
  removeMember: route('DELETE', `${ORGANIZATION}/members/:user_id`, removeMember),
  listInvitations: route('GET', `${ORGANIZATION}/invitations`, listInvitations, { envelope: 'none' }),
  createInvitation: route('POST', `${ORGANIZATION}/invitations`, createInvitation, { status: 201 }),
  revokeInvitation: route('DELETE', `${ORGANIZATION}/invitations/:invitation_id`, revokeInvitation),
  resendInvitation: route('POST', `${ORGANIZATION}/invitations/:invitation_id/resend`, resendInvitation),
  listAuditEntries: route('GET', `${ORGANIZATION}/audit_log`, listAuditEntries, { envelope: 'none' }),
  exportAuditEntries: route('GET', `${ORGANIZATION}/audit_log/export`, exportAuditEntries, {
    envelope: 'none',
    stream: true,
  }),
  listAuditCheckpoints: route('GET', `${ORGANIZATION}/audit_log/checkpoints`, listAuditCheckpoints, {
    envelope: 'none',
  }),
  showProjectKey: route('GET', `${PROJECT}/api_key`, showProjectKey),
  showProjectKeyUsage: route('GET', `${PROJECT}/api_key/usage`, showProjectKeyUsage),
  cycleProjectKey: route('POST', `${PROJECT}/api_key`, cycleProjectKey),
  requestKeyImport: route('PUT', `${PROJECT}/api_key/requested`, requestKeyImport),
  cancelKeyImport: route('DELETE', `${PROJECT}/api_key/requested`, cancelKeyImport),
  endKeyGraces: route('DELETE', `${PROJECT}/api_key/in_grace`, endKeyGraces),
  listDeviceKeys: route('GET', DEVICE_KEYS, listDeviceKeys, { envelope: 'none' }),
  createDeviceKey: route('POST', DEVICE_KEYS, createDeviceKey, { status: 201 }),
  revokeDeviceKey: route('DELETE', `${DEVICE_KEYS}/:device_key_id`, revokeDeviceKey),
  importDeviceKeys: route('POST', `${PROJECT}/device-keys/import`, importDeviceKeys, {
    bodyLimit: 2_560 * KIB,
  }),
  claimDevice: route('POST', '/api/v0/device-claims', claimDevice, { device: true }),
  listDeviceClaims: route('GET', `${PROJECT}/device-claims`, listDeviceClaims, { envelope: 'none' }),
  approveDeviceClaim: route('POST', `${CLAIM}/approve`, approveDeviceClaim),
  rejectDeviceClaim: route('POST', `${CLAIM}/reject`, rejectDeviceClaim),
  listDeviceCas: route('GET', `${PROJECT}/device-cas`, listDeviceCas, { envelope: 'none' }),
  createDeviceCa: route('POST', `${PROJECT}/device-cas`, createDeviceCa, { status: 201 }),
  changeDeviceCa: route('PATCH', `${PROJECT}/device-cas/:device_ca_id`, changeDeviceCa),
  deleteDeviceCa: route('DELETE', `${PROJECT}/device-cas/:device_ca_id`, deleteDeviceCa),
  listOnboardingTokens: route('GET', ONBOARDING_TOKENS, listOnboardingTokens, { envelope: 'none' }),
  createOnboardingToken: route('POST', ONBOARDING_TOKENS, createOnboardingToken, {
    status: 201,
    idempotencyKey: true,
  }),
  deleteOnboardingToken: route('DELETE', `${ONBOARDING_TOKENS}/:onboarding_token_id`, deleteOnboardingToken),
  showProjectSettings: route('GET', `${PROJECT}/settings`, showProjectSettings),
  changeProjectSettings: route('PUT', `${PROJECT}/settings`, changeProjectSettings),
  listProjectMembers: route('GET', `${PROJECT}/members`, listProjectMembers, { envelope: 'none' }),
  setProjectMember: route('PUT', `${PROJECT}/members/:user_id`, setProjectMember),
  removeProjectMember: route('DELETE', `${PROJECT}/members/:user_id`, removeProjectMember),
} as const
