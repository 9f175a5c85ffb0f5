import { gunzipSync } from 'node:zlib'
import type { AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import type { Permission } from '@bearing/contracts/permission'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { createAuditSink } from '@bearing/contracts/management/operator-audit-sink'
import { eventually } from '@bearing/testing/eventually'
import {
  clientFor,
  newMember,
  newOrganization,
  newToken,
  newUser,
  type TestOrganization,
} from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { Browser } from '../tools/browser.js'
import { send } from '../tools/http.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering } from '../tools/webhook-receiver.js'
import { GITHUB, WorkloadIssuer } from '../tools/workload-issuer.js'

const patience = { withinMs: 60_000, everyMs: 200 }

describe('the audit log, and the sinks that receive it,', () => {
  let stack: Stack
  let receiver: WebhookReceiver
  let issuer: WorkloadIssuer
  let own: TestOrganization
  let at: { organization: string; project: string }

  beforeAll(async () => {
    issuer = await WorkloadIssuer.start()
    receiver = await WebhookReceiver.start()
    stack = await startStack({
      gateways: 1,
      environment: {
        management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32` },
      },
      constants: {
        gateway: { REPORT_INTERVAL_MS: 500 },
        management: { WEBHOOK_RETRY_DELAYS_S: [1, 1], WEBHOOK_TIMEOUT_MS: 5_000 },
      },
    })
  })
  afterAll(async () => {
    await stack.stop()
    await receiver.stop()
    await issuer[Symbol.asyncDispose]()
  })

  beforeEach(async () => {
    own = await newOrganization(stack)
    at = { organization: own.slug, project: own.project.slug }
    const destination = { kind: 'ndjson', source: 'audit_log' } as const
    await own.admin.client.call('createWebhook', { ...at, url: receiver.url, destination })
  })

  const gateway = () => stack.gatewayUrls[0] ?? ''
  /** Returns the rows of an action that the sink of the organization has received, each once. */
  const received = (action: string) => {
    const rows = receiver.received.flatMap(({ bytes }) => linesOf(bytes))
    const found = rows.filter((row) => row.organization_id === own.id && row.action === action)
    return [...new Map(found.map((row) => [row.id, row])).values()]
  }
  const token = async (permission: Permission) => {
    const created = await own.admin.client.call('createOrganizationToken', {
      ...{ organization: own.slug, description: permission, permissions: [permission] },
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    const client = clientFor({ kind: 'organization_token', token: created.token }, stack)
    return { ...created, client }
  }
  const denied = { code: 'permission_denied' }

  it('have refused administration by a token, a flood of it in few rows, and no refused data', async () => {
    const { id, client } = await token('project:list')
    const floods = Array.from({ length: 60 }, () =>
      expect(client.call('listOrganizationTokens', { organization: own.slug })).rejects.toMatchObject(denied),
    )
    await Promise.all(floods)
    await expect(
      client.call('createProject', { organization: own.slug, name: 'Mine' }),
    ).rejects.toMatchObject(denied)
    await expect(client.call('listDevices', at)).rejects.toMatchObject(denied)
    await eventually(() => {
      const rows = received('administration.refused')
      expect(rows.reduce((sum, { details }) => sum + Number(details['count']), 0)).toBe(61)
      // One row for each report, every half a second.
      expect(rows.length).toBeLessThan(20)
      expect(new Set(rows.flatMap(({ details }) => details['permissions']))).toEqual(
        new Set(['organization-token:read', 'project:create']),
      )
      for (const row of rows)
        expect(row).toMatchObject({
          ...{ service: 'gateway', actor_kind: 'organization_token', actor_credential_id: id },
          ...{ target: `organization:${own.id}`, address: '127.0.0.1' },
        })
    }, patience)
  })

  it('have administration that a service refuses to a token, to an API key and to a workload', async () => {
    const sink = { ...at, url: receiver.url, destination: { kind: 'ndjson', source: 'audit_log' } } as const
    await expect(own.token.client.call('createWebhook', sink)).rejects.toMatchObject(denied)
    const member = await newMember(own, 'member', [], stack)
    await expect(
      member.client.call('createInvitation', {
        organization: own.slug,
        email: 'a@example.com',
        role: 'admin',
      }),
    ).rejects.toMatchObject(denied)
    const trust = await own.admin.client.call('createWorkloadTrust', {
      ...{
        organization: own.slug,
        name: 'CI',
        platform: 'github',
        issuer: issuer.issuer,
        audience: 'https://b.example',
      },
      ...{ claims: { repository_id: '123456' }, permissions: ['project:list'] },
    })
    const exchanged = await send(gateway(), 'POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ grant_type: TOKEN_EXCHANGE, audience: own.slug, client_id: trust.id },
        subject_token: await issuer.sign({ aud: 'https://b.example', ...GITHUB }),
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      }).toString(),
    })
    const workload = clientFor(
      { kind: 'organization_token', token: String(exchanged.json?.['access_token']) },
      stack,
    )
    await expect(workload.call('listMembers', { organization: own.slug })).rejects.toMatchObject(denied)
    await eventually(() => {
      const rows = received('administration.refused')
      const found = rows.map(({ actor_kind, details }) => [actor_kind, details['permissions']])
      expect(found).toContainEqual(['organization_token', ['webhook:manage']])
      expect(found).toContainEqual(['user', ['invitation:create']])
      expect(found).toContainEqual(['workload', ['member:read']])
      expect(rows.map(({ actor_user_id }) => actor_user_id)).toContain(member.id)
    }, patience)
  })

  it('have who read the audit log, exports and data of devices, once an hour and not for each page', async () => {
    const { client } = own.token
    const { id, client: auditor } = await token('audit-log:read')
    const all = async (stream: AsyncIterable<unknown>) => {
      let lines = 0
      for await (const line of stream) lines += Number(line !== undefined)
      return lines
    }
    await send(gateway(), 'POST', `/api/v0/chunks/UNIT-1`, {
      ...{ credential: { kind: 'project_key', key: own.project.key }, body: new Uint8Array([1, 2, 3]) },
      headers: { 'content-type': 'application/octet-stream' },
    })
    for (let time = 0; time < 3; time++) {
      await auditor.call('listAuditEntries', { organization: own.slug, per_page: 1, page: time + 1 })
      await all(auditor.stream('exportAuditEntries', { organization: own.slug }))
      await all(client.stream('exportAccessPoints', { organization: own.slug }))
      await all(client.stream('exportCells', { organization: own.slug }))
      await eventually(async () => {
        const items: unknown[] = []
        for await (const item of client.stream('readData', at)) items.push(item)
        expect(items).toHaveLength(1)
      }, patience)
      const [chunk] = (await client.call('listChunks', { ...at, device_serial: 'UNIT-1' })).data
      const path = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}/devices/UNIT-1/chunks/${chunk?.id ?? ''}`
      expect((await send(gateway(), 'GET', path, { credential: own.token.credential })).status).toBe(200)
    }
    const by = { actor_credential_id: own.token.id, address: '127.0.0.1' }
    const ofOrganization = { ...by, target: `organization:${own.id}` }
    const ofProject = { ...by, target: `project:${own.project.id}` }
    await eventually(() => {
      for (const action of ['access_points.exported', 'cells.exported'])
        expect([action, received(action)]).toMatchObject([action, [ofOrganization]])
      for (const action of ['audit_log.read', 'audit_log.exported'])
        expect([action, received(action)]).toMatchObject([
          action,
          [{ ...ofOrganization, actor_credential_id: id }],
        ])
      const reads = received('device_data.read').toSorted((a, b) => a.at.localeCompare(b.at))
      expect(reads).toMatchObject([
        { ...ofProject, details: { devices: 'all devices' } },
        { ...ofProject, details: { device_serial: 'UNIT-1' } },
      ])
    }, patience)
    await own.admin.client.call('listAuditEntries', { organization: own.slug })
    await eventually(() => {
      expect(received('audit_log.read')).toMatchObject([
        { actor_credential_id: id },
        { actor_user_id: own.admin.id },
      ])
    }, patience)
  })

  it('arrive at a sink of the operator for all organizations and none, in order and without a gap under kill -9', async () => {
    const sink = await WebhookReceiver.start()
    const { id: organization_id } = own
    const destination = { kind: 'ndjson', source: 'audit_log' } as const
    const created = await callAsOperator(
      createAuditSink,
      { organization_id, project_id: own.project.id, url: sink.url, destination },
      stack,
    )
    let answers = 0
    sink.answer = (reply, request) => {
      answering(++answers % 3 === 0 ? 204 : 503)(reply, request)
    }
    const other = await newOrganization(stack)
    for (const name of ['management', 'identity'] as const) {
      await eventually(() => newToken(other, stack), patience)
      await stack.part(name).kill()
      await eventually(() => newUser(stack), patience).catch(() => undefined)
      await stack.part(name).start()
    }
    await eventually(() => newToken(own, stack), patience)
    const database = new pg.Client(stack.adminDatabaseUrl)
    await database.connect()
    await eventually(async () => {
      sink.answer = answering(204)
      const { rows } = await database.query<{ id: string }>(
        'SELECT id FROM identity.audit_log ORDER BY position',
      )
      const lines = sink.received.flatMap(({ bytes }) => linesOf(bytes))
      const ids = lines.filter(({ checkpoint }) => checkpoint === undefined).map((row) => row.id)
      expect([...new Set(ids)]).toEqual(rows.map(({ id }) => id))
      const chains = new Set(lines.map((row) => row.organization_id))
      for (const chain of [own.id, other.id, null]) expect(chains).toContain(chain)
    }, patience)
    await database.end()
    const webhook = { ...at, webhook_id: created.id }
    const elsewhere = { ...webhook, url: receiver.url }
    await expect(own.admin.client.call('changeWebhook', elsewhere)).rejects.toMatchObject(denied)
    await expect(own.token.client.call('changeWebhook', { ...webhook, paused: true })).rejects.toMatchObject(
      denied,
    )
    expect((await own.admin.client.call('changeWebhook', { ...webhook, paused: true })).state).toBe('paused')
    await sink.stop()
  })

  it('have network and user agent of sign-ins of browsers and of command lines', async () => {
    const browser = await Browser.signIn(gateway(), own.admin)
    const headers = { 'user-agent': 'bearing/9.9' }
    const login = await send(gateway(), 'POST', '/auth/login', { body: { host: 'ann-laptop' }, headers })
    const { device_code, user_code } = login.json?.data as Record<string, string>
    await browser.send(gateway(), 'POST', '/auth/login/allow', { body: { user_code } })
    const path = '/auth/login/token'
    const exchanged = await send(gateway(), 'POST', path, { body: { device_code }, headers })
    expect(exchanged.status).toBe(200)
    await eventually(() => {
      const rows = received('session.started')
      for (const row of rows) expect(row).toMatchObject({ actor_user_id: own.admin.id, address: '127.0.0.1' })
      expect(rows.map(({ details }) => details)).toEqual([
        { methods: ['pwd'], user_agent: 'node' },
        { methods: ['pwd'], host: 'ann-laptop', user_agent: 'bearing/9.9' },
      ])
    }, patience)
  })
})

type Line = AuditEntry & { readonly checkpoint?: string }

function linesOf(bytes: Uint8Array): Line[] {
  const text = gunzipSync(bytes).toString().trimEnd()
  return text.split('\n').map((line) => JSON.parse(line) as Line)
}
