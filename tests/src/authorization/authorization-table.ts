import type { ErrorCode } from '@bearing/contracts/errors'
import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'

/**
 * What every kind of principal may do in its own organization. `unknown`, `wrong` and `no-…` come from the handler: the caller has reached
 * it. `token` is an organization token for all projects, `bound` one of this project, `narrow` one that may only resolve locations.
 */
const MATRIX = `
route                       admin   member     manager  developer reader   token    bound    narrow   key
whoAmI                      ok      ok         ok       ok        ok       ok       ok       ok       ok
findSignOn                  no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
beginSignOn                 no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
completeSignOn              no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on
beginLink                   no-session no-session no-session no-session no-session users   users   users   users
listSsoIdentities           ok      ok      ok      ok      ok      users   users   users   users
deleteSsoIdentity           no-identity no-identity no-identity no-identity no-identity users   users   users   users
showPartnerTeam             no-team no-team no-team no-team no-team users   users   users   users
createPartnerOrganization   no-team no-team no-team no-team no-team users   users   users   users
requestPartnerLink          no-organization no-organization no-organization no-organization no-organization users users users users
reportLeak                  ok      ok         ok       ok        ok       ok       ok       ok       ok
showUserKey                 ok      ok         ok       ok        ok       users    users    users    users
cycleUserKey                ok      ok         ok       ok        ok       users    users    users    users
deleteUserKey               ok      ok         ok       ok        ok       users    users    users    users
changePassword              wrong   wrong      wrong    wrong     wrong    users    users    users    users
requestPasswordReset        ok      ok         ok       ok        ok       ok       ok       ok       ok
resetPassword               no-link no-link    no-link  no-link   no-link  no-link  no-link  no-link  no-link
showInvitation              no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation
acceptInvitation            no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation
deleteOwnAccount            ok      ok         ok       ok        ok       users    users    users    users
listSignInOptions           ok      ok         ok       ok        ok       ok       ok       ok       ok
startSession                refused refused refused refused refused refused refused refused refused
showSession                 no-session no-session no-session no-session no-session users users users users
confirmSession              no-session no-session no-session no-session no-session users users users users
signOut                     no-session no-session no-session no-session no-session users users users users
listSessions                ok      ok         ok       ok        ok       users    users    users    users
endSession                  no-session no-session no-session no-session no-session users users users users
endOtherSessions            ok      ok         ok       ok        ok       users    users    users    users
requestLogin                ok      ok         ok       ok        ok       ok       ok       ok       ok
exchangeLogin               no-code no-code    no-code  no-code   no-code  no-code  no-code  no-code  no-code
showLogin                   no-session no-session no-session no-session no-session users users users users
allowLogin                  no-session no-session no-session no-session no-session users users users users
denyLogin                   no-session no-session no-session no-session no-session users users users users
showTotp                    ok      ok         ok       ok        ok       users    users    users    users
enrollTotp                  wrong wrong wrong wrong wrong users users users users
confirmTotp                 no-factor no-factor no-factor no-factor no-factor users users users users
removeTotp                  no-factor no-factor no-factor no-factor no-factor users users users users
renewRecoveryCodes          no-factor no-factor no-factor no-factor no-factor users users users users
showSignInPolicy            ok      denied     denied   denied    denied   denied   denied   denied   denied
changeSignInPolicy          ok      denied     denied   denied    denied   denied   denied   denied   denied
listOrganizations           ok      ok         ok       ok        ok       ok       ok       denied   users
createOrganization          ok      ok         ok       ok        ok       users    users    users    users
deleteOrganization          ok      denied     denied   denied    denied   denied   denied   denied   denied
showOrganizationDeletion    no-deletion denied denied   denied    denied   denied   denied   denied   denied
restoreOrganization         no-deletion denied denied   denied    denied   denied   denied   denied   denied
eraseOrganization           no-deletion denied denied   denied    denied   denied   denied   denied   denied
listDeletedOrganizations    ok      ok         ok       ok        ok       users    users    denied   users
listDeletedProjects         ok      denied     denied   denied    denied   denied   denied   denied   denied
deleteProject               no-project denied  denied   denied    denied   denied   denied   denied   denied
showProjectDeletion         no-deletion denied denied   denied    denied   denied   denied   denied   denied
restoreProject              no-deletion denied denied   denied    denied   denied   denied   denied   denied
eraseProject                no-deletion denied denied   denied    denied   denied   denied   denied   denied
listOrganizationTokens      ok      denied     denied   denied    denied   denied   denied   denied   denied
createOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied
deleteOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied
rotateOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied
showOrganizationTokenPolicy ok      denied     denied   denied    denied   denied   denied   denied   denied
changeOrganizationTokenPolicy ok      denied     denied   denied    denied   denied   denied   denied   denied
listLegacyTokens            ok      denied     denied   denied    denied   denied   denied   denied   denied
importLegacyTokens          ok      denied     denied   denied    denied   denied   denied   denied   denied
deleteLegacyToken           ok      denied     denied   denied    denied   denied   denied   denied   denied
listSsoConnections          ok      denied  denied  denied  denied  denied  denied  denied  denied
createSsoConnection         no-provider denied  denied  denied  denied  denied  denied  denied  denied
showSsoConnection           no-connection denied  denied  denied  denied  denied  denied  denied  denied
changeSsoConnection         no-connection denied  denied  denied  denied  denied  denied  denied  denied
deleteSsoConnection         no-connection denied  denied  denied  denied  denied  denied  denied  denied
listSsoDomains              ok      denied  denied  denied  denied  denied  denied  denied  denied
addSsoDomain                ok      denied  denied  denied  denied  denied  denied  denied  denied
verifySsoDomain             no-domain denied  denied  denied  denied  denied  denied  denied  denied
deleteSsoDomain             no-domain denied  denied  denied  denied  denied  denied  denied  denied
listPartnerLinks            ok      denied  denied  denied  denied  denied  denied  denied  denied
confirmPartnerLink          no-request denied  denied  denied  denied  denied  denied  denied  denied
refusePartnerLink           no-request denied  denied  denied  denied  denied  denied  denied  denied
listMembers                 ok      ok         ok       ok        ok       denied   denied   denied   denied
setMemberRole               ok      denied     denied   denied    denied   denied   denied   denied   denied
removeMember                ok      denied     denied   denied    denied   denied   denied   denied   denied
listInvitations             ok      denied     denied   denied    denied   denied   denied   denied   denied
createInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied
revokeInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied
resendInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied
listAuditEntries            ok      denied     denied   denied    denied   denied   denied   denied   denied
exportAuditEntries          ok      denied     denied   denied    denied   denied   denied   denied   denied
showOrganization            ok      ok         ok       ok        ok       ok       ok       denied   denied
renameOrganization          ok      denied     denied   denied    denied   denied   denied   denied   denied
showOrganizationUsage       ok      denied     denied   denied    denied   denied   denied   denied   denied
listProjects                ok      ok         ok       ok        ok       ok       ok       denied   denied
createProject               ok      denied     denied   denied    denied   denied   denied   denied   denied
showProject                 ok      no-project ok       ok        ok       ok       ok       denied   denied
renameProject               ok      no-project ok       denied    denied   ok       ok       denied   denied
showProjectKey              ok      no-project ok       ok        ok       ok       ok       denied   denied
cycleProjectKey             ok      no-project ok       denied    denied   ok       ok       denied   denied
endKeyGraces                ok      no-project ok       denied    denied   ok       ok       denied   denied
showProjectSettings         ok      no-project ok       ok        ok       ok       ok       denied   denied
changeProjectSettings       ok      no-project ok       denied    denied   ok       ok       denied   denied
listProjectMembers          ok      no-project ok       ok        ok       ok       ok       denied   denied
setProjectMember            ok      no-project ok       denied    denied   ok       ok       denied   denied
removeProjectMember         ok      no-project ok       denied    denied   ok       ok       denied   denied
listDevices                 ok      no-project ok       ok        ok       ok       ok       denied   denied
registerDevice              ok      no-project ok       denied    denied   ok       ok       denied   denied
showDevice                  ok      no-project ok       ok        ok       ok       ok       denied   denied
deleteDevice                no-device no-project no-device denied denied   no-device no-device denied  denied
listChunks                  ok      no-project ok       ok        ok       ok       ok       denied   denied
readChunk                   no-chunk no-project no-chunk no-chunk denied   no-chunk no-chunk denied   denied
showDataPolicy              ok      no-project ok       ok        ok       ok       ok       denied   denied
changeDataPolicy            ok      no-project ok       denied    denied   ok       ok       denied   denied
changeDevice                ok      no-project ok       denied    denied   ok       ok       denied   denied
importDevices               ok      no-project ok       denied    denied   ok       ok       denied   denied
previewDeviceDeletion       ok      no-project ok       denied    denied   ok       ok       denied   denied
deleteDevices               changed no-project changed  denied    denied   changed  changed  denied   denied
showDeviceDeletion          no-deletion no-project no-deletion no-deletion no-deletion no-deletion no-deletion denied denied
stopDeviceDeletion          no-deletion no-project no-deletion denied denied no-deletion no-deletion denied denied
listAttributes              ok      no-project ok       ok        ok       ok       ok       denied   denied
declareAttribute            ok      no-project ok       denied    denied   ok       ok       denied   denied
deleteAttribute             no-attribute no-project no-attribute denied denied no-attribute no-attribute denied denied
setDeviceSampling           ok      no-project ok       denied    denied   ok       ok       denied   denied
readDeviceConfig            no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok
findLatestRelease           no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok
findLatestReleaseUrl        no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok
sendChunks                  no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok
prepareDeviceUpload         no-key no-key no-key no-key no-key no-key no-key no-key ok
commitDeviceCoredump        no-key no-key no-key no-key no-key no-key no-key no-key no-upload
commitDeviceElfCoredump     no-key no-key no-key no-key no-key no-key no-key no-key no-upload
commitDeviceBugreport       no-key no-key no-key no-key no-key no-key no-key no-key no-upload
commitDeviceMar             no-key no-key no-key no-key no-key no-key no-key no-key no-upload
commitDeviceRecording       no-key no-key no-key no-key no-key no-key no-key no-key no-upload
receiveUpload               no-address no-address no-address no-address no-address no-address no-address no-address no-address
prepareUpload               ok      no-project ok       ok        denied   ok       ok       denied   ok
commitCoredump              no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload
commitElfCoredump           no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload
commitBugreport             no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload
commitMar                   no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload
commitRecording             no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload
commitRecordingSingular     no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload
commitSymbols               no-upload no-project no-upload no-upload denied no-upload no-upload denied denied
findSymbols                 no-symbols no-project no-symbols no-symbols no-symbols no-symbols no-symbols denied denied
listFiles                   ok      no-project ok       ok        ok       ok       ok       denied   denied
showFile                    no-file no-project no-file  no-file   no-file  no-file  no-file  denied   denied
deleteFile                  no-file no-project no-file  denied    denied   no-file  no-file  denied   denied
downloadFile                no-file no-project no-file  no-file   denied   no-file  no-file  denied   denied
listCoredumps               ok      no-project ok       ok        ok       ok       ok       denied   denied
listWebhooks                ok      no-project ok       denied    denied   ok       ok       denied   denied
createWebhook               ok      no-project ok       denied    denied   ok       ok       denied   denied
showWebhook                 no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
changeWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
deleteWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
rotateWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
testWebhook                 no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
redeliverWebhook            no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
listWebhookDeliveries       no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied
resolveWifiLocation         unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied
submitObservations          ok      no-project ok       ok        denied   ok       ok       denied   denied
showLocationFallback        ok      ok         ok       ok        ok       denied   denied   denied   denied
setLocationFallback         ok      denied     denied   denied    denied   denied   denied   denied   denied
turnOffLocationFallback     ok      denied     denied   denied    denied   denied   denied   denied   denied
showPositionPolicy          ok      no-project ok       ok        ok       ok       ok       denied   denied
changePositionPolicy        ok      no-project ok       denied    denied   ok       ok       denied   denied
showDevicePosition          no-position no-project no-position no-position denied no-position no-position denied denied
findObservations            ok      no-project ok       ok        denied   ok       ok       denied   denied
exportObservations          ok      no-project ok       ok        denied   ok       ok       denied   denied
listDevicePositions         ok      no-project ok       ok        denied   ok       ok       denied   denied
deleteDevicePositions       ok      no-project ok       denied    denied   ok       ok       denied   denied
showLocationSettings        ok      ok         ok       ok        ok       denied   denied   denied   denied
changeLocationSettings      ok      denied     denied   denied    denied   denied   denied   denied   denied
resolveCellLocation         unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied
listLatestPositions         ok      no-project ok       ok        denied   ok       ok       denied   denied
resolveWifiBatch            ok      no-project ok       ok        denied   ok       ok       ok       denied
explainLocation             ok      no-project ok       ok        denied   ok       ok       ok       denied
resolveGroundFix            unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied
legacyWifiLocation          no-key no-key no-key no-key no-key no-key unknown no-key denied
legacyCellLocation          no-key no-key no-key no-key no-key no-key unknown no-key denied
legacyGroundFix             no-key no-key no-key no-key no-key no-key unknown no-key denied
showAccessPointStatistics   ok      ok         ok       ok        ok       ok       denied   denied   denied
exportAccessPoints          ok      denied     denied   denied    denied   ok       denied   denied   denied
showCoverage                ok      ok         ok       ok        ok       ok       denied   denied   denied
listAccessPoints            ok      denied     denied   denied    denied   ok       denied   denied   denied
forgetAccessPoint           ok      denied     denied   denied    denied   denied   denied   denied   denied
forgetArea                  ok      denied     denied   denied    denied   denied   denied   denied   denied
exportCells                 ok      denied     denied   denied    denied   ok       denied   denied   denied
forgetCell                  ok      denied     denied   denied    denied   denied   denied   denied   denied
beginImport                 ok      denied     denied   denied    denied   ok       denied   denied   denied
listImports                 ok      denied     denied   denied    denied   ok       denied   denied   denied
showImport                  ok      denied     denied   denied    denied   ok       denied   denied   denied
appendToImport              ok      denied     denied   denied    denied   ok       denied   denied   denied
commitImport                ok      denied     denied   denied    denied   ok       denied   denied   denied
`

