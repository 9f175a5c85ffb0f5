import { freePort } from '@bearing/local/ports'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import type { Part } from '@bearing/testing/part'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'
import { basic, send } from '../tools/http.js'
import { WebhookReceiver, type Answer } from '../tools/webhook-receiver.js'

/** Time that a device waits for the other service, in milliseconds. */
const WAIT_MS = 1_000
const CONCURRENT = 2
const OWN = { data: { chunks: 1 } }

describe('a trial beside another service', () => {
  const stack = stackForSuite({
    gateways: 1,
    services: ['identity', 'management'],
    environment: { gateway: { PROJECT_KEY_HEADERS: 'Service-Project-Key,Vendor-Project-Key' } },
    constants: { gateway: { PASS_THROUGH_TIMEOUT_MS: WAIT_MS, CONCURRENT_PASS_THROUGHS: CONCURRENT } },
  })
  const own = forSuite(() => newOrganization(stack))
  /** The service that the fleet comes from. */
  const vendor = forSuite(() => WebhookReceiver.start('127.0.0.1'))
  let gateway: Part
  let other: TestProject
  /** Its other service does not run. */
  let away: TestProject

  const url = () => stack.gatewayUrls[1] ?? ''
  const device = (project: TestProject = own.project) => new TestDevice(url(), own, project)
  const answers =
    (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
    (reply) => {
      reply
        .writeHead(status, { 'content-type': 'text/plain', 'content-length': body.length, ...headers })
        .end(body)
    }
  const never: Answer = () => undefined
  const ask = (method: string, path: string, key: string, body?: string) =>
    send(url(), method, path, { headers: { 'vendor-project-key': key }, body })

  beforeAll(async () => {
    ;[other, away] = [await newProject(own), await newProject(own)]
    const origins = [
      `${own.project.id}=${new URL(vendor.url).origin}`,
      `${away.id}=http://127.0.0.1:${String(await freePort())}`,
    ]
    gateway = await stack.addReplica('gateway', { PASS_THROUGH: origins.join(', ') })
  })
  beforeEach(() => {
    vendor.received.length = 0
    vendor.answer = answers(202, 'Accepted')
  })
  afterEach(() => gateway.start())

  it.each([200, 202, 400, 403, 413, 429])(
    'answers a chunk as the other service does, with %s, and stores it once',
    async (status) => {
      vendor.answer = answers(status, `its ${String(status)}`, { 'retry-after': '7', 'set-cookie': 'a=b' })
      const one = device()
      const reply = await one.send('a chunk')
      expect(reply).toMatchObject({ status, body: `its ${String(status)}` })
      expect(reply.headers.get('content-type')).toBe('text/plain')
      expect(reply.headers.get('retry-after')).toBe('7')
      expect(reply.headers.has('set-cookie')).toBe(false)
      expect(vendor.received).toHaveLength(1)
      expect(await one.stored(1)).toEqual(['a chunk'])
    },
  )

  it.each<[string, Answer]>([
    ['answers 401', answers(401, 'Who are you?')],
    ['answers 500', answers(500, 'Oh')],
    ['answers 503', answers(503, 'Later', { 'retry-after': '900' })],
    ['redirects', answers(308, '', { location: 'https://example.com/' })],
    ['answers more than 64 KiB', answers(202, Buffer.alloc(65_537))],
    ['does not answer', never],
    ['begins an answer that does not end', (reply) => void reply.writeHead(202).write('Acc')],
    ['closes the connection', (reply) => void reply.destroy()],
    [
      'breaks off its answer',
      (reply) => void reply.writeHead(202, { 'content-length': 9 }).write('A', () => reply.destroy()),
    ],
  ])('answers 202 itself, and stores the chunk once, if the other service %s', async (_, answer) => {
    vendor.answer = answer
    const one = device()
    const reply = await one.send('a chunk')
    expect(reply.status).toBe(202)
    expect(JSON.parse(reply.body)).toEqual(OWN)
    expect(vendor.received).toHaveLength(1)
    expect(await one.stored(1)).toEqual(['a chunk'])
  })

  it('answers 202 itself while the other service is away', async () => {
    const one = device(away)
    expect((await one.send('a chunk')).status).toBe(202)
    expect(await one.stored(1)).toEqual(['a chunk'])
  })

  it('sends on path, body and headers of a device, and neither those of its connection nor credentials of Bearing', async () => {
    const one = device()
    const path = `//api/v0/chunks/${one.serial}?&hardware_version=evt`
    await one.send(
      Buffer.from('YWJj').toString(),
      [
        ...['Content-Type: application/octet-stream', 'Content-Encoding: base64', 'User-Agent: device/1'],
        ...['X-Of-Device: kept', 'Connection: keep-alive, X-Of-Hop', 'X-Of-Hop: 1', 'Cookie: session=1'],
        ...[`Authorization: ${basic('user@of.netrc', 'secret')}`, 'X-Forwarded-For: 203.0.113.7'],
        ...['Client-Cert: :MIIB:', 'TE: trailers'],
      ],
      path,
    )
    const [got] = vendor.received
    expect(got).toMatchObject({ method: 'POST', path, body: 'YWJj' })
    expect(got?.headers).toEqual({
      ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'base64' },
      ...{ 'service-project-key': own.project.key, 'user-agent': 'device/1', 'x-of-device': 'kept' },
      ...{ host: new URL(vendor.url).host, 'content-length': '4', via: '1.1 bearing' },
      connection: 'keep-alive',
    })
    expect(await one.stored(1)).toEqual(['abc'])
  })

  it('sends on nothing with a wrong project key, of another project, with a token, or that Bearing refuses', async () => {
    const path = `/api/v0/chunks/${device().serial}`
    const chunk = (key: string, to = path, headers: Readonly<Record<string, string>> = {}) =>
      send(url(), 'POST', to, {
        headers: { 'vendor-project-key': key, 'content-type': 'application/octet-stream', ...headers },
        body: new Uint8Array(1),
      })
    const wrong = 'f'.repeat(32)
    for (const key of [wrong, '']) {
      expect((await chunk(key)).status).toBe(403)
      for (const unserved of ['/api/v0/sdk-settings', '/api/v0/releases/latest'])
        expect((await ask('GET', unserved, key)).status).toBe(403)
    }
    expect((await chunk(other.key)).status).toBe(202)
    expect((await ask('GET', '/api/v0/sdk-settings', other.key)).json?.code).toBe('route_not_found')
    expect((await ask('GET', '/api/v0/releases/latest', other.key)).status).toBe(204)
    const { credential } = own.token
    expect((await send(url(), 'GET', '/api/v0/sdk-settings', { credential })).status).toBe(404)
    expect((await send(url(), 'GET', '/api/v0/sdk-settings')).status).toBe(404)
    const { key } = own.project
    expect((await chunk(key, '/api/v0/chunks/not~a~serial')).status).toBe(400)
    expect((await chunk(key, path, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await chunk(key, path, { via: '1.1 proxy, 1.1 bearing' })).status).toBe(202)
    expect((await ask('DELETE', path, key)).status).toBe(405)
    expect(vendor.received).toEqual([])
  })

  it('passes device routes through that Bearing does not serve, with replies of any size', async () => {
    const { key } = own.project
    const image = Buffer.alloc(5_000_000, 'firmware')
    vendor.answer = answers(200, image, { etag: '"1"', 'set-cookie': 'a=b' })
    const reply = await ask('GET', '/api/v0/releases/latest?device_serial=A&current_version=1', key)
    expect(reply.status).toBe(200)
    expect(reply.text).toBe(image.toString())
    expect(reply.headers.get('content-length')).toBe(String(image.length))
    expect(reply.headers.get('etag')).toBe('"1"')
    expect(reply.headers.has('set-cookie')).toBe(false)
    vendor.answer = answers(302, '', { location: 'https://cdn.example.com/1.bin' })
    expect((await ask('GET', '/api/v0/releases/latest/url', key)).headers.get('location')).toBe(
      'https://cdn.example.com/1.bin',
    )
    vendor.answer = answers(204, '')
    expect(
      (await ask('PATCH', '/api/v0/attributes?device_serial=A', key, '[{"string_key":"a"}]')).status,
    ).toBe(204)
    vendor.answer = answers(404, 'none')
    expect(await ask('POST', '/api/v0/events', key, '')).toMatchObject({ status: 404, text: 'none' })
    expect(vendor.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/v0/releases/latest?device_serial=A&current_version=1', ''],
      ['GET', '/api/v0/releases/latest/url', ''],
      ['PATCH', '/api/v0/attributes?device_serial=A', '[{"string_key":"a"}]'],
      ['POST', '/api/v0/events', ''],
    ])
  })

  it('answers 204 to update checks and 503 elsewhere if the other service does not answer, and never its 401', async () => {
    const statuses = async (key: string) => [
      (await ask('GET', '/api/v0/releases/latest', key)).status,
      (await ask('GET', '/api/v0/sdk-settings', key)).status,
    ]
    expect(await statuses(away.key)).toEqual([204, 503])
    for (const answer of [answers(500, 'Oh'), never]) {
      vendor.answer = answer
      expect(await statuses(own.project.key)).toEqual([204, 503])
    }
    vendor.answer = answers(401, 'Who are you?')
    expect(await statuses(own.project.key)).toEqual([204, 404])
    expect(gateway.output()).toContain('"it answers 401"')
    expect(gateway.output()).not.toContain(own.project.key)
  })

  it('ends a reply that breaks off, and serves the next request', async () => {
    vendor.answer = (reply) =>
      void reply
        .writeHead(200, { 'content-length': 9 })
        .write('A', () => setTimeout(() => reply.destroy(), 50))
    await expect(ask('GET', '/api/v0/sdk-settings', own.project.key)).rejects.toThrow()
    vendor.answer = answers(200, 'whole')
    expect((await ask('GET', '/api/v0/sdk-settings', own.project.key)).text).toBe('whole')
  })

  it('lets only so many devices wait for the other service, and answers others itself immediately', async () => {
    const held: (() => void)[] = []
    vendor.answer = (reply) => void held.push(() => reply.writeHead(200).end('its answer'))
    const waiting = Array.from({ length: CONCURRENT }, () => device().send('a chunk'))
    await vendor.got(CONCURRENT)
    const reply = await device().send('a chunk')
    expect(JSON.parse(reply.body)).toEqual(OWN)
    expect(vendor.received).toHaveLength(CONCURRENT)
    for (const release of held) release()
    for (const { body } of await Promise.all(waiting)) expect(body).toBe('its answer')
    expect(await stack.metrics('gateway-2')).toMatch(
      /bearing_outgoing_call_duration_seconds_count\{to="pass_through",outcome="busy"\} 1/,
    )
  })

  it('answers 503 for a chunk that Bearing cannot store, without asking the other service', async () => {
    const one = device()
    expect((await one.send('before')).status).toBe(202)
    await stack.part('nats').stop()
    try {
      expect((await one.send('meanwhile')).status).toBe(503)
      expect(vendor.received).toHaveLength(1)
    } finally {
      await stack.part('nats').start()
    }
    expect(await one.stored(1)).toEqual(['before'])
  })

  it('keeps a chunk whose gateway is killed while the other service is asked, and the device sends it again', async () => {
    vendor.answer = never
    const one = device()
    const headers = ['Content-Type: application/octet-stream', 'Idempotency-Key: 1']
    const lost = expect(one.send('a chunk', headers)).rejects.toThrow()
    await vendor.got(1)
    await gateway.kill()
    await lost
    await gateway.start()
    vendor.answer = answers(202, 'Accepted')
    expect((await one.send('a chunk', headers)).body).toBe('Accepted')
    expect((await one.send('the next', ['Content-Type: application/octet-stream'])).status).toBe(202)
    expect(await one.stored(2)).toEqual(['a chunk', 'the next'])
  })

  it('stops while a connection to the other service is open', async () => {
    expect((await device().send('a chunk')).status).toBe(202)
    const startedMs = performance.now()
    await gateway.stop()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })
})
