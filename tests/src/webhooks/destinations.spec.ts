import { createHmac, randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'
import { KEY, startS3 } from '../tools/s3-server.js'
import { commit, prepare, put } from '../tools/uploading.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering, type Received } from '../tools/webhook-receiver.js'

interface Item {
  readonly id: string
  readonly device_serial: string
  readonly data: string | null
}

const PROJECT_KEY = 'a'.repeat(32)

describe('what devices send', () => {
  const s3 = forSuite(() => startS3())
  const stack = stackForSuite({
    gateways: 1,
    services: ['identity', 'management'],
    environment: {
      management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32,127.0.0.1/32` },
    },
    constants: {
      management: {
        ...{ WEBHOOK_RETRY_DELAYS_S: [1, 1], WEBHOOK_PAUSE_AFTER_S: 60, WEBHOOK_TIMEOUT_MS: 5_000 },
        S3_OBJECT_AGE_MS: 100,
      },
    },
  })
  const own = forSuite(() => newOrganization(stack))

  let project: TestProject
  let receiver: WebhookReceiver

  const at = () => ({ organization: own.slug, project: project.slug })
  const device = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, project)
  const texts = (items: readonly Item[]) =>
    items.map(({ data }) => Buffer.from(data ?? '', 'base64').toString())

  beforeEach(async () => {
    project = await newProject(own)
    receiver = await WebhookReceiver.start()
  })
  afterEach(() => receiver.stop())

  const create = {
    ndjson: () =>
      own.token.client.call('createWebhook', {
        ...at(),
        url: receiver.url,
        destination: { kind: 'ndjson' },
      }),
    s3: () =>
      own.token.client.call('createWebhook', {
        ...at(),
        url: `${s3.url}/${s3.environment['S3_BUCKET'] ?? ''}/objects/${project.slug}`,
        destination: {
          ...{ kind: 's3', region: 'us-east-1' },
          access_key_id: KEY.id,
          secret_access_key: KEY.secret,
        },
      }),
    device_api: () =>
      own.token.client.call('createWebhook', {
        ...at(),
        url: `${new URL(receiver.url).origin}/old`,
        destination: { kind: 'device_api', project_key: PROJECT_KEY, project_key_header: 'Vendor-Key' },
      }),
  }
  const lines = (body: Uint8Array) =>
    gunzipSync(body)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Item)
  /** Items that each kind has received, in order. */
  const received = {
    ndjson: () => Promise.resolve(receiver.received.flatMap(({ bytes }) => texts(lines(bytes)))),
    s3: async () => {
      const objects = await s3.contents(`objects/${project.slug}/`)
      return objects.flatMap(({ bytes }) => texts(lines(bytes)))
    },
    device_api: () => Promise.resolve(receiver.received.map(({ body }) => body)),
  }
  const kinds = ['ndjson', 's3', 'device_api'] as const

  it.each(kinds)(
    'arrives at %s at least once and in order, although management and the receiver end again and again',
    async (kind) => {
      await create[kind]()
      const one = device()
      let answers = 0
      receiver.answer = (reply, request) => {
        answering(++answers % 3 === 0 ? 204 : 503)(reply, request)
      }
      s3.fault = (request, response) => {
        if (++answers % 3 === 0) return false
        request.resume()
        response.writeHead(503).end()
        return true
      }
      const sent = Array.from({ length: 30 }, (_, index) => `chunk ${String(index)}`)
      for (const [index, text] of sent.entries()) {
        await eventually(async () => expect((await one.send(text)).status).toBe(202), { withinMs: 30_000 })
        if (index % 15 !== 7) continue
        await stack.part('management').kill()
        await stack.part('management').start()
        await receiver.restart()
      }
      s3.fault = undefined
      receiver.answer = answering(204)
      await eventually(async () => expect(new Set(await received[kind]())).toEqual(new Set(sent)), {
        withinMs: 90_000,
      })
      const stored: Item[] = []
      for await (const item of own.token.client.stream('readData', at())) stored.push(item as Item) // they are chunks
      expect([...new Set(await received[kind]())]).toEqual(texts(stored))
    },
  )

  it('is signed over the compressed bytes that a receiver of lines gets', async () => {
    const { secret } = await create.ndjson()
    await device().send('a')
    const [request] = await receiver.got(1)
    expect(request?.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson',
    })
    expect(request && isSigned(request, secret)).toBe(true)
  })

  it('is in objects that are named by hour and range, with credentials that nothing shows', async () => {
    const created = await create.s3()
    expect(created).toMatchObject({ kind: 's3', secret: '', state: 'active', events: ['device.data_stored'] })
    await device().send('a')
    await eventually(async () => expect(await received.s3()).toEqual(['a']))
    const [object] = await s3.contents(`objects/${project.slug}/`)
    expect(object?.name).toMatch(/\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/\d{19}-\d{19}\.ndjson\.gz$/)
    expect(JSON.stringify(await own.token.client.call('listWebhooks', at()))).not.toContain(KEY.secret)
    const { data } = await own.admin.client.call('listAuditEntries', { organization: own.slug })
    expect(JSON.stringify(data)).not.toContain(KEY.secret)
    const tested = await own.token.client.call('testWebhook', { ...at(), webhook_id: created.id })
    expect(tested.state).toBe('delivered')
  })

  it('is forwarded to another service, whose refusals are counted and stop nothing', async () => {
    const { id: webhook_id } = await create.device_api()
    receiver.answer = (reply, request) => {
      answering(request.body === 'bad' ? 400 : 202)(reply, request)
    }
    const one = device()
    for (const [index, text] of ['a', 'bad', 'b'].entries()) {
      await one.send(text)
      await receiver.got(index + 1)
    }
    expect(await received.device_api()).toEqual(['a', 'bad', 'b'])
    expect(receiver.received[0]).toMatchObject({
      path: `/old/api/v0/chunks/${one.serial}`,
      headers: { 'vendor-key': PROJECT_KEY, 'content-type': 'application/octet-stream' },
    })
    await eventually(async () => {
      const { points, lag } = await own.token.client.call('showWebhookUsage', { ...at(), webhook_id })
      expect(points.at(-1)).toMatchObject({ items_stored: 3, items_delivered: 2, items_refused: 1 })
      expect(lag).toEqual({ items: 0, seconds: 0 })
    })
  })

  it('is forwarded with the files that devices commit, by the steps that devices take', async () => {
    const gateway = stack.gatewayUrls[0] ?? ''
    const target = { gateway, project: '', credential: { kind: 'project_key', key: project.key } as const }
    const upload = async (bytes: Buffer, headers: Readonly<Record<string, string>> = {}) => {
      const prepared = await prepare(target)
      await put(prepared, bytes, headers)
      const file = { token: prepared.token, name: 'core.1' }
      const device = { device_serial: 'DEVICE-1', hardware_version: 'evt' }
      const reply = await commit(target, '/api/v0/upload/coredump', { file, device })
      expect(reply.status).toBe(202)
    }
    await upload(Buffer.from('before'))
    const { id: webhook_id } = await create.device_api()
    let refusals = 1
    receiver.answer = (reply, request) => {
      const data = { upload_url: `${new URL(receiver.url).origin}/bucket/1`, token: 'their token' }
      if (request.path === '/bucket/1' && refusals-- > 0) answering(503)(reply, request)
      else if (request.path.endsWith('/upload')) reply.end(JSON.stringify({ data }))
      else answering(202)(reply, request)
    }
    const content = randomBytes(1_500_000)
    await upload(gzipSync(content), { 'content-encoding': 'gzip' })
    const requests = await receiver.got(5)
    const [asked, , , again, committed] = requests
    expect(asked).toMatchObject({ path: '/old/api/v0/upload', headers: { 'vendor-key': PROJECT_KEY } })
    expect(asked?.json).toMatchObject({ kind: 'coredump', device: { device_serial: 'DEVICE-1' } })
    expect(again?.headers).not.toHaveProperty('vendor-key')
    const coding = again?.headers['content-encoding']
    expect(again && (coding === 'gzip' ? gunzipSync(again.bytes) : again.bytes)).toEqual(content)
    expect(committed).toMatchObject({
      path: '/old/api/v0/upload/coredump',
      headers: { 'vendor-key': PROJECT_KEY },
      json: {
        file: { token: 'their token', name: 'core.1' },
        device: { device_serial: 'DEVICE-1', hardware_version: 'evt' },
      },
    })
    await eventually(async () => {
      const { points } = await own.token.client.call('showWebhookUsage', { ...at(), webhook_id })
      expect(points.at(-1)).toMatchObject({ items_stored: 1, items_delivered: 1, items_refused: 0 })
    })
  })

  it('is not lost if the other service refuses the project key', async () => {
    const { id: webhook_id } = await create.device_api()
    receiver.answer = answering(401)
    await device().send('a')
    await receiver.got(2)
    const { lag } = await own.token.client.call('showWebhookUsage', { ...at(), webhook_id })
    expect(lag).toMatchObject({ items: 1 })
    receiver.received.length = 0
    receiver.answer = answering(202)
    await receiver.got(1)
    expect(await received.device_api()).toEqual(['a'])
  })

  it('goes to no other URL with the same credentials, and to no destination of another kind', async () => {
    const { client } = own.token
    const { id: webhook_id } = await create.device_api()
    const change = { ...at(), webhook_id }
    const url = receiver.url
    await expect(client.call('changeWebhook', { ...change, url })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(
      client.call('changeWebhook', { ...change, destination: { kind: 'ndjson' } }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(client.call('rotateWebhook', change)).rejects.toMatchObject({ code: 'invalid_input' })
    const paused = await client.call('changeWebhook', { ...change, paused: true })
    expect(paused).toMatchObject({ state: 'paused', paused_reason: 'by_user' })
    const resumed = await client.call('changeWebhook', { ...change, paused: false })
    expect(resumed).toMatchObject({ state: 'active', paused_at: null })
  })

  it('is hidden from version 0.1, which sends to every webhook without paused_at', async () => {
    const { id } = await create.device_api()
    await using database = await connectTo(stack.databaseUrls.management)
    const select = 'SELECT paused_at IS NULL AS sends FROM webhooks WHERE id = $1'
    expect((await database.query(select, [id])).rows).toEqual([{ sends: false }])
    await expect(database.query('UPDATE webhooks SET paused_at = NULL WHERE id = $1', [id])).rejects.toThrow(
      'webhooks_kind_check',
    )
  })
})

/** Returns whether the bytes of a request are signed. The reference implementation takes text alone. */
function isSigned({ headers, bytes }: Received, secret: string): boolean {
  const head = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const right = createHmac('sha256', key).update(head).update(bytes).digest('base64')
  return headers['webhook-signature'] === `v1,${right}`
}