/** Routes that are not in an audit log where they are `ok` here, though they are no GET: they change nothing, or nobody's. */
export const UNRECORDED: readonly RouteName[] = [
  // Nothing is there to be ended or changed, or the secret is nobody's.
  ...(['endOtherSessions', 'changeProjectSettings', 'endKeyGraces'] as const),
  ...(['deleteDevicePositions', 'reportLeak'] as const),
  // Only a question.
  'listSignInOptions',
  // The decision about it is.
  'requestLogin',
  // Known by the mail that follows.
  'requestPasswordReset',
  // Data, and questions.
  ...(['prepareUpload', 'sendChunks', 'readDeviceConfig', 'previewDeviceDeletion'] as const),
  'prepareDeviceUpload',
  ...(['submitObservations', 'findObservations', 'resolveWifiBatch', 'explainLocation'] as const),
  // The import is in it, when it is begun and when it is committed.
  'appendToImport',
]

/** What the words of the table stand for; `ok` is not among them. */
export const CODES: Readonly<Record<string, ErrorCode>> = {
  denied: 'permission_denied',
  users: 'user_required',
  'no-project': 'project_not_found',
  unknown: 'location_not_found',
  wrong: 'password_incorrect',
  'no-link': 'password_reset_not_found',
  'no-invitation': 'invitation_not_found',
  refused: 'credential_invalid',
  'no-session': 'session_not_found',
  'no-code': 'expired_token',
  'no-factor': 'second_factor_not_found',
  'no-password': 'password_incorrect',
  'no-provider': 'sso_provider_unusable',
  'no-connection': 'sso_connection_not_found',
  'no-sign-on': 'sso_failed',
  'no-domain': 'sso_domain_not_found',
  'no-identity': 'sso_identity_not_found',
  'no-team': 'partner_team_not_found',
  'no-request': 'partner_link_not_found',
  'no-organization': 'organization_not_found',
  'no-device': 'device_not_found',
  'no-attribute': 'attribute_not_found',
  changed: 'selection_changed',
  'no-chunk': 'chunk_not_found',
  'no-webhook': 'webhook_not_found',
  'no-key': 'project_key_required',
  'no-upload': 'upload_not_found',
  'no-address': 'upload_url_invalid',
  'no-symbols': 'symbols_not_found',
  'no-file': 'file_not_found',
  'no-position': 'position_not_found',
  'no-deletion': 'deletion_not_found',
}

/** Those that answer in the shape of others have a suite of their own. */
export const NAMES = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].dialect === 'bearing')
const lines = MATRIX.trim().split('\n')
const [[, ...PRINCIPALS] = [], ...rows] = lines.map((line) => line.trim().split(/\s+/))
export const EXPECTED = new Map(
  rows.map(([route = '', ...cells]) => [route, new Map(PRINCIPALS.map((by, i) => [by, cells[i]]))] as const),
)
export const CELLS = rows.flatMap(([route, ...cells]) =>
  cells.map((expected, i) => ({ route: route as RouteName, principal: PRINCIPALS[i] ?? '', expected })),
)
export const CLOSED = NAMES.filter((name) => needsClaims(ROUTES[name].operation.permission))
/** Answers callers who have no credential yet. */
export const OPEN = NAMES.filter((name) => !CLOSED.includes(name))
export const IN_PROJECTS = NAMES.filter((name) => /:project(?!_)/.test(ROUTES[name].path))
export const SCOPED = CELLS.filter(({ route }) => ROUTES[route].path.includes(':organization'))
