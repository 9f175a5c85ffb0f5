import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'

/**
 * Results for every kind of principal in its own organization. `unknown`, `wrong` and `no-…` come from the handler: the caller has reached
 * it. `token` is an organization token for all projects, `bound` one of this project, `narrow` one that may only resolve locations,
 * `administration` one of the preset with that name. `device` is a device with a key of its own.
 */
const MATRIX = `
route                       admin   member     manager  developer reader   token    bound    narrow   key      administration device
whoAmI                      ok      ok         ok       ok        ok       ok       ok       ok       ok ok ok
findSignOn                  no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
beginSignOn                 no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
completeSignOn              no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on no-sign-on
showClientKeys              no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection no-connection
beginLink                   no-session no-session no-session no-session no-session users   users   users   users users users
listSsoIdentities           ok      ok      ok      ok      ok      users   users   users   users users users
deleteSsoIdentity           no-identity no-identity no-identity no-identity no-identity users   users   users   users users users
showPartnerTeam             no-team no-team no-team no-team no-team users   users   users   users users users
createPartnerOrganization   no-team no-team no-team no-team no-team users   users   users   users users users
requestPartnerLink          no-organization no-organization no-organization no-organization no-organization users users users users users users
reportLeak                  ok      ok         ok       ok        ok       ok       ok       ok       ok ok ok
showUserKey                 ok      ok         ok       ok        ok       users    users    users    users users users
cycleUserKey                ok      ok         ok       ok        ok       users    users    users    users users users
deleteUserKey               ok      ok         ok       ok        ok       users    users    users    users users users
changePassword              wrong   wrong      wrong    wrong     wrong    users    users    users    users users users
requestPasswordReset        ok      ok         ok       ok        ok       ok       ok       ok       ok ok ok
resetPassword               no-link no-link    no-link  no-link   no-link  no-link  no-link  no-link  no-link no-link no-link
requestEmailChange          ok ok ok ok ok users users users users users users
confirmEmailChange          no-change no-change no-change no-change no-change no-change no-change no-change no-change no-change no-change
showInvitation              no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation
acceptInvitation            no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation no-invitation
deleteOwnAccount            ok      ok         ok       ok        ok       users    users    users    users users users
listSignInOptions           ok      ok         ok       ok        ok       ok       ok       ok       ok ok ok
startSession                refused refused refused refused refused refused refused refused refused refused refused
showSession                 no-session no-session no-session no-session no-session users users users users users users
confirmSession              no-session no-session no-session no-session no-session users users users users users users
signOut                     no-session no-session no-session no-session no-session users users users users users users
listSessions                ok      ok         ok       ok        ok       users    users    users    users users users
endSession                  no-session no-session no-session no-session no-session users users users users users users
endOtherSessions            ok      ok         ok       ok        ok       users    users    users    users users users
requestLogin                ok      ok         ok       ok        ok       ok       ok       ok       ok ok ok
exchangeLogin               no-code no-code    no-code  no-code   no-code  no-code  no-code  no-code  no-code no-code no-code
showLogin                   no-session no-session no-session no-session no-session users users users users users users
allowLogin                  no-session no-session no-session no-session no-session users users users users users users
denyLogin                   no-session no-session no-session no-session no-session users users users users users users
showTotp                    ok      ok         ok       ok        ok       users    users    users    users users users
enrollTotp                  wrong wrong wrong wrong wrong users users users users users users
confirmTotp                 no-factor no-factor no-factor no-factor no-factor users users users users users users
removeTotp                  no-factor no-factor no-factor no-factor no-factor users users users users users users
challengePasskey            ok      ok         ok       ok        ok       ok       ok       ok       ok ok ok
listPasskeys                ok      ok         ok       ok        ok       users    users    users    users users users
addPasskey                  wrong-factor wrong-factor wrong-factor wrong-factor wrong-factor users users users users users users
renamePasskey               no-factor no-factor no-factor no-factor no-factor users users users users users users
removePasskey               no-factor no-factor no-factor no-factor no-factor users users users users users users
renewRecoveryCodes          no-factor no-factor no-factor no-factor no-factor users users users users users users
showSignInPolicy            ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
changeSignInPolicy          ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
listOrganizations           ok      ok         ok       ok        ok       ok       ok       denied   users ok users
createOrganization          ok      ok         ok       ok        ok       users    users    users    users users users
deleteOrganization          ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
showOrganizationDeletion    no-deletion denied denied   denied    denied   denied   denied   denied   denied denied denied
restoreOrganization         no-deletion denied denied   denied    denied   denied   denied   denied   denied denied denied
eraseOrganization           no-deletion denied denied   denied    denied   denied   denied   denied   denied denied denied
listDeletedOrganizations    ok      ok         ok       ok        ok       users    users    denied   users users users
listDeletedProjects         ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
deleteProject               no-project denied  denied   denied    denied   denied   denied   denied   denied no-project denied
showProjectDeletion         no-deletion denied denied   denied    denied   denied   denied   denied   denied no-deletion denied
restoreProject              no-deletion denied denied   denied    denied   denied   denied   denied   denied no-deletion denied
eraseProject                no-deletion denied denied   denied    denied   denied   denied   denied   denied no-deletion denied
listOrganizationTokens      ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
createOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
deleteOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
showOrganizationTokenUsage  ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
deriveOrganizationToken     denied  denied     denied   denied    denied   denied   denied   denied   denied ok denied
rotateOrganizationToken     ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
showOrganizationTokenPolicy ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
changeOrganizationTokenPolicy ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
listWorkloadTrusts          ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
createWorkloadTrust         ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
changeWorkloadTrust         no-trust denied    denied   denied    denied   denied   denied   denied   denied denied denied
deleteWorkloadTrust         no-trust denied    denied   denied    denied   denied   denied   denied   denied denied denied
listLegacyTokens            ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
importLegacyTokens          ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
deleteLegacyToken           ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
listSsoConnections          ok      denied  denied  denied  denied  denied  denied  denied  denied ok denied
createSsoConnection         no-provider denied  denied  denied  denied  denied  denied  denied  denied denied denied
showSsoConnection           no-connection denied  denied  denied  denied  denied  denied  denied  denied no-connection denied
changeSsoConnection         no-connection denied  denied  denied  denied  denied  denied  denied  denied denied denied
deleteSsoConnection         no-connection denied  denied  denied  denied  denied  denied  denied  denied denied denied
listSsoDomains              ok      denied  denied  denied  denied  denied  denied  denied  denied ok denied
addSsoDomain                ok      denied  denied  denied  denied  denied  denied  denied  denied denied denied
verifySsoDomain             no-domain denied  denied  denied  denied  denied  denied  denied  denied denied denied
deleteSsoDomain             no-domain denied  denied  denied  denied  denied  denied  denied  denied denied denied
listPartnerLinks            ok      denied  denied  denied  denied  denied  denied  denied  denied denied denied
confirmPartnerLink          no-request denied  denied  denied  denied  denied  denied  denied  denied denied denied
refusePartnerLink           no-request denied  denied  denied  denied  denied  denied  denied  denied denied denied
listMembers                 ok      ok         ok       ok        ok       denied   denied   denied   denied ok denied
setMemberRole               ok      denied     denied   denied    denied   denied   denied   denied   denied denied denied
removeMember                ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
listInvitations             ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
createInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
revokeInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
resendInvitation            ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
listAuditEntries            ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
exportAuditEntries          ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
listAuditCheckpoints        ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
showOrganization            ok      ok         ok       ok        ok       ok       ok       denied   denied ok denied
renameOrganization          ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
showOverview                ok      ok         ok       ok        ok       ok       ok       denied   denied ok denied
showOrganizationUsage       ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
listProjects                ok      ok         ok       ok        ok       ok       ok       denied   denied ok denied
createProject               ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
showProject                 ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
showProjectOverview         ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
renameProject               ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
showProjectKey              ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
showProjectKeyUsage         ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
cycleProjectKey             ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
endKeyGraces                ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
cancelKeyImport             ok      no-project denied   denied    denied   ok       denied   denied   denied ok denied
requestKeyImport            ok      no-project denied   denied    denied   ok       denied   denied   denied ok denied
showProjectSettings         ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
changeProjectSettings       ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
listProjectMembers          ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
setProjectMember            ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
removeProjectMember         ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
listDevices                 ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
registerDevice              ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
showDevice                  ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
showDeviceUsage             ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
showDeviceIdentity          ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
listDeviceKeys              ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
createDeviceKey             ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
importDeviceKeys ok no-project ok denied denied ok ok denied denied ok denied
revokeDeviceKey             no-device-key no-project no-device-key denied denied no-device-key no-device-key denied denied no-device-key denied
claimDevice no-key no-key no-key no-key no-key no-key no-key no-key no-proof no-key denied
listDeviceClaims ok no-project ok ok ok ok ok denied denied ok denied
approveDeviceClaim no-claim no-project no-claim denied denied no-claim no-claim denied denied no-claim denied
rejectDeviceClaim no-claim no-project no-claim denied denied no-claim no-claim denied denied no-claim denied
listDeviceCas ok no-project ok ok ok ok ok denied denied ok denied
createDeviceCa no-possession no-project no-possession denied denied no-possession no-possession denied denied no-possession denied
changeDeviceCa no-ca no-project no-ca denied denied no-ca no-ca denied denied no-ca denied
deleteDeviceCa no-ca no-project no-ca denied denied no-ca no-ca denied denied no-ca denied
listOnboardingTokens ok no-project ok ok ok ok ok denied denied ok denied
createOnboardingToken ok no-project ok denied denied ok ok denied denied ok denied
deleteOnboardingToken no-onboarding no-project no-onboarding denied denied no-onboarding no-onboarding denied denied no-onboarding denied
deleteDevice                no-device no-project no-device denied denied   no-device no-device denied  denied no-device denied
listChunks                  ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
readChunk                   no-chunk no-project no-chunk no-chunk denied   no-chunk no-chunk denied   denied no-chunk denied
readData                    ok      no-project ok       ok        denied   ok       ok       denied   denied ok denied
showDataPolicy              ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
changeDataPolicy            ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
changeDevice                ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
importDevices               ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
previewDeviceDeletion       ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
deleteDevices               changed no-project changed  denied    denied   changed  changed  denied   denied changed denied
showDeviceDeletion          no-deletion no-project no-deletion no-deletion no-deletion no-deletion no-deletion denied denied no-deletion denied
stopDeviceDeletion          no-deletion no-project no-deletion denied denied no-deletion no-deletion denied denied no-deletion denied
listAttributes              ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
declareAttribute            ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
deleteAttribute             no-attribute no-project no-attribute denied denied no-attribute no-attribute denied denied no-attribute denied
setDeviceSampling           ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
readDeviceConfig            no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key ok
findLatestRelease           no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key ok
findLatestReleaseUrl        no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key ok
sendChunks                  no-key  no-key     no-key   no-key    no-key   no-key   no-key   no-key   ok no-key ok
prepareDeviceUpload         no-key no-key no-key no-key no-key no-key no-key no-key ok no-key ok
commitDeviceCoredump        no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key no-upload
commitDeviceElfCoredump     no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key no-upload
commitDeviceBugreport       no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key no-upload
commitDeviceMar             no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key no-upload
commitDeviceRecording       no-key no-key no-key no-key no-key no-key no-key no-key no-upload no-key no-upload
receiveUpload               no-address no-address no-address no-address no-address no-address no-address no-address no-address no-address no-address
prepareUpload               ok      no-project ok       ok        denied   ok       ok       denied   ok ok ok
commitCoredump              no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload no-upload
commitElfCoredump           no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload no-upload
commitBugreport             no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload no-upload
commitMar                   no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload no-upload
commitRecording             no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload no-upload
commitRecordingSingular     no-upload no-project no-upload no-upload denied no-upload no-upload denied no-upload no-upload no-upload
commitSymbols               no-upload no-project no-upload no-upload denied no-upload no-upload denied denied no-upload denied
findSymbols                 no-symbols no-project no-symbols no-symbols no-symbols no-symbols no-symbols denied denied no-symbols denied
listFiles                   ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
showFile                    no-file no-project no-file  no-file   no-file  no-file  no-file  denied   denied no-file denied
deleteFile                  no-file no-project no-file  denied    denied   no-file  no-file  denied   denied no-file denied
downloadFile                no-file no-project no-file  no-file   denied   no-file  no-file  denied   denied no-file denied
listCoredumps               ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
listWebhooks                ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
createWebhook               ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
showWebhook                 no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
showWebhookUsage            no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
changeWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
deleteWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
rotateWebhook               no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
testWebhook                 no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
redeliverWebhook            no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
listWebhookDeliveries       no-webhook no-project no-webhook denied denied no-webhook no-webhook denied denied no-webhook denied
resolveWifiLocation         unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied unknown unknown
submitObservations          ok      no-project ok       ok        denied   ok       ok       denied   denied ok denied
showLocationFallback        ok      ok         ok       ok        ok       denied   denied   denied   denied ok denied
setLocationFallback         ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
turnOffLocationFallback     ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
showPositionPolicy          ok      no-project ok       ok        ok       ok       ok       denied   denied ok denied
changePositionPolicy        ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
showDevicePosition          no-position no-project no-position no-position denied no-position no-position denied denied no-position denied
findObservations            ok      no-project ok       ok        denied   ok       ok       denied   denied ok denied
exportObservations          ok      no-project ok       ok        denied   ok       ok       denied   denied ok denied
listDevicePositions         ok      no-project ok       ok        denied   ok       ok       denied   denied ok denied
deleteDevicePositions       ok      no-project ok       denied    denied   ok       ok       denied   denied ok denied
showLocationSettings        ok      ok         ok       ok        ok       denied   denied   denied   denied ok denied
changeLocationSettings      ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
resolveCellLocation         unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied unknown unknown
listLatestPositions         ok      no-project ok       ok        denied   ok       ok       denied   denied ok denied
resolveWifiBatch            ok      no-project ok       ok        denied   ok       ok       ok       denied ok ok
explainLocation             ok      no-project ok       ok        denied   ok       ok       ok       denied ok ok
resolveGroundFix            unknown no-project unknown  unknown   denied   unknown  unknown  unknown  denied unknown unknown
legacyWifiLocation          no-key no-key no-key no-key no-key no-key unknown no-key denied no-key unknown
legacyCellLocation          no-key no-key no-key no-key no-key no-key unknown no-key denied no-key unknown
legacyGroundFix             no-key no-key no-key no-key no-key no-key unknown no-key denied no-key unknown
showAccessPointStatistics   ok      ok         ok       ok        ok       ok       denied   denied   denied ok denied
exportAccessPoints          ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
showCoverage                ok      ok         ok       ok        ok       ok       denied   denied   denied ok denied
listAccessPoints            ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
forgetAccessPoint           ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
forgetArea                  ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
exportCells                 ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
forgetCell                  ok      denied     denied   denied    denied   denied   denied   denied   denied ok denied
beginImport                 ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
listImports                 ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
showImport                  ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
appendToImport              ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
commitImport                ok      denied     denied   denied    denied   ok       denied   denied   denied ok denied
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
