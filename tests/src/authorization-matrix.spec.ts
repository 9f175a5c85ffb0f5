import { randomBytes, randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data-policy'
import { DEFAULT_POSITION_POLICY } from '@bearing/contracts/location/position-policy'
import { needsClaims } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import {
  newMember,
  newOrganization,
  newProject,
  newToken,
  type TestOrganization,
  type TestProject,
} from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { queryIdentity, rowsOfRequest } from './audited.js'
import { MATRIX, UNRECORDED } from './authorization-table.js'
import { send, type Reply } from './http.js'

const CODES: Readonly<Record<string, ErrorCode>> = {
  denied: 'permission_denied',
  users: 'user_required',
  'no-project': 'project_not_found',
  unknown: 'location_not_found',
  wrong: 'password_incorrect',
  'no-link': 'password_reset_not_found',
  'no-invitation': 'invitation_not_found',
  refused: 'credential_invalid',
  'no-session': 'session_not_found',
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
  'no-chunk': 'chunk_not_found',
  'no-webhook': 'webhook_not_found',
  'no-key': 'project_key_required',
  'no-upload': 'upload_not_found',
  'no-address': 'upload_url_invalid',
  'no-symbols': 'symbols_not_found',
  'no-file': 'file_not_found',
  'no-position': 'position_not_found',
}

/** A device that there is. */
const DEVICE = 'MATRIX-1'
/** Those that answer in the shape of others have a suite of their own. */
const NAMES = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].dialect === 'bearing')
const [head = '', ...lines] = MATRIX.trim().split('\n')
const PRINCIPALS = head.trim().split(/\s+/).slice(1)
const EXPECTED = new Map(
  lines.map((line) => {
    const [route = '', ...cells] = line.trim().split(/\s+/)
    return [route, new Map(PRINCIPALS.map((principal, i) => [principal, cells[i]]))] as const
  }),
)
const CELLS = lines.flatMap((line) => {
  const [route = '', ...cells] = line.trim().split(/\s+/)
  return cells.map((expected, i) => ({ route: route as RouteName, principal: PRINCIPALS[i] ?? '', expected }))
})
const CLOSED = NAMES.filter((name) => needsClaims(ROUTES[name].operation.permission))
/** Answers callers who have no credential yet. */
const OPEN = NAMES.filter((name) => !CLOSED.includes(name))
const IN_PROJECTS = NAMES.filter((name) => ROUTES[name].path.includes(':project'))
const SCOPED = CELLS.filter(({ route }) => ROUTES[route].path.includes(':organization'))

