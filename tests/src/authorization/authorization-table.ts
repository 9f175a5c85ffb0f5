import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'

/**
 * What every kind of principal may do in its own organization. `unknown`, `wrong` and `no-…` come from the handler: the caller has reached
 * it. `token` is an organization token for all projects, `bound` one of this project, `narrow` one that may only resolve locations,
 * `administration` one of the preset with that name.
 */
const MATRIX = `
route                       admin   member     manager  developer reader   token    bound    narrow   key      administration
whoAmI                      ok      ok         ok       ok        ok       ok       ok       ok       ok ok
findSignOn                  no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
beginSignOn                 no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
completeSignOn              no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on
beginLink                   no-session no-session no-session no-session no-session users   users   users   users users
listSsoIdentities           ok      ok      ok      ok      ok      users   users   users   users users
deleteSsoIdentity           no-identity no-identity no-identity no-identity no-identity users   users   users   users users
showPartnerTeam             no-team no-team no-team no-team no-team users   users   users   users users
createPartnerOrganization   no-team no-team no-team no-team no-team users   users   users   users users
requestPartnerLink          no-organization no-organization no-organization no-organization no-organization users users users users users
reportLeak                  ok      ok         ok       ok        ok       ok       ok       ok       ok ok
showUserKey                 ok      ok         ok       ok        ok       users    users    users    users users
cycleUserKey                ok      ok         ok       ok        ok       users    users    users    users users
deleteUserKey               ok      ok         ok       ok        ok       users    users    users    users users
changePassword              wrong   wrong      wrong    wrong     wrong    users    users    users    users users
requestPasswordReset        ok      ok         ok       ok        ok       ok       ok       ok       ok ok
resetPassword               no-link no-link    no-link  no-link   no-link  no-link  no-link  no-link  no-link no-link
showInvitation              no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation
acceptInvitation            no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation
deleteOwnAccount            ok      ok         ok       ok        ok       users    users    users    users users
listSignInOptions           ok      ok         ok       ok        ok       ok       ok       ok       ok ok
startSession                refused refused refused refused refused refused refused refused refused refused
showSession                 no-session no-session no-session no-session no-session users users users users users
confirmSession              no-session no-session no-session no-session no-session users users users users users
signOut                     no-session no-session no-session no-session no-session users users users users users
listSessions                ok      ok         ok       ok        ok       users    users    users    users users
endSession                  no-session no-session no-session no-session no-session users users users users users
endOtherSessions            ok      ok         ok       ok        ok       users    users    users    users users
requestLogin                ok      ok         ok       ok        ok       ok       ok       ok       ok ok
exchangeLogin               no-code no-code    no-code  no-code   no-code  no-code  no-code  no-code  no-code no-code
showLogin                   no-session no-session no-session no-session no-session users users users users users
allowLogin                  no-session no-session no-session no-session no-session users users users users users
denyLogin                   no-session no-session no-session no-session no-session users users users users users
showTotp                    ok      ok         ok       ok        ok       users    users    users    users users
enrollTotp                  wrong wrong wrong wrong wrong users users users users users
confirmTotp                 no-factor no-factor no-factor no-factor no-factor users users users users users
removeTotp                  no-factor no-factor no-factor no-factor no-factor users users users users users
renewRecoveryCodes          no-factor no-factor no-factor no-factor no-factor users users users users users
showSignInPolicy            ok      denied     denied   denied    denied   denied   denied   denied   denied ok
changeSignInPolicy          ok      denied     denied   denied    denied   denied   denied   denied   denied denied
listOrganizations           ok      ok         ok       ok        ok       ok       ok       denied   users ok
createOrganization          ok      ok         ok       ok        ok       users    users    users    users users
deleteOrganization          ok      denied     denied   denied    denied   denied   denied   denied   denied denied
showOrganizationDeletion    no-deletion denied denied   denied    denied   denied   denied   denied   denied denied
restoreOrganization         no-deletion denied denied   denied    denied   denied   denied   denied   denied denied
eraseOrganization           no-deletion denied denied   denied    denied   denied   denied   denied   denied denied
listDeletedOrganizations    ok      ok         ok       ok        ok       users    users    denied   users users
listDeletedProjects         ok      denied     denied   denied    denied   denied   denied   denied   denied ok
deleteProject               no-project denied  denied   denied    denied   denied   denied   denied   denied no-project
showProjectDeletion         no-deletion denied denied   denied    denied   denied   denied   denied   denied no-deletion
restoreProject              no-deletion denied denied   denied    denied   denied   denied   denied   denied no-deletion
eraseProject                no-deletion denied denied   denied    denied   denied   denied   denied   denied no-deletion
listOrganizationTokens      ok      denied     denied   denied    denied   denied   denied   denied   denied ok
createOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied denied
deleteOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied denied
showOrganizationTokenUsage  ok      denied     denied   denied    denied   denied   denied   denied   denied ok
deriveOrganizationToken     denied  denied     denied   denied    denied   denied   denied   denied   denied ok
rotateOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied denied
showOrganizationTokenPolicy ok      denied     denied   denied    denied   denied   denied   denied   denied ok
changeOrganizationTokenPolicy ok      denied     denied   denied    denied   denied   denied   denied   denied denied
listWorkloadTrusts          ok      denied     denied   denied    denied   denied   denied   denied   denied denied
createWorkloadTrust         ok      denied     denied   denied    denied   denied   denied   denied   denied denied
changeWorkloadTrust         no-trust denied    denied   denied    denied   denied   denied   denied   denied denied
deleteWorkloadTrust         no-trust denied    denied   denied    denied   denied   denied   denied   denied denied
listLegacyTokens            ok      denied     denied   denied    denied   denied   denied   denied   denied denied
importLegacyTokens          ok      denied     denied   denied    denied   denied   denied   denied   denied denied
deleteLegacyToken           ok      denied     denied   denied    denied   denied   denied   denied   denied denied
listSsoConnections          ok      denied  denied  denied  denied  denied  denied  denied  denied ok
createSsoConnection         no-provider denied  denied  denied  denied  denied  denied  denied  denied denied
showSsoConnection           no-connection denied  denied  denied  denied  denied  denied  denied  denied no-connection
changeSsoConnection         no-connection denied  denied  denied  denied  denied  denied  denied  denied denied
deleteSsoConnection         no-connection denied  denied  denied  denied  denied  denied  denied  denied denied
listSsoDomains              ok      denied  denied  denied  denied  denied  denied  denied  denied ok
addSsoDomain                ok      denied  denied  denied  denied  denied  denied  denied  denied denied
verifySsoDomain             no-domain denied  denied  denied  denied  denied  denied  denied  denied denied
deleteSsoDomain             no-domain denied  denied  denied  denied  denied  denied  denied  denied denied
listPartnerLinks            ok      denied  denied  denied  denied  denied  denied  denied  denied denied
confirmPartnerLink          no-request denied  denied  denied  denied  denied  denied  denied  denied denied
refusePartnerLink           no-request denied  denied  denied  denied  denied  denied  denied  denied denied
listMembers                 ok      ok         ok       ok        ok       denied   denied   denied   denied ok
setMemberRole               ok      denied     denied   denied    denied   denied   denied   denied   denied denied
removeMember                ok      denied     denied   denied    denied   denied   denied   denied   denied ok
listInvitations             ok      denied     denied   denied    denied   denied   denied   denied   denied ok
createInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied ok
revokeInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied ok
resendInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied ok
listAuditEntries            ok      denied     denied   denied    denied   denied   denied   denied   denied ok
exportAuditEntries          ok      denied     denied   denied    denied   denied   denied   denied   denied ok
showOrganization            ok      ok         ok       ok        ok       ok       ok       denied   denied ok
renameOrganization          ok      denied     denied   denied    denied   denied   denied   denied   denied ok
showOverview                ok      ok         ok       ok        ok       ok       ok       denied   denied ok
showOrganizationUsage       ok      denied     denied   denied    denied   denied   denied   denied   denied ok
listProjects                ok      ok         ok       ok        ok       ok       ok       denied   denied ok
createProject               ok      denied     denied   denied    denied   denied   denied   denied   denied ok
showProject                 ok      no-project ok       ok        ok       ok       ok       denied   denied ok
showProjectOverview         ok      no-project ok       ok        ok       ok       ok       denied   denied ok
renameProject               ok      no-project ok       denied    denied   ok       ok       denied   denied ok
showProjectKey              ok      no-project ok       ok        ok       ok       ok       denied   denied ok
showProjectKeyUsage         ok      no-project ok       ok        ok       ok       ok       denied   denied ok
cycleProjectKey             ok      no-project ok       denied    denied   ok       ok       denied   denied ok
endKeyGraces                ok      no-project ok       denied    denied   ok       ok       denied   denied ok
showProjectSettings         ok      no-project ok       ok        ok       ok       ok       denied   denied ok
changeProjectSettings       ok      no-project ok       denied    denied   ok       ok       denied   denied ok
listProjectMembers          ok      no-project ok       ok        ok       ok       ok       denied   denied ok
setProjectMember            ok      no-project ok       denied    denied   ok       ok       denied   denied ok
removeProjectMember         ok      no-project ok       denied    denied   ok       ok       denied   denied ok
listDevices                 ok      no-project ok       ok        ok       ok       ok       denied   denied ok
registerDevice              ok      no-project ok       denied    denied   ok       ok       denied   denied ok
showDevice                  ok      no-project ok       ok        ok       ok       ok       denied   denied ok
showDeviceUsage             ok      no-project ok       ok        ok       ok       ok       denied   denied ok
listDeviceKeys              ok      no-project ok       ok        ok       ok       ok       denied   denied ok
createDeviceKey             ok      no-project ok       denied    denied   ok       ok       denied   denied ok
revokeDeviceKey             no-device-key no-project no-device-key denied denied no-device-key no-device-key denied denied no-device-key
deleteDevice                no-device no-project no-device denied denied   no-device no-device denied  denied no-device
listChunks                  ok      no-project ok       ok        ok       ok       ok       denied   denied ok
readChunk                   no-chunk no-project no-chunk no-chunk denied   no-chunk no-chunk denied   denied no-chunk
showDataPolicy              ok      no-project ok       ok        ok       ok       ok       denied   denied ok
changeDataPolicy            ok      no-project ok       denied    denied   ok       ok       denied   denied ok
changeDevice                ok      no-project ok       denied    denied   ok       ok       denied   denied ok
importDevices               ok      no-project ok       denied    denied   ok       ok       denied   denied ok
previewDeviceDeletion       ok      no-project ok       denied    denied   ok       ok       denied   denied ok
deleteDevices               changed no-project changed  denied    denied   changed  changed  denied   denied changed
showDeviceDeletion          no-deletion no-project no-deletion no-deletion no-deletion no-deletion no-deletion denied denied no-deletion
stopDeviceDeletion          no-deletion no-project no-deletion denied denied no-deletion no-deletion denied denied no-deletion
listAttributes              ok      no-project ok       ok        ok       ok       ok       denied   denied ok
declareAttribute            ok      no-project ok       denied    denied   ok       ok       denied   denied ok
deleteAttribute             no-attribute no-project no-attribute denied denied no-attribute no-attribute denied denied no-attribute
setDeviceSampling           ok      no-project ok       denied    denied   ok       ok       denied   denied ok
readDeviceConfig            no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key
findLatestRelease           no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key
findLatestReleaseUrl        no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key
sendChunks                  no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key
prepareDeviceUpload         no-key no-key no-key no-key no-key no-key no-key no-key ok no-key
commitDeviceCoredump        no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key
commitDeviceElfCoredump     no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key
commitDeviceBugreport       no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key
commitDeviceMar             no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key
commitDeviceRecording       no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key
receiveUpload               no-address no-address no-address no-address no-address no-address no-address no-address no-address no-address
prepareUpload               ok      no-project ok       ok        denied   ok       ok       denied   ok ok
commitCoredump              no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload
commitElfCoredump           no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload
commitBugreport             no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload
commitMar                   no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload
commitRecording             no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload
commitRecordingSingular     no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload
commitSymbols               no-upload no-project no-upload no-upload denied no-upload no-upload denied denied no-upload
findSymbols                 no-symbols no-project no-symbols no-symbols no-symbols no-symbols no-symbols denied denied no-symbols
listFiles                   ok      no-project ok       ok        ok       ok       ok       denied   denied ok
showFile                    no-file no-project no-file  no-file   no-file  no-file  no-file  denied   denied no-file
deleteFile                  no-file no-project no-file  denied    denied   no-file  no-file  denied   denied no-file
downloadFile                no-file no-project no-file  no-file   denied   no-file  no-file  denied   denied no-file
listCoredumps               ok      no-project ok       ok        ok       ok       ok       denied   denied ok
listWebhooks                ok      no-project ok       denied    denied   ok       ok       denied   denied ok
createWebhook               ok      no-project ok       denied    denied   ok       ok       denied   denied ok
showWebhook                 no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
showWebhookUsage            no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
changeWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
deleteWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
rotateWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
testWebhook                 no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
redeliverWebhook            no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
listWebhookDeliveries       no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook
resolveWifiLocation         unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied unknown
submitObservations          ok      no-project ok       ok        denied   ok       ok       denied   denied ok
showLocationFallback        ok      ok         ok       ok        ok       denied   denied   denied   denied ok
setLocationFallback         ok      denied     denied   denied    denied   denied   denied   denied   denied ok
turnOffLocationFallback     ok      denied     denied   denied    denied   denied   denied   denied   denied ok
showPositionPolicy          ok      no-project ok       ok        ok       ok       ok       denied   denied ok
changePositionPolicy        ok      no-project ok       denied    denied   ok       ok       denied   denied ok
showDevicePosition          no-position no-project no-position no-position denied no-position no-position denied denied no-position
findObservations            ok      no-project ok       ok        denied   ok       ok       denied   denied ok
exportObservations          ok      no-project ok       ok        denied   ok       ok       denied   denied ok
listDevicePositions         ok      no-project ok       ok        denied   ok       ok       denied   denied ok
deleteDevicePositions       ok      no-project ok       denied    denied   ok       ok       denied   denied ok
showLocationSettings        ok      ok         ok       ok        ok       denied   denied   denied   denied ok
changeLocationSettings      ok      denied     denied   denied    denied   denied   denied   denied   denied ok
resolveCellLocation         unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied unknown
listLatestPositions         ok      no-project ok       ok        denied   ok       ok       denied   denied ok
resolveWifiBatch            ok      no-project ok       ok        denied   ok       ok       ok       denied ok
explainLocation             ok      no-project ok       ok        denied   ok       ok       ok       denied ok
resolveGroundFix            unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied unknown
legacyWifiLocation          no-key no-key no-key no-key no-key no-key unknown no-key denied no-key
legacyCellLocation          no-key no-key no-key no-key no-key no-key unknown no-key denied no-key
legacyGroundFix             no-key no-key no-key no-key no-key no-key unknown no-key denied no-key
showAccessPointStatistics   ok      ok         ok       ok        ok       ok       denied   denied   denied ok
exportAccessPoints          ok      denied     denied   denied    denied   ok       denied   denied   denied ok
showCoverage                ok      ok         ok       ok        ok       ok       denied   denied   denied ok
listAccessPoints            ok      denied     denied   denied    denied   ok       denied   denied   denied ok
forgetAccessPoint           ok      denied     denied   denied    denied   denied   denied   denied   denied ok
forgetArea                  ok      denied     denied   denied    denied   denied   denied   denied   denied ok
exportCells                 ok      denied     denied   denied    denied   ok       denied   denied   denied ok
forgetCell                  ok      denied     denied   denied    denied   denied   denied   denied   denied ok
beginImport                 ok      denied     denied   denied    denied   ok       denied   denied   denied ok
listImports                 ok      denied     denied   denied    denied   ok       denied   denied   denied ok
showImport                  ok      denied     denied   denied    denied   ok       denied   denied   denied ok
appendToImport              ok      denied     denied   denied    denied   ok       denied   denied   denied ok
commitImport                ok      denied     denied   denied    denied   ok       denied   denied   denied ok
`

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
