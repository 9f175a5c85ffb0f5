import { route, KIB } from './route.js'
import { reportLeak } from './identity/leak.js'
import { deleteLegacyToken, importLegacyTokens, listLegacyTokens } from './identity/legacy-token.js'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  showInvitation,
} from './identity/invitation.js'
import { exportAuditEntries, listAuditEntries } from './identity/audit-log.js'
import { listMembers, removeMember, setMemberRole } from './identity/member.js'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  listOrganizationTokens,
  rotateOrganizationToken,
} from './identity/organization-token.js'
import {
  changeOrganizationTokenPolicy,
  showOrganizationTokenPolicy,
} from './identity/organization-token-policy.js'
import { changePassword, requestPasswordReset, resetPassword } from './identity/password.js'
import { cycleProjectKey, showProjectKey } from './identity/project-key.js'
import { changeProjectSettings, showProjectSettings } from './identity/project-settings.js'
import {
  confirmTotp,
  enrollTotp,
  removeTotp,
  renewRecoveryCodes,
  showTotp,
} from './identity/second-factor.js'
import {
  endOtherSessions,
  endSession,
  listSessions,
  showSession,
  signOut,
  startSession,
} from './identity/session.js'
import {
  confirmPartnerLink,
  listPartnerLinks,
  refusePartnerLink,
  showPartnerTeam,
} from './identity/partner.js'
import { changeSignInPolicy, showSignInPolicy } from './identity/sign-in-policy.js'
import { listProjectMembers, removeProjectMember, setProjectMember } from './identity/project-member.js'
import {
  beginLink,
  beginSignOn,
  completeSignOn,
  deleteSsoIdentity,
  listSsoIdentities,
} from './identity/sign-on.js'
import {
  changeSsoConnection,
  createSsoConnection,
  deleteSsoConnection,
  listSsoConnections,
  showSsoConnection,
} from './identity/sso-connection.js'
import { addSsoDomain, deleteSsoDomain, listSsoDomains, verifySsoDomain } from './identity/sso-domain.js'
import { cycleUserKey, deleteUserKey, showUserKey } from './identity/user-key.js'
import { deleteOwnAccount, whoAmI } from './identity/user.js'
import { exportAccessPoints, showAccessPointStatistics } from './location/access-point.js'
import { forgetAccessPoint, forgetArea } from './location/forgetting.js'
import { appendToImport, beginImport, commitImport, showImport } from './location/access-point-import.js'
import { changeLocationSettings, showLocationSettings } from './location/location-settings.js'
import { MAX_SUBMISSION_BYTES, submitObservations } from './location/observation.js'
import { resolveCellLocation } from './location/cell.js'
import { geolocate } from './location/geolocate.js'
import { resolveGroundFix } from './location/ground-fix.js'
import { resolveWifiLocation } from './location/wifi.js'
import { listChunks, MAX_CHUNKS_BYTES, readChunk, sendChunks } from './management/chunk.js'
import { changeDataPolicy, showDataPolicy } from './management/data-policy.js'
import { deleteDevice, listDevices, registerDevice, showDevice } from './management/device.js'
import { createOrganization, listOrganizations } from './management/organization.js'
import { createPartnerOrganization, requestPartnerLink } from './management/partner.js'
import {
  downloadFile,
  findSymbols,
  listCoredumps,
  listFiles,
  showFile,
  type FileKind,
} from './management/file.js'
import { createProject, listProjects, showProject } from './management/project.js'
import { commitSymbols, commitUpload, prepareUpload, receiveUpload } from './management/upload.js'

export type { Method, Route } from './route.js'

const ORGANIZATION = '/api/v0/organizations/:organization'
const PROJECT = `${ORGANIZATION}/projects/:project`
const LOCATION = '/v1/organizations/:organization'
const DEVICE_UPLOAD = '/api/v0/upload'

/** Makes a file of one kind out of an upload: with a project key, or in a project. */
function commit(path: string, kind: FileKind) {
  const device = path.startsWith(DEVICE_UPLOAD)
  return route('POST', path, commitUpload, { status: device ? 202 : 201, device, fixed: { kind } })
}

