import { Buffer } from 'node:buffer'
import { randomBytes, randomUUID } from 'node:crypto'
import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { TestDevice, newSerial } from '../tools/device-data.js'
import { commit, prepare, put, type UploadTarget } from '../tools/uploading.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering, isSignedWith } from '../tools/webhook-receiver.js'

const LONG_AGO = '2026-01-01T00:00:00.000Z'
/** Long enough for what is due to be found out, in milliseconds. */
const QUIET_MS = 1_500

describe('webhooks', () => {
  const stack = stackForSuite({
    gateways: 1,
    environment: {
      management: {
        WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32`,
      },
    },
    constants: {
      management: {
        WEBHOOK_RETRY_DELAYS_S: [1, 2, 1, 1, 1, 1],
        WEBHOOK_PAUSE_AFTER_S: 60,
        WEBHOOK_TIMEOUT_MS: 5_000,
      },
    },
  })
  const own = forSuite(() => newOrganization(stack))
  let project: TestProject
  let receiver: WebhookReceiver
  const gateway = () => stack.gatewayUrls[0] ?? ''
  const at = () => ({ organization: own.slug, project: project.slug })
  const device = () => new TestDevice(gateway(), own, project)
  const create = (more: object = {}) =>
    own.token.client.call('createWebhook', { ...at(), url: receiver.url, ...more })
  const show = (webhook_id: string) => own.token.client.call('showWebhook', { ...at(), webhook_id })
  const log = async (webhook_id: string) =>
    (await own.token.client.call('listWebhookDeliveries', { ...at(), webhook_id })).data
  const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS))

  beforeEach(async () => {
    project = await newProject(own)
    receiver = await WebhookReceiver.start()
  })

  afterEach(() => receiver.stop())

  async function uploadCoredump(device_serial: string): Promise<void> {
    const path = `/api/v0/organizations/${own.slug}/projects/${project.slug}`
    const target: UploadTarget = {
      gateway: gateway(),
      project: path,
      credential: { kind: 'project_key', key: project.key },
    }
    const prepared = await prepare(target)
    await put(prepared, randomBytes(100))
    const body = { file: { token: prepared.token }, device: { device_serial } }
    expect((await commit(target, '/api/v0/upload/coredump', body)).status).toBe(202)
    // The same commit again is no other coredump.
    expect((await commit(target, '/api/v0/upload/coredump', body)).status).toBe(202)
  }

  it('receive an event for each new device and coredump, once each, signed so that others can verify it', async () => {
    const { secret } = await create()
    const one = device()
    await own.token.client.call('registerDevice', one.address)
    await one.send('x', ['Hardware-Version: evt'])
    await one.stored(1)
    await receiver.got(1)
    await one.send('y')
    await one.stored(2)
    await uploadCoredump(one.serial)
    const [seen, dump] = await receiver.got(2)
    await quiet()
    expect(receiver.received).toHaveLength(2)
    expect(seen?.json).toMatchObject({
      type: 'device.first_seen',
      data: { organization_id: own.id, project_id: project.id, device_serial: one.serial },
    })
    expect(dump?.json).toMatchObject({
      type: 'coredump.uploaded',
      data: { device_serial: one.serial, file: { kind: 'coredump', size: 100 } },
    })
    for (const request of receiver.received) {
      expect(isSignedWith(request, secret)).toBe(true)
      expect(isSignedWith(request, `whsec_${randomBytes(32).toString('base64')}`)).toBe(false)
      expect(isSignedWith({ ...request, body: `${request.body} ` }, secret)).toBe(false)
      expect(request.headers).toMatchObject({ 'content-type': 'application/json' })
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  it('receive the events of a whole fleet as fast as they accept them', async () => {
    await create()
    const devices = Array.from({ length: 300 }, device)
    for (const one of devices) await one.send('x')
    // Less than it would take if it were looked for the next ones twice a second.
    await receiver.got(devices.length, 30_000)
    expect(new Set(receiver.received.map(({ json }) => json.data['device_serial'])).size).toBe(devices.length)
  })

  it('are tried again with growing pauses until they are accepted, under the same id and a fresh signature', async () => {
    const { id, secret } = await create()
    const times: number[] = []
    receiver.answer = (reply) => {
      times.push(performance.now())
      reply.writeHead(times.length < 3 ? 500 : 200).end('no matter what')
    }
    await device().send('x')
    const requests = await receiver.got(3)
    const [first = 0, second = 0, third = 0] = times
    // The times that are written down are whole milliseconds.
    expect(second - first).toBeGreaterThanOrEqual(999)
    expect(third - second).toBeGreaterThanOrEqual(1_999)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
    for (const request of requests) expect(isSignedWith(request, secret)).toBe(true)
    await eventually(async () => {
      expect(await log(id)).toMatchObject([
        { id: requests[0]?.headers['webhook-id'], state: 'delivered', attempts: 3, status: 200, error: null },
      ])
    })
    expect(await show(id)).toMatchObject({ state: 'active', failing_since: null })
  })

  it('that no receiver accepts are abandoned, and the log says so without address, secret or content', async () => {
    const { id, secret } = await create({ url: `${receiver.url}/planted-path?planted=query` })
    receiver.answer = (reply) => reply.writeHead(500, { 'x-planted': 'header' }).end('planted-reply')
    await device().send('x')
    await eventually(
      async () => {
        expect(await log(id)).toMatchObject([
          { state: 'failed', attempts: 7, status: 500, error: 'status', next_attempt_at: null },
        ])
      },
      { withinMs: 60_000, everyMs: 200 },
    )
    expect(await show(id)).toMatchObject({ state: 'failing' })
    const shown = JSON.stringify([await log(id), await show(id)])
    for (const planted of [secret, 'whsec_', 'planted-reply', 'header']) expect(shown).not.toContain(planted)
    expect(JSON.stringify(await log(id))).not.toContain('planted')
    expect(stack.output()).not.toMatch(/planted|whsec_/)
  })

  it('lose nothing where management is killed in between, again and again', async () => {
    const { id } = await create()
    receiver.answer = () => undefined // it never answers
    const devices = Array.from({ length: 12 }, device)
    for (const one of devices) expect((await one.send('x')).status).toBe(202)
    await receiver.got(2)
    await stack.part('management').kill()
    await stack.part('management').start()
    await receiver.got(receiver.received.length + 1)
    await stack.part('management').kill()
    const before = receiver.received.length
    receiver.answer = answering(200)
    await stack.part('management').start()
    const accepted = new Set<unknown>()
    await eventually(
      () => {
        for (const { json } of receiver.received.slice(before)) accepted.add(json.data['device_serial'])
        expect(accepted.size).toBe(devices.length)
      },
      { withinMs: 120_000, everyMs: 100 },
    )
    await eventually(async () => {
      const states = (await log(id)).map(({ state }) => state)
      expect(states).toEqual(devices.map(() => 'delivered'))
    })
  })

  it('get a new secret: both are accepted while the grace lasts, and the old one not after it', async () => {
    const { id, secret: first } = await create()
    const rotated = await own.token.client.call('rotateWebhook', {
      ...at(),
      webhook_id: id,
      grace_seconds: 3600,
    })
    expect(rotated.previous_secret_until).not.toBeNull()
    await device().send('x')
    const [request] = await receiver.got(1)
    if (!request) throw new Error('there is none')
    expect(isSignedWith(request, first)).toBe(true)
    expect(isSignedWith(request, rotated.secret)).toBe(true)
    const again = await own.token.client.call('rotateWebhook', { ...at(), webhook_id: id, grace_seconds: 0 })
    expect(again.previous_secret_until).toBeNull()
    await device().send('x')
    const [, next] = await receiver.got(2)
    if (!next) throw new Error('there is none')
    expect(isSignedWith(next, rotated.secret)).toBe(false)
    expect(isSignedWith(next, again.secret)).toBe(true)
    expect(JSON.stringify(await show(id))).not.toContain('whsec_')
    const [row] = await query('SELECT secret_box FROM webhooks WHERE id = $1', [id])
    const key = Buffer.from(again.secret.slice(6), 'base64')
    expect((row?.['secret_box'] as Buffer).includes(key)).toBe(false)
  })

  it('receive nothing of other projects and organizations, and are nobody else’s to see or touch', async () => {
    const { id } = await create()
    const [sibling, other] = await Promise.all([newProject(own), newOrganization(stack)])
    const outsiders = [
      new TestDevice(gateway(), own, sibling),
      new TestDevice(gateway(), other, other.project),
    ]
    for (const outsider of outsiders) {
      await outsider.send('x')
      await outsider.stored(1)
    }
    await quiet()
    expect(receiver.received).toEqual([])
    const missing = { code: 'webhook_not_found' }
    for (const [client, place] of [
      [own.token.client, { organization: own.slug, project: sibling.slug }],
      [other.token.client, { organization: other.slug, project: other.project.slug }],
    ] as const) {
      const one = { ...place, webhook_id: id }
      await expect(client.call('showWebhook', one)).rejects.toMatchObject(missing)
      await expect(client.call('changeWebhook', { ...one, paused: true })).rejects.toMatchObject(missing)
      await expect(client.call('rotateWebhook', one)).rejects.toMatchObject(missing)
      await expect(client.call('testWebhook', one)).rejects.toMatchObject(missing)
      await expect(client.call('redeliverWebhook', { ...one, since: LONG_AGO })).rejects.toMatchObject(
        missing,
      )
      await expect(client.call('listWebhookDeliveries', one)).rejects.toMatchObject(missing)
      await expect(client.call('deleteWebhook', one)).rejects.toMatchObject(missing)
      expect((await client.call('listWebhooks', place)).data).toEqual([])
    }
    expect((await show(id)).state).toBe('active')
  })

  it('stop when they, or the device, are deleted', async () => {
    const { id } = await create()
    receiver.answer = answering(500)
    const one = device()
    await one.send('x')
    await receiver.got(1)
    await own.token.client.call('deleteDevice', one.address)
    await quiet()
    const sofar = receiver.received.length
    await quiet()
    expect(receiver.received).toHaveLength(sofar)
    expect(await log(id)).toEqual([])
    await device().send('x')
    await receiver.got(sofar + 1)
    await own.token.client.call('deleteWebhook', { ...at(), webhook_id: id })
    const last = receiver.received.length
    await quiet()
    expect(receiver.received.length).toBeLessThanOrEqual(last + 1) // one may have been on its way
    expect(await query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [id])).toEqual([])
    await expect(show(id)).rejects.toMatchObject({ code: 'webhook_not_found' })
  })

  it('receive positions of devices only if configured', async () => {
    const location = await connectNats({
      url: stack.natsUrl.replace(/\/\/.*@/, '//'),
      nkeySeed: stack.nkeySeeds.location,
      name: 'location',
    })
    const store = new MessageStore(location)
    const [device_serial, gone] = [newSerial(), device()]
    const publish = (id: string, owner: string, serial = device_serial, more = {}) =>
      store.store({
        subject: `${DEVICE_LOCATION_STREAM.subject}.${owner}.${project.id}`,
        id,
        headers: {},
        body: Buffer.from(
          JSON.stringify({
            ...{ id, organization_id: own.id, project_id: project.id, device_serial: serial },
            ...{ lat: 48.1, lon: 11.5, uncertainty: 30, confidence: 68, fulfilled_with: 'WIFI' },
            resolved_at: '2026-01-01T00:00:00.000Z',
            ...more,
          }),
        ),
      })
    try {
      const { id } = await create()
      // No webhook receives positions yet.
      await publish(randomUUID(), own.id)
      await quiet()
      await own.token.client.call('changeWebhook', {
        ...{ ...at(), webhook_id: id },
        events: ['device.location_resolved'],
      })
      await gone.send('x')
      await gone.stored(1)
      await own.token.client.call('deleteDevice', gone.address)
      // Before the device was deleted, in another organization's name, and nothing that can be read.
      await publish(randomUUID(), own.id, gone.serial)
      await publish(randomUUID(), randomUUID())
      await publish(randomUUID(), own.id, device_serial, { lat: 91 })
      const event = randomUUID()
      await publish(event, own.id)
      await publish(event, own.id)
      await receiver.got(1)
      await quiet()
      expect(receiver.received.map(({ json }) => json)).toEqual([
        {
          type: 'device.location_resolved',
          timestamp: '2026-01-01T00:00:00.000Z',
          data: {
            ...{ organization_id: own.id, project_id: project.id, device_serial },
            location: { lat: 48.1, lon: 11.5, uncertainty: 30, confidence: 68, fulfilled_with: 'WIFI' },
          },
        },
      ])
    } finally {
      await location.drain()
    }
  })

  it('receive positions of devices from the location service, each position once', async () => {
    const { token } = own
    const { secret } = await create({ events: ['device.location_resolved'] })
    const macs = ['02:d0:00:00:71:00', '02:d0:00:00:72:00']
    const begun = await token.client.call('beginImport', {
      organization: own.slug,
      content: 'positions',
      digest: randomBytes(32).toString('hex'),
    })
    const imported = { organization: own.slug, import_id: begun.id }
    const rows = macs.map((mac): [string, number, number, null] => [mac, 48, 11, null])
    await token.client.call('appendToImport', { ...imported, batch: 0, rows })
    await token.client.call('commitImport', { ...imported, batches: 1, rows: rows.length })
    await token.client.call('changePositionPolicy', { ...at(), store_positions: true, retention_days: 30 })
    const [first, second] = [newSerial(), newSerial()]
    const locate = (device_id?: string) =>
      token.client.call('resolveWifiLocation', {
        ...at(),
        accessPoints: macs.map((macAddress) => ({ macAddress, signalStrength: -50 })),
        ...(device_id !== undefined && { device_id }),
      })
    await eventually(() => locate(), { withinMs: 30_000, everyMs: 200 })
    const position = await locate(first)
    await locate(second)
    const requests = await receiver.got(2)
    await quiet()
    expect(receiver.received.map(({ json }) => json.data['device_serial']).sort()).toEqual(
      [first, second].sort(),
    )
    const sent = requests.find(({ json }) => json.data['device_serial'] === first)
    expect(sent?.json.data['location']).toMatchObject({
      ...{ lat: position?.lat, lon: position?.lon, uncertainty: position?.uncertainty },
      fulfilled_with: 'WIFI',
    })
    expect(sent && isSignedWith(sent, secret)).toBe(true)
  })

  it('are in the audit log, with the host of their address alone', async () => {
    const { id } = await create({ url: `${receiver.url}/planted` })
    const one = { ...at(), webhook_id: id }
    await own.token.client.call('changeWebhook', { ...one, paused: true })
    await own.token.client.call('rotateWebhook', one)
    await own.token.client.call('deleteWebhook', one)
    const rows = await query('SELECT action, details FROM audit_log WHERE target = $1 ORDER BY id', [
      `webhook:${id}`,
    ])
    expect(rows.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.changed',
      'webhook.rotated',
      'webhook.deleted',
    ])
    expect(rows[0]?.['details']).toMatchObject({ host: `${RECEIVER_ADDRESS}:${String(receiver.port)}` })
    expect(JSON.stringify(rows)).not.toMatch(/planted|whsec_/)
  })

  async function query(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    await using client = await connectTo(stack.databaseUrls.management)
    const { rows } = await client.query<Record<string, unknown>>(sql, values)
    return rows
  }
})