describe('authorization matrix', () => {
  let own: TestOrganization
  let other: TestOrganization
  let credentials: Record<string, PresentedCredential>
  const gateway = () => testStack().gatewayUrls[0] ?? ''

  beforeAll(async () => {
    ;[own, other] = await Promise.all([newOrganization(), newOrganization()])
    credentials = await credentialsOf(own)
    await own.token.client.call('registerDevice', {
      organization: own.slug,
      project: own.project.slug,
      device_serial: DEVICE,
    })
  })

  async function credentialsOf(organization: TestOrganization): Promise<Record<string, PresentedCredential>> {
    const { project, admin } = organization
    const inProject = async (role: 'manager' | 'member' | 'reader') =>
      byPassword(await newMember(organization, 'member', [{ project, role }]))
    const { token } = await admin.client.call('createOrganizationToken', {
      organization: organization.slug,
      description: 'narrow',
      permissions: ['location:resolve'],
    })
    const bound = await admin.client.call('createOrganizationToken', {
      organization: organization.slug,
      description: 'bound',
      project_ids: [project.id],
    })
    return {
      // By password, because some cells cycle and delete the API key.
      admin: byPassword(await newMember(organization, 'admin')),
      member: byPassword(await newMember(organization, 'member')),
      manager: await inProject('manager'),
      developer: await inProject('member'),
      reader: await inProject('reader'),
      token: organization.token.credential,
      bound: { kind: 'organization_token', token: bound.token },
      narrow: { kind: 'organization_token', token },
    }
  }

  /** Sends a request of a route that has nothing wrong with it. */
  async function ask(
    name: RouteName,
    credential: PresentedCredential | undefined,
    slug: string,
    requestId: string = randomUUID(),
    project: string = own.project.slug,
  ): Promise<Reply> {
    const route: Route = ROUTES[name]
    const parameters: Record<string, string> = {
      organization: slug,
      project,
      organization_token_id: ['deleteOrganizationToken', 'rotateOrganizationToken'].includes(name)
        ? (await newToken(own)).id
        : '',
      legacy_token_id: name === 'deleteLegacyToken' ? await newLegacyToken() : '',
      import_id: ['showImport', 'appendToImport', 'commitImport'].includes(name) ? await openImport() : '',
      batch: '0',
      invitation_id: route.path.includes(':invitation_id') ? await openInvitation() : '',
      session_id: randomUUID(),
      connection_id: randomUUID(),
      sso_identity_id: randomUUID(),
      upload_token: 'made-up',
      gnu_build_id: digest(),
      file_id: randomUUID(),
      webhook_id: randomUUID(),
      partner_link_id: randomUUID(),
      domain: `${randomUUID()}.example`,
      device_serial: name === 'deleteDevice' ? `NONE-${randomUUID()}` : DEVICE,
      chunk_id: randomUUID(),
      user_id: route.path.includes(':user_id') ? await somebodyElse() : '',
    }
    const path = route.path.replaceAll(/:([a-z_]+)/g, (_, parameter: string) => parameters[parameter] ?? '')
    const headers = { 'x-request-id': requestId }
    return send(gateway(), route.method, path, {
      credential,
      headers,
      ...(BODIES[name] && { body: BODIES[name]() }),
    })
  }

  async function newLegacyToken(): Promise<string> {
    const organization = own.slug
    const tokens = [{ sha256: digest() }]
    await own.admin.client.call('importLegacyTokens', {
      organization,
      sunset_at: '2099-01-01T00:00:00Z',
      tokens,
    })
    const { data } = await own.admin.client.call('listLegacyTokens', { organization, per_page: 1 })
    return data[0]?.id ?? ''
  }

  /** A user that is changed or removed, so other cells cannot use it. */
  async function somebodyElse(): Promise<string> {
    const member = await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    return member.id
  }

  async function openInvitation(): Promise<string> {
    const { id } = await own.admin.client.call('createInvitation', {
      organization: own.slug,
      email: `${randomUUID()}@example.com`,
      role: 'member',
    })
    // Sent so long ago that it may be sent again.
    await queryIdentity(`UPDATE invitations SET sent_at = sent_at - interval '1 day' WHERE id = $1`, [id])
    return id
  }

  async function openImport(): Promise<string> {
    const begun = await own.token.client.call('beginImport', {
      organization: own.slug,
      content: 'positions',
      digest: digest(),
    })
    return begun.id
  }

  /** Cycling the key of the shared project would change what other cells use. */
  async function credentialFor(principal: string): Promise<PresentedCredential | undefined> {
    if (principal !== 'key') return credentials[principal]
    const { api_key } = await own.admin.client.call('showProjectKey', {
      organization: own.slug,
      project: own.project.slug,
    })
    return { kind: 'project_key', key: api_key }
  }

  it('has a line for every route, and a cell for every principal', () => {
    expect([...EXPECTED.keys()].sort()).toEqual([...NAMES].sort())
    for (const cells of EXPECTED.values()) expect([...cells.values()]).not.toContain(undefined)
  })

  it.each(CELLS)(
    '$route by $principal in its own organization: $expected, and in an audit log where it changes something',
    async ({ route, principal, expected }) => {
      const isKeyRoute = route === 'showUserKey' || route === 'deleteUserKey'
      const credential =
        route === 'deleteOwnAccount' && expected === 'ok'
          ? byPassword(await newMember(own, principal === 'admin' ? 'admin' : 'member'))
          : await credentialFor(principal)
      if (isKeyRoute && expected === 'ok') await ask('cycleUserKey', credential, own.slug)
      const requestId = randomUUID()
      const reply = await ask(route, credential, own.slug, requestId)
      if (expected === 'ok') expect(reply).toMatchObject({ status: ROUTES[route].status })
      else expectProblem(reply, CODES[expected])
      if (expected === 'ok' && ROUTES[route].method !== 'GET')
        expect([route, (await rowsOfRequest(requestId)) > 0]).toEqual([route, !UNRECORDED.includes(route)])
    },
  )

  it.each(SCOPED)(
    "$route by $principal in somebody else's organization: not found",
    async ({ route, principal }) => {
      const reply = await ask(route, await credentialFor(principal), other.slug)
      expectProblem(reply, 'organization_not_found')
    },
  )

  it.each(SCOPED)(
    '$route by $principal in no organization: the same answer',
    async ({ route, principal }) => {
      const reply = await ask(route, await credentialFor(principal), 'there-is-no-such-organization')
      expectProblem(reply, 'organization_not_found')
    },
  )

  it.each(OPEN)(
    '%s without a credential, or with a wrong one: the same answer as with a good one',
    async (route) => {
      const expected = EXPECTED.get(route)?.get('admin') ?? ''
      const wrong: PresentedCredential = { kind: 'user', email: 'nobody@example.com', secret: 'wrong' }
      for (const credential of [undefined, wrong]) {
        const reply = await ask(route, credential, own.slug)
        if (expected === 'ok') expect(reply).toMatchObject({ status: ROUTES[route].status })
        else expectProblem(reply, CODES[expected])
      }
    },
  )

  it.each(CLOSED)('%s without a credential: 401 with a challenge per scheme', async (route) => {
    const reply = await ask(route, undefined, own.slug)
    expectProblem(reply, 'credential_missing')
    expect(reply.headers.get('www-authenticate')).toBe(
      'Bearer realm="bearing", Basic realm="bearing", charset="UTF-8"',
    )
  })

  describe('a token that is bound to one project', () => {
    let sibling: TestProject

    beforeAll(async () => {
      sibling = await newProject(own)
    })

    it.each(IN_PROJECTS)(
      'is refused by %s on every other project of its organization, and on one that does not exist, in the same way',
      async (route) => {
        const [other, missing] = await Promise.all(
          [sibling.slug, 'there-is-no-such-project'].map((project) =>
            ask(route, credentials['bound'], own.slug, randomUUID(), project),
          ),
        )
        for (const reply of [other, missing]) if (reply) expectProblem(reply, 'project_not_found')
        const { request_id: _, ...body } = other?.json ?? {}
        expect(missing?.json).toMatchObject(body)
      },
    )

    it('lists no other project', async () => {
      const path = `/api/v0/organizations/${own.slug}/projects`
      const { json } = await send(gateway(), 'GET', path, { credential: credentials['bound'] })
      expect(json).toMatchObject({ data: [{ id: own.project.id }], paging: { total_count: 1 } })
    })
  })

  it.each(['admin', 'manager', 'token'])(
    "a sibling project is out of reach of a project's key, although other callers reach it: %s",
    async (principal) => {
      const sibling = await newProject(own)
      const path = `/api/v0/organizations/${own.slug}/projects/${sibling.slug}`
      const reply = await send(gateway(), 'GET', path, { credential: await credentialFor(principal) })
      expect(reply.status).toBe(principal === 'manager' ? 404 : 200)
      expectProblem(
        await send(gateway(), 'GET', path, { credential: await credentialFor('key') }),
        'project_not_found',
      )
    },
  )
})