/** The whole HTTP surface. Gateway, API reference, client and the authorization tests are derived from it. */
export const ROUTES = {
  whoAmI: route('GET', '/auth/me', whoAmI),
  deleteOwnAccount: route('POST', '/auth/me/delete', deleteOwnAccount),
  showUserKey: route('GET', '/auth/api_key', showUserKey),
  cycleUserKey: route('POST', '/auth/api_key', cycleUserKey, { status: 201 }),
  deleteUserKey: route('DELETE', '/auth/api_key', deleteUserKey),
  changePassword: route('POST', '/auth/password/change', changePassword),
  requestPasswordReset: route('POST', '/auth/password/reset-request', requestPasswordReset, { status: 202 }),
  resetPassword: route('POST', '/auth/password/reset', resetPassword),
  showInvitation: route('POST', '/auth/invitations/show', showInvitation),
  acceptInvitation: route('POST', '/auth/invitations/accept', acceptInvitation),
  startSession: route('POST', '/auth/session', startSession, { status: 201, byHand: true }),
  showSession: route('GET', '/auth/session', showSession, { byHand: true }),
  signOut: route('DELETE', '/auth/session', signOut, { byHand: true }),
  listSessions: route('GET', '/auth/sessions', listSessions, { envelope: 'none' }),
  endSession: route('DELETE', '/auth/sessions/:session_id', endSession),
  endOtherSessions: route('DELETE', '/auth/sessions', endOtherSessions),
  showTotp: route('GET', '/auth/totp', showTotp),
  enrollTotp: route('POST', '/auth/totp', enrollTotp, { status: 201 }),
  confirmTotp: route('POST', '/auth/totp/confirm', confirmTotp),
  removeTotp: route('POST', '/auth/totp/remove', removeTotp),
  renewRecoveryCodes: route('POST', '/auth/totp/recovery_codes', renewRecoveryCodes),
  findSignOn: route('GET', '/auth/sso', beginSignOn, { status: 302, byHand: true }),
  beginSignOn: route('GET', '/auth/sso/:connection_id/start', beginSignOn, { status: 302, byHand: true }),
  completeSignOn: route('GET', '/auth/sso/:connection_id/callback', completeSignOn, {
    status: 302,
    byHand: true,
  }),
  beginLink: route('POST', '/auth/sso/:connection_id/link', beginLink, { byHand: true }),
  showPartnerTeam: route('GET', '/auth/partner_team', showPartnerTeam),
  createPartnerOrganization: route('POST', '/auth/partner_team/create', createPartnerOrganization),
  requestPartnerLink: route('POST', '/auth/partner_team/link', requestPartnerLink),
  listSsoIdentities: route('GET', '/auth/sso/identities', listSsoIdentities, { envelope: 'none' }),
  deleteSsoIdentity: route('DELETE', '/auth/sso/identities/:sso_identity_id', deleteSsoIdentity),

  reportLeak: route('POST', '/leaks', reportLeak),

  listOrganizations: route('GET', '/api/v0/organizations', listOrganizations, { envelope: 'none' }),
  createOrganization: route('POST', '/api/v0/organizations', createOrganization, { status: 201 }),
  listOrganizationTokens: route('GET', `${ORGANIZATION}/auth_tokens`, listOrganizationTokens, {
    envelope: 'none',
  }),
  createOrganizationToken: route('POST', `${ORGANIZATION}/auth_tokens`, createOrganizationToken, {
    status: 201,
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
    { status: 201 },
  ),
  showOrganizationTokenPolicy: route('GET', `${ORGANIZATION}/auth_token_policy`, showOrganizationTokenPolicy),
  changeOrganizationTokenPolicy: route(
    'PUT',
    `${ORGANIZATION}/auth_token_policy`,
    changeOrganizationTokenPolicy,
  ),
  listLegacyTokens: route('GET', `${ORGANIZATION}/legacy_tokens`, listLegacyTokens, { envelope: 'none' }),
  importLegacyTokens: route('POST', `${ORGANIZATION}/legacy_tokens`, importLegacyTokens, {
    status: 201,
    bodyLimit: 512 * KIB,
  }),
  deleteLegacyToken: route('DELETE', `${ORGANIZATION}/legacy_tokens/:legacy_token_id`, deleteLegacyToken),
  showSignInPolicy: route('GET', `${ORGANIZATION}/sign_in_policy`, showSignInPolicy),
  changeSignInPolicy: route('PUT', `${ORGANIZATION}/sign_in_policy`, changeSignInPolicy),
  listSsoConnections: route('GET', `${ORGANIZATION}/sso_connections`, listSsoConnections, {
    envelope: 'none',
  }),
  createSsoConnection: route('POST', `${ORGANIZATION}/sso_connections`, createSsoConnection, { status: 201 }),
  showSsoConnection: route('GET', `${ORGANIZATION}/sso_connections/:connection_id`, showSsoConnection),
  changeSsoConnection: route('PUT', `${ORGANIZATION}/sso_connections/:connection_id`, changeSsoConnection),
  deleteSsoConnection: route('DELETE', `${ORGANIZATION}/sso_connections/:connection_id`, deleteSsoConnection),
  listSsoDomains: route('GET', `${ORGANIZATION}/sso_domains`, listSsoDomains, { envelope: 'none' }),
  addSsoDomain: route('PUT', `${ORGANIZATION}/sso_domains/:domain`, addSsoDomain),
  verifySsoDomain: route('POST', `${ORGANIZATION}/sso_domains/:domain/verify`, verifySsoDomain),
  deleteSsoDomain: route('DELETE', `${ORGANIZATION}/sso_domains/:domain`, deleteSsoDomain),
  listPartnerLinks: route('GET', `${ORGANIZATION}/partner_links`, listPartnerLinks, { envelope: 'none' }),
  confirmPartnerLink: route(
    'POST',
    `${ORGANIZATION}/partner_links/:partner_link_id/confirm`,
    confirmPartnerLink,
  ),
  refusePartnerLink: route('DELETE', `${ORGANIZATION}/partner_links/:partner_link_id`, refusePartnerLink),
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
  listProjects: route('GET', `${ORGANIZATION}/projects`, listProjects, { envelope: 'none' }),
  createProject: route('POST', `${ORGANIZATION}/projects`, createProject, { status: 201 }),
  showProject: route('GET', PROJECT, showProject),
  showProjectKey: route('GET', `${PROJECT}/api_key`, showProjectKey),
  cycleProjectKey: route('POST', `${PROJECT}/api_key`, cycleProjectKey),
  showProjectSettings: route('GET', `${PROJECT}/settings`, showProjectSettings),
  changeProjectSettings: route('PUT', `${PROJECT}/settings`, changeProjectSettings),
  listProjectMembers: route('GET', `${PROJECT}/members`, listProjectMembers, { envelope: 'none' }),
  setProjectMember: route('PUT', `${PROJECT}/members/:user_id`, setProjectMember),
  removeProjectMember: route('DELETE', `${PROJECT}/members/:user_id`, removeProjectMember),
  listDevices: route('GET', `${PROJECT}/devices`, listDevices, { envelope: 'none' }),
  registerDevice: route('POST', `${PROJECT}/devices`, registerDevice, { status: 201 }),
  showDevice: route('GET', `${PROJECT}/devices/:device_serial`, showDevice),
  deleteDevice: route('DELETE', `${PROJECT}/devices/:device_serial`, deleteDevice),
  listChunks: route('GET', `${PROJECT}/devices/:device_serial/chunks`, listChunks, { envelope: 'none' }),
  readChunk: route('GET', `${PROJECT}/devices/:device_serial/chunks/:chunk_id`, readChunk, {
    byHand: true,
    download: true,
  }),
  showDataPolicy: route('GET', `${PROJECT}/data_policy`, showDataPolicy),
  changeDataPolicy: route('PUT', `${PROJECT}/data_policy`, changeDataPolicy),
  sendChunks: route('POST', '/api/v0/chunks/:device_serial', sendChunks, {
    status: 202,
    device: true,
    byHand: true,
    bytes: true,
    bodyLimit: MAX_CHUNKS_BYTES,
  }),

  prepareDeviceUpload: route('POST', DEVICE_UPLOAD, prepareUpload, { device: true, byHand: true }),
  commitDeviceCoredump: route('POST', `${DEVICE_UPLOAD}/coredump`, commitUpload, {
    status: 202,
    device: true,
    byHand: true,
    fixed: { kind: 'coredump' },
  }),
  commitDeviceElfCoredump: commit(`${DEVICE_UPLOAD}/elf_coredump`, 'elf_coredump'),
  commitDeviceBugreport: commit(`${DEVICE_UPLOAD}/bugreport`, 'bugreport'),
  commitDeviceMar: commit(`${DEVICE_UPLOAD}/mar`, 'mar'),
  commitDeviceRecording: commit(`${DEVICE_UPLOAD}/custom-data-recording`, 'custom-data-recording'),
  receiveUpload: route('PUT', '/api/v0/uploads/:upload_token', receiveUpload, {
    byHand: true,
    bytes: true,
    signedAddress: true,
  }),
  prepareUpload: route('POST', `${PROJECT}/upload`, prepareUpload, { byHand: true }),
  commitCoredump: commit(`${PROJECT}/coredumps`, 'coredump'),
  commitElfCoredump: commit(`${PROJECT}/elf_coredumps`, 'elf_coredump'),
  commitBugreport: commit(`${PROJECT}/bugreports`, 'bugreport'),
  commitMar: commit(`${PROJECT}/mar`, 'mar'),
  commitRecording: commit(`${PROJECT}/custom-data-recordings`, 'custom-data-recording'),
  commitSymbols: route('POST', `${PROJECT}/symbols`, commitSymbols, { status: 201 }),
  findSymbols: route('GET', `${PROJECT}/symbols-by-gnu-build-id/:gnu_build_id`, findSymbols),
  listFiles: route('GET', `${PROJECT}/files`, listFiles, { envelope: 'none' }),
  showFile: route('GET', `${PROJECT}/files/:file_id`, showFile),
  downloadFile: route('GET', `${PROJECT}/files/:file_id/download`, downloadFile, {
    byHand: true,
    download: true,
  }),
  listCoredumps: route('GET', `${PROJECT}/coredumps`, listCoredumps, { envelope: 'none' }),

  resolveWifiLocation: route('POST', `${LOCATION}/projects/:project/location/wifi`, resolveWifiLocation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    mayBeEmpty: true,
  }),
  resolveCellLocation: route('POST', `${LOCATION}/projects/:project/location/cell`, resolveCellLocation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    mayBeEmpty: true,
  }),
  resolveGroundFix: route('POST', `${LOCATION}/projects/:project/location/ground-fix`, resolveGroundFix, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    mayBeEmpty: true,
  }),
  geolocate: route('POST', '/v1/geolocate', geolocate, {
    envelope: 'none',
    device: true,
    dialect: 'geolocation',
  }),
  submitObservations: route(
    'POST',
    `${LOCATION}/projects/:project/location/observations`,
    submitObservations,
    {
      status: 202,
      envelope: 'none',
      device: true,
      bodyLimit: MAX_SUBMISSION_BYTES,
      idempotencyKey: true,
    },
  ),
  showLocationSettings: route('GET', `${LOCATION}/location/settings`, showLocationSettings),
  changeLocationSettings: route('PUT', `${LOCATION}/location/settings`, changeLocationSettings),
  showAccessPointStatistics: route(
    'GET',
    `${LOCATION}/location/access_points/statistics`,
    showAccessPointStatistics,
  ),
  exportAccessPoints: route('GET', `${LOCATION}/location/access_points/export`, exportAccessPoints, {
    envelope: 'none',
    stream: true,
  }),
  forgetAccessPoint: route('POST', `${LOCATION}/location/access_points/forget`, forgetAccessPoint),
  forgetArea: route('POST', `${LOCATION}/location/areas/forget`, forgetArea),
  beginImport: route('POST', `${LOCATION}/location/access_points/imports`, beginImport, { status: 201 }),
  showImport: route('GET', `${LOCATION}/location/access_points/imports/:import_id`, showImport),
  appendToImport: route(
    'PUT',
    `${LOCATION}/location/access_points/imports/:import_id/batches/:batch`,
    appendToImport,
    { bodyLimit: 768 * KIB },
  ),
  commitImport: route('POST', `${LOCATION}/location/access_points/imports/:import_id/commit`, commitImport),
} as const

/** The name of a route. */
export type RouteName = keyof typeof ROUTES
