import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { DEFAULT_POSITION_POLICY } from '@bearing/contracts/location/positions/position-policy'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { newMember, newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { expect } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { credentialsOf } from './authorization-callers.js'
import { send, type Reply, type Sent } from '../tools/http.js'

/** A device that there is. */
export const DEVICE = 'MATRIX-1'

/** Callers of each kind in one organization, and a request of each route that has nothing wrong with it. */
export class Matrix {
  private constructor(
    readonly own: TestOrganization,
    readonly other: TestOrganization,
    readonly credentials: Readonly<Record<string, PresentedCredential>>,
  ) {}

  static async create(): Promise<Matrix> {
    const [own, other] = await Promise.all([newOrganization(), newOrganization()])
    const organization = own.slug
    await own.token.client.call('registerDevice', {
      organization,
      project: own.project.slug,
      device_serial: DEVICE,
    })
    return new Matrix(own, other, await credentialsOf(own))
  }

  /** Sends a request of a route that has nothing wrong with it. */
  async ask(
    name: RouteName,
    credential: PresentedCredential | undefined,
    slug: string,
    requestId: string = randomUUID(),
    project: string = this.own.project.slug,
  ): Promise<Reply> {
    return this.askWith(name, { credential, headers: { 'x-request-id': requestId } }, slug, project)
  }

  /** Sends such a request with the headers of a browser, for example. */
  async askWith(
    name: RouteName,
    sent: Sent,
    slug: string = this.own.slug,
    project: string = this.own.project.slug,
  ): Promise<Reply> {
    const route: Route = ROUTES[name]
    const { parameters, body } = await this.requestOf(name, slug, project)
    const path = route.path.replaceAll(/:([a-z_]+)/g, (_, parameter: string) => parameters[parameter] ?? '')
    return send(gatewayUrl(), route.method, path, { ...sent, ...(body !== undefined && { body }) })
  }

  /** Returns the parameters of the path and the body of a request that has nothing wrong with it. */
  async requestOf(
    name: RouteName,
    slug: string,
    project: string,
  ): Promise<{ readonly parameters: Record<string, string>; readonly body: unknown }> {
    const route: Route = ROUTES[name]
    const parameters: Record<string, string> = {
      organization: slug,
      project,
      project_slug: 'there-is-no-such-project',
      organization_token_id: route.path.includes(':organization_token_id')
        ? (await newToken(this.own)).id
        : '',
      legacy_token_id: name === 'deleteLegacyToken' ? await this.newLegacyToken() : '',
      import_id: ['showImport', 'appendToImport', 'commitImport'].includes(name)
        ? await this.openImport()
        : '',
      batch: '0',
      invitation_id: route.path.includes(':invitation_id') ? await this.openInvitation() : '',
      session_id: randomUUID(),
      connection_id: randomUUID(),
      trust_id: randomUUID(),
      device_key_id: randomUUID(),
      sso_identity_id: randomUUID(),
      upload_token: 'made-up',
      gnu_build_id: digest(),
      file_id: randomUUID(),
      webhook_id: randomUUID(),
      partner_link_id: randomUUID(),
      domain: `${randomUUID()}.example`,
      // A device has at most two keys.
      device_serial: ['deleteDevice', 'createDeviceKey'].includes(name) ? `NONE-${randomUUID()}` : DEVICE,
      attribute: `a${digest().slice(0, 32)}`,
      chunk_id: randomUUID(),
      deletion_id: randomUUID(),
      user_id: route.path.includes(':user_id') ? await this.somebodyElse() : '',
    }
    return { parameters, body: BODIES[name]?.() }
  }

  private async newLegacyToken(): Promise<string> {
    const organization = this.own.slug
    const tokens = [{ sha256: digest() }]
    await this.own.admin.client.call('importLegacyTokens', {
      organization,
      sunset_at: '2099-01-01T00:00:00Z',
      tokens,
    })
    const { data } = await this.own.admin.client.call('listLegacyTokens', { organization, per_page: 1 })
    return data[0]?.id ?? ''
  }

  /** A user that is changed or removed, so other cells cannot use it. */
  private async somebodyElse(): Promise<string> {
    const member = await newMember(this.own, 'member', [{ project: this.own.project, role: 'reader' }])
    return member.id
  }

  private async openInvitation(): Promise<string> {
    const { id } = await this.own.admin.client.call('createInvitation', {
      organization: this.own.slug,
      email: `${randomUUID()}@example.com`,
      role: 'member',
    })
    // Sent so long ago that it may be sent again.
    await queryIdentity(`UPDATE invitations SET sent_at = sent_at - interval '1 day' WHERE id = $1`, [id])
    return id
  }

  private async openImport(): Promise<string> {
    const begun = await this.own.token.client.call('beginImport', {
      organization: this.own.slug,
      content: 'positions',
      digest: digest(),
    })
    return begun.id
  }

  /** Cycling the key of the shared project would change what other cells use. */
  async credentialFor(principal: string): Promise<PresentedCredential | undefined> {
    if (principal !== 'key') return this.credentials[principal]
    const { api_key } = await this.own.admin.client.call('showProjectKey', {
      organization: this.own.slug,
      project: this.own.project.slug,
    })
    return { kind: 'project_key', key: api_key }
  }
}

const BODIES: Partial<Record<RouteName, () => unknown>> = {
  // Of nobody: whatever credential comes with it is not looked at.
  startSession: () => ({ email: `${randomUUID()}@example.com`, password: 'not a password' }),
  requestLogin: () => ({ host: 'matrix' }),
  cycleProjectKey: () => ({ grace_seconds: 0 }),
  exchangeLogin: () => ({ device_code: unknownSecret() }),
  showLogin: () => ({ user_code: 'BCDF-GHJK' }),
  allowLogin: () => ({ user_code: 'BCDF-GHJK' }),
  denyLogin: () => ({ user_code: 'BCDF-GHJK' }),
  confirmSession: () => ({ password: 'not the password' }),
  enrollTotp: () => ({ password: 'not the password' }),
  confirmTotp: () => ({ totp_code: '000000' }),
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

/** The gateway that the matrix asks. */
export function gatewayUrl(): string {
  return testStack().gatewayUrls[0] ?? ''
}

function newPublicKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}

function digest(): string {
  return (randomUUID() + randomUUID()).replaceAll('-', '')
}

function unknownSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function expectProblem(reply: Reply, code: ErrorCode | undefined): void {
  expect(reply.json).toMatchObject({ code, status: code && ERRORS[code].status })
  expect(reply.status).toBe(reply.json?.['status'])
  expect(reply.headers.get('content-type')).toContain('application/problem+json')
}

/** The token of a preview of another filter. */
function expiredPreview(): string {
  return Buffer.from(JSON.stringify([0, 0, ''])).toString('base64url')
}