const BODIES: Partial<Record<RouteName, () => unknown>> = {
  // Of nobody: whatever credential comes with it is not looked at.
  startSession: () => ({ email: `${randomUUID()}@example.com`, password: 'not a password' }),
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
  changeDataPolicy: () => DEFAULT_DATA_POLICY,
  createWebhook: () => ({ url: 'https://hooks.example.com/' }),
  changeWebhook: () => ({ paused: true }),
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
  legacyWifiLocation: () => BODIES.resolveWifiLocation?.(),
  legacyCellLocation: () => ({ nbiot: [{ mcc: 999, mnc: 1, tac: 1, eci: 1 }] }),
  legacyGroundFix: () => ({ ltecatm: [{ mcc: 999, mnc: 1, tac: 1, eci: 1 }] }),
  forgetAccessPoint: () => ({ macAddress: '02:00:00:00:00:04' }),
  forgetCell: () => ({
    ...{ radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 1 },
  }),
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

function digest(): string {
  return (randomUUID() + randomUUID()).replaceAll('-', '')
}

function unknownSecret(): string {
  return randomBytes(32).toString('base64url')
}

function byPassword(user: { email: string; password: string }): PresentedCredential {
  return { kind: 'user', email: user.email, secret: user.password }
}

function expectProblem(reply: Reply, code: ErrorCode | undefined): void {
  expect(reply.json).toMatchObject({ code, status: code && ERRORS[code].status })
  expect(reply.status).toBe(reply.json?.['status'])
  expect(reply.headers.get('content-type')).toContain('application/problem+json')
}
