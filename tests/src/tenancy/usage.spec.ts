import { randomUUID } from 'node:crypto'
import { listRequestUsage, recordRequestUsage } from '@bearing/contracts/identity/credentials/request-usage'
import { dayOf } from '@bearing/contracts/counts/usage'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { clearOfMidnight } from '../tools/clear-of-midnight.js'
import { send } from '../tools/http.js'

const patience = { withinMs: 40_000, everyMs: 200 }

describe('the usage of an organization', () => {
  let stack: Stack
  let own: TestOrganization
  let other: TestOrganization

  beforeAll(async () => {
    await clearOfMidnight()
    stack = await startStack({ constants: { gateway: { REPORT_INTERVAL_MS: 1_000 } } })
    ;[own, other] = await Promise.all([newOrganization(stack), newOrganization(stack)])
  })

  afterAll(() => stack.stop())

  const usageOf = ({ admin, slug }: TestOrganization, days = 2) =>
    admin.client.call('showOrganizationUsage', { organization: slug, days })
  const url = (gateway = 0) => stack.gatewayUrls[gateway] ?? ''
  const scan = () => ({
    accessPoints: [
      { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
      { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
    ],
  })

  it('counts chunks, look-ups and the requests of each credential by day, at all gateways together', async () => {
    const headers = { 'content-type': 'application/octet-stream' }
    const key = { kind: 'project_key', key: own.project.key } as const
    for (const [gateway, body] of [
      [0, 'four'],
      [1, 'seven b'],
    ] as const)
      expect(
        (await send(url(gateway), 'POST', '/api/v0/chunks/USED-1', { credential: key, body, headers }))
          .status,
      ).toBe(202)
    const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`
    for (const gateway of [0, 1, 0])
      expect(
        (await send(url(gateway), 'POST', path, { credential: own.token.credential, body: scan() })).status,
      ).toBe(404)
    const usage = await eventually(async () => {
      const found = await usageOf(own)
      expect(found.days[1]).toMatchObject({
        day: dayOf(new Date()),
        chunks: { count: 2, bytes: 11 },
        lookups: { found: 0, fallback: 0, not_found: 3, refused: 0 },
        requests: { organization_token: 3, project_key: 2 },
      })
      return found
    }, patience)
    expect(usage).toMatchObject({
      projects: { count: 1, limit: 1_000 },
      devices: { count: 1, limit: 1_000_000 },
      stored: { files: { bytes: 0 }, chunks: { bytes: 11 } },
    })
    expect(usage.days[0]).toMatchObject({ chunks: { count: 0, bytes: 0 }, requests: {} })
    const byToken = usage.credentials.find(({ id }) => id === own.token.id)
    expect(byToken).toMatchObject({
      kind: 'organization_token',
      requests: 3,
      days: [{ day: usage.to, requests: 3 }],
    })
    expect(Date.now() - Date.parse(byToken?.last_used_at ?? '')).toBeLessThan(60_000)
    expect(usage.credentials).toContainEqual(
      expect.objectContaining({ kind: 'project_key', project_id: own.project.id, requests: 2 }),
    )
    expect(usage.credentials).toContainEqual(
      expect.objectContaining({ kind: 'api_key', id: own.admin.id, name: own.admin.email }),
    )
    expect(JSON.stringify(usage)).not.toContain(own.token.token)
    expect(JSON.stringify(usage)).not.toContain(own.project.key)
  })

  it('does not contain the requests of another organization, nor refused ones', async () => {
    const before = await usageOf(other)
    expect(before.days[1]?.requests.organization_token).toBeUndefined()
    const foreign = await send(url(), 'GET', `/api/v0/organizations/${other.slug}/projects`, {
      credential: own.token.credential,
    })
    expect(foreign.status).toBe(404)
    await other.token.client.call('listProjects', { organization: other.slug })
    await eventually(async () => {
      expect((await usageOf(other)).days[1]?.requests.organization_token).toBe(1)
    }, patience)
  })

  it('is shown as an overview by hour and day, to each user for their projects', async () => {
    const { slug: organization, project, admin, token } = own
    const overview = await admin.client.call('showOverview', { organization })
    expect(overview.points).toHaveLength(24)
    expect(overview).toMatchObject({
      step: 'hour',
      devices: { count: 1, new: 1, seen: 1, is_minimum: false },
      lookups: { found: 0, fallback: 0, not_found: 3, refused: 0 },
      median_radius: null,
      software_versions: [{ software_version: null, devices: 1 }],
      projects: [{ slug: project.slug, devices: 1, devices_today: 1, failing_webhooks: 0 }],
      latest_data: { project_id: project.id, device_serial: 'USED-1' },
      has_access_points: false,
      has_positions: false,
    })
    const sums = (points: typeof overview.points) => ({
      devices: points.reduce((sum, { devices_seen }) => sum + devices_seen, 0),
      chunks: points.reduce((sum, { chunks }) => sum + chunks.count, 0),
      bytes: points.reduce((sum, { chunks }) => sum + chunks.bytes, 0),
      lookups: points.reduce((sum, { lookups }) => sum + lookups.not_found, 0),
    })
    const counted = { chunks: 2, bytes: 11, lookups: 3 }
    expect(sums(overview.points)).toMatchObject(counted)
    const ofProject = { organization, project: project.slug }
    for (const period of ['7d', '30d'] as const) {
      const { points, step } = await token.client.call('showProjectOverview', { ...ofProject, period })
      expect([points.length, step]).toEqual([Number.parseInt(period), 'day'])
      expect(sums(points)).toEqual({ ...counted, devices: 1 })
      expect(points.at(-1)?.devices_seen).toBe(1)
    }
    const chunks = await admin.client.call('showDeviceUsage', { ...ofProject, device_serial: 'USED-1' })
    expect(chunks.points.at(-1)?.chunks).toEqual({ count: 2, bytes: 11 })
    const projectless = await newMember(own, 'member', [], stack)
    const nothing = await projectless.client.call('showOverview', { organization })
    expect(nothing).toMatchObject({ devices: { count: 0 }, projects: [], lookups: { not_found: 0 } })
    const reader = await newMember(own, 'member', [{ project, role: 'reader' }], stack)
    expect(await reader.client.call('showOverview', { organization })).toMatchObject({
      projects: [{ slug: project.slug, failing_webhooks: null }],
    })
  })

  it('counts the requests with a token and a project key by outcome, denied ones too', async () => {
    const { slug: organization, project, admin, token } = own
    const denied = await send(url(), 'GET', `/api/v0/organizations/${organization}/members`, {
      credential: token.credential,
    })
    expect(denied.status).toBe(403)
    await eventually(async () => {
      const { days } = await admin.client.call('showOrganizationTokenUsage', {
        organization,
        organization_token_id: token.id,
      })
      expect(days).toHaveLength(30)
      expect(days.at(-1)).toMatchObject({ invalid: 3, denied: 2, limited: 0, failed: 0 })
      const key = await admin.client.call('showProjectKeyUsage', { organization, project: project.slug })
      expect(key.days.at(-1)).toMatchObject({ ok: 2, invalid: 0, denied: 0 })
    }, patience)
  })

  it('counts a report that a gateway repeats once', async () => {
    const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
    const client = new NatsClient(connection)
    const organization_id = randomUUID()
    const day = dayOf(new Date())
    const count = {
      organization_id,
      day,
      credential_id: randomUUID(),
      last_used_at: new Date().toISOString(),
    }
    const report = {
      report_id: randomUUID(),
      counts: [{ ...count, kind: 'project_key' as const, requests: 5 }],
    }
    for (let time = 0; time < 3; time++) await client.call(recordRequestUsage, report)
    expect(await client.call(listRequestUsage, { organization_id, from: day })).toMatchObject({
      days: [{ day, kind: 'project_key', requests: 5 }],
      credentials: [{ name: null, requests: 5 }],
    })
    await connection.drain()
  })

  it('counts chunks and devices exactly, although management is killed while it stores them', async () => {
    const { slug: organization, project } = other
    const sums = async () => {
      const { points } = await other.admin.client.call('showProjectOverview', {
        ...{ organization, project: project.slug, period: '7d' },
      })
      return points.reduce(
        (sum, { chunks, devices_seen }) => ({
          chunks: sum.chunks + chunks.count,
          bytes: sum.bytes + chunks.bytes,
          devices: sum.devices + devices_seen,
        }),
        { chunks: 0, bytes: 0, devices: 0 },
      )
    }
    let accepted = 0
    const sendAll = async (lane: number) => {
      for (let count = 0; count < 60; count++) {
        const { status } = await send(url(), 'POST', `/api/v0/chunks/KILLED-${String(lane)}`, {
          credential: { kind: 'project_key', key: project.key },
          body: 'four',
          headers: { 'content-type': 'application/octet-stream' },
        })
        if (status === 202) accepted++
      }
    }
    const sending = Promise.all([0, 1, 2, 3].map(sendAll))
    await eventually(async () => {
      expect((await sums()).chunks).toBeGreaterThan(0)
    }, patience)
    await stack.part('management').kill()
    await sending
    await stack.part('management').start()
    await eventually(async () => {
      expect(await sums()).toEqual({ chunks: accepted, bytes: accepted * 4, devices: 4 })
    }, patience)
    expect(accepted).toBeGreaterThan(100)
  })

  it('is refused with a clear error for a period that is too long', async () => {
    const path = `/api/v0/organizations/${own.slug}/usage?days=91`
    expect(await send(url(), 'GET', path, { credential: own.admin.credential })).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', errors: [{ pointer: '/days' }] },
    })
  })

  it('is printed as tables with a bar for each day, and as JSON', async () => {
    const environment = {
      BEARING_URL: url(),
      BEARING_ORG: own.slug,
      BEARING_EMAIL: own.admin.email,
      BEARING_PASSWORD: own.admin.apiKey,
    }
    const shown = await runBearing(['organizations', 'usage', '--days', '3'], environment)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain('of 1,000,000')
    expect(shown.stdout).toContain('█')
    expect(shown.stdout).toContain(own.admin.email)
    const json = await runBearing(['--json', 'organizations', 'usage', own.slug], environment)
    expect((JSON.parse(json.stdout) as { days: unknown[] }).days).toHaveLength(30)
    const lines = await runBearing(['usage', '--period', '7d'], environment)
    expect(lines).toMatchObject({ code: 0, stderr: '' })
    expect(lines.stdout).toMatch(/Look-ups +3, 0.0 % refused +█/)
    for (const flags of [['--token', own.token.id], ['--key'], ['--device', 'USED-1']])
      expect(await runBearing(['--project', own.project.slug, 'usage', ...flags], environment)).toMatchObject(
        { code: 0, stderr: '', stdout: expect.stringContaining('█') as unknown },
      )
  })
})
