import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { DEFAULT_POSITION_POLICY } from '@bearing/contracts/location/positions/position-policy'
import type { RouteName } from '@bearing/contracts/routes'

/** A device that there is. */
export const DEVICE = 'MATRIX-1'

/** Bodies with nothing wrong, of routes that have one. */
export const BODIES: Partial<Record<RouteName, () => unknown>> = {
  // Of nobody: whatever credential comes with it is not looked at.
  startSession: () => ({ email: `${randomUUID()}@example.com`, password: 'not a password' }),
  requestLogin: () => ({ host: 'matrix' }),
  cycleProjectKey: () => ({ grace_seconds: 0 }),
  requestKeyImport: () => ({ api_key: randomUUID().replaceAll('-', '') }),
  exchangeLogin: () => ({ device_code: unknownSecret() }),
  showLogin: () => ({ user_code: 'BCDF-GHJK' }),
  allowLogin: () => ({ user_code: 'BCDF-GHJK' }),
  denyLogin: () => ({ user_code: 'BCDF-GHJK' }),
  confirmSession: () => ({ password: 'not the password' }),
  enrollTotp: () => ({ password: 'not the password' }),
  confirmTotp: () => ({ totp_code: '000000' }),
  renamePasskey: () => ({ name: 'Matrix' }),
  addPasskey: () => ({ name: 'Matrix', client_data: 'AA', attestation_object: 'AA' }),
  removeTotp: () => ({ totp_code: '000000' }),
  renewRecoveryCodes: () => ({ totp_code: '000000' }),
  changeSignInPolicy: () => ({ second_factor_required: false }),
  createOrganization: () => ({ name: 'Matrix', slug: `matrix-${randomUUID()}` }),
  // Not the slug: other cells use it.
  renameOrganization: () => ({ name: `Matrix ${randomUUID()}` }),
  renameProject: () => ({ name: `Matrix ${randomUUID()}` }),
  reportLeak: () => ({ secret: 'unknown' }),
  createOrganizationToken: () => ({ description: 'matrix' }),
  deriveOrganizationToken: () => ({}),
  createWorkloadTrust: () => TRUST,
  changeWorkloadTrust: () => TRUST,
  changeOrganizationTokenPolicy: () => ({ max_lifetime_days: null }),
  importLegacyTokens: () => ({ sunset_at: '2099-01-01T00:00:00Z', tokens: [{ sha256: digest() }] }),
  changePassword: () => ({ current_password: 'wrong', new_password: 'four words nobody guesses' }),
  requestPasswordReset: () => ({ email: `${randomUUID()}@example.com` }),
  resetPassword: () => ({ secret: unknownSecret(), password: 'four words nobody guesses' }),
  requestEmailChange: () => ({ email: `${randomUUID()}@example.com` }),
  confirmEmailChange: () => ({ secret: unknownSecret() }),
  showInvitation: () => ({ secret: unknownSecret() }),
  acceptInvitation: () => ({ secret: unknownSecret(), password: 'four words nobody guesses' }),
  createInvitation: () => ({ email: `${randomUUID()}@example.com`, role: 'member' }),
  setMemberRole: () => ({ role: 'admin' }),
  setProjectMember: () => ({ role: 'member' }),
  // Nobody listens there.
  createSsoConnection: () => ({ name: 'Matrix', issuer: 'http://127.0.0.1:1', client_id: 'matrix' }),
  changeSsoConnection: () => ({ name: 'Matrix' }),
  beginLink: () => ({}),
  requestPartnerLink: () => ({ organization: `there-is-none-${randomUUID()}` }),
  createProject: () => ({ name: 'Matrix', slug: `matrix-${randomUUID()}` }),
  registerDevice: () => ({ device_serial: DEVICE }),
  previewDeviceDeletion: () => ({ q: 'NONE-' }),
  deleteDevices: () => ({ q: 'NONE-', token: expiredPreview() }),
  createDeviceKey: () => ({ public_key: newPublicKey() }),
  importDeviceKeys: () => ({ keys: [{ device_serial: `NONE-${randomUUID()}`, public_key: newPublicKey() }] }),
  claimDevice: () => ({ device_serial: DEVICE, public_key: newPublicKey(), proof: 'none' }),
  createDeviceCa: () => ({ certificate: 'none', verification_certificate: 'none' }),
  changeDeviceCa: () => ({ just_in_time: false }),
  createOnboardingToken: () => ({
    name: 'Matrix',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }),
  changeDevice: () => ({ nickname: `Matrix ${randomUUID()}` }),
  importDevices: () => ({ devices: [{ device_serial: DEVICE, nickname: `Matrix ${randomUUID()}` }] }),
  declareAttribute: () => ({ type: 'string' }),
  changeDataPolicy: () => DEFAULT_DATA_POLICY,
  createWebhook: () => ({ url: 'https://hooks.example.com/' }),
  changeWebhook: () => ({ paused: true }),
  redeliverWebhook: () => ({ since: '2026-01-31T09:00:00.000Z' }),
  changeProjectSettings: () => ({ project_key_may_locate: false }),
  resolveWifiLocation: () => ({
    accessPoints: [
      { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
      { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
    ],
  }),
  submitObservations: () => ({
    items: [
      {
        position: { latitude: 48, longitude: 11 },
        wifiAccessPoints: [{ macAddress: '02:00:00:00:00:04', signalStrength: -50 }],
      },
    ],
  }),
  findObservations: () => ({ ids: ['one'] }),
  // Nobody listens there.
  setLocationFallback: () => ({ url: 'http://127.0.0.1:1/' }),
  changePositionPolicy: () => DEFAULT_POSITION_POLICY,
  changeLocationSettings: () => ({ share_observations: false, observation_retention_days: 365 }),
  resolveCellLocation: () => ({ lte: [{ mcc: 999, mnc: 1, tac: 1, eci: 1 }] }),
  resolveGroundFix: () => ({ lte: [{ mcc: 999, mnc: 1, tac: 1, eci: 1 }] }),
  resolveWifiBatch: () => ({ scans: [BODIES.resolveWifiLocation?.()] }),
  explainLocation: () => BODIES.resolveGroundFix?.(),
  legacyWifiLocation: () => BODIES.resolveWifiLocation?.(),
  legacyCellLocation: () => ({ nbiot: [{ mcc: 999, mnc: 1, tac: 1, eci: 1 }] }),
  legacyGroundFix: () => ({ ltecatm: [{ mcc: 999, mnc: 1, tac: 1, eci: 1 }] }),
  forgetAccessPoint: () => ({ macAddress: '02:00:00:00:00:04' }),
  forgetCell: () => ({
    ...{ radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 1 },
  }),
  eraseOrganization: () => ({ slug: 'there-is-none' }),
  eraseProject: () => ({ slug: 'there-is-none' }),
  forgetArea: () => ({ lat: 1, lon: 2, radius: 3 }),
  beginImport: () => ({ content: 'positions', digest: digest() }),
  appendToImport: () => ({ rows: [['02:00:00:00:00:03', 1, 2, null]] }),
  commitImport: () => ({ batches: 0, rows: 0 }),
  commitDeviceCoredump: () => ({ file: { token: 'made-up' } }),
  commitDeviceElfCoredump: () => ({ file: { token: 'made-up' } }),
  commitDeviceBugreport: () => ({ file: { token: 'made-up' } }),
  commitDeviceMar: () => ({ file: { token: 'made-up' } }),
  commitDeviceRecording: () => ({ file: { token: 'made-up' } }),
  commitCoredump: () => ({ file: { token: 'made-up' } }),
  commitElfCoredump: () => ({ file: { token: 'made-up' } }),
  commitBugreport: () => ({ file: { token: 'made-up' } }),
  commitMar: () => ({ file: { token: 'made-up' } }),
  commitRecording: () => ({ file: { token: 'made-up' } }),
  commitRecordingSingular: () => ({ file: { token: 'made-up' } }),
  commitSymbols: () => ({ file: { token: 'made-up' } }),
}

const TRUST = {
  ...{ name: 'Matrix', platform: 'github', audience: 'https://bearing.example.com' },
  ...{ claims: { repository_id: '1' }, permissions: ['project:read'] },
}

export function digest(): string {
  return (randomUUID() + randomUUID()).replaceAll('-', '')
}

function newPublicKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

function unknownSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The token of a preview of another filter. */
function expiredPreview(): string {
  return Buffer.from(JSON.stringify([0, 0, ''])).toString('base64url')
}
