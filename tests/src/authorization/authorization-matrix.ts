import { randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { newMember, newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { expect } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { BODIES, DEVICE, digest } from './authorization-bodies.js'
import { credentialsOf } from './authorization-callers.js'
import { newDeviceSigner } from '../tools/device-signer.js'
import { send, type Reply, type Sent } from '../tools/http.js'

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
    await own.admin.client.call('changeProjectSettings', {
      ...{ organization, project: own.project.slug, project_key_may_locate: false },
      device_identity: 'optional',
      device_claims: 'open',
    })
    const device = await newDeviceSigner(own, own.project, DEVICE)
    const credentials = {
      ...(await credentialsOf(own)),
      device: { kind: 'device_token', token: await device.sign() },
    } as const
    return new Matrix(own, other, credentials)
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
      passkey_id: randomUUID(),
      connection_id: randomUUID(),
      ...{ resource: 'Users', resource_id: randomUUID() },
      trust_id: randomUUID(),
      device_key_id: randomUUID(),
      device_ca_id: randomUUID(),
      device_claim_id: randomUUID(),
      onboarding_token_id: randomUUID(),
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

/** The gateway that the matrix asks. */
export function gatewayUrl(): string {
  return testStack().gatewayUrls[0] ?? ''
}

export function expectProblem(reply: Reply, code: ErrorCode | undefined): void {
  expect(reply.json).toMatchObject({ code, status: code && ERRORS[code].status })
  expect(reply.status).toBe(reply.json?.['status'])
  expect(reply.headers.get('content-type')).toContain('application/problem+json')
}
