import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { run } from '../program/run.js'
import { CREATED_AT, fakeGateway, id, type Answers } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const paging = { page: 1, per_page: 1_000, page_count: 1, item_count: 1, total_count: 1 }
const [BEFORE, NEW, LATER] = [
  '2026-01-31T09:05:00.000Z',
  '2026-01-31T09:09:00.000Z',
  '2026-01-31T09:09:01.000Z',
]
const device = (n: number, first_seen_at: string) => ({
  ...{ id: id(n), device_serial: `D-${String(n)}`, hardware_version: 'evt', software_type: 'main' },
  ...{ software_version: '1.0.0', first_seen_at, last_seen_at: NEW, chunk_count: 1, chunk_bytes: 0 },
  ...{ registered_at: null, nickname: null, sampling: {} },
})
const place = { lat: 48.1, lon: 11.5, uncertainty: 23, confidence: 68 }

/** Lists in which a device that was known sends again, and a device, a coredump and a position are new from the second request on. */
function answersOf(): Answers {
  let [devices, positions] = [0, 0]
  return {
    showOrganization: () => ({ id: id(1), slug: 'acme', name: 'Acme', created_at: CREATED_AT }),
    showProject: () => ({ id: id(2), slug: 'gate', name: 'Gate', created_at: CREATED_AT }),
    listDevices: () => {
      const data = [device(3, BEFORE), device(4, CREATED_AT), ...(devices++ > 0 ? [device(5, LATER)] : [])]
      return { data, paging, next: null }
    },
    listLatestPositions: () => ({
      data:
        positions++ > 0
          ? [{ ...place, device_serial: 'D-3', fulfilledWith: 'WIFI', fallback: false, resolved_at: NEW }]
          : [],
      next: null,
    }),
  }
}

/** Listens until so many deliveries were sent, then interrupts. */
async function listening(enough: number, flags: readonly string[], typed = '', isReceiverThere = true) {
  await using gateway = await fakeGateway(answersOf())
  const received: Received[] = []
  const interrupted = new AbortController()
  const receiver = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      reply.writeHead(received.length === 1 ? 204 : 500).end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const stdout = new PassThrough()
  let printed = ''
  stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    if (printed.trimEnd().split('\n').length > enough) interrupted.abort(new Error('Interrupted.'))
  })
  const { port } = receiver.address() as AddressInfo // of a TCP server
  if (!isReceiverThere) {
    receiver.close()
    await once(receiver, 'close')
  }
  const settings = { url: gateway.url, orgToken: 'T0ken', org: 'acme', project: 'gate' }
  const code = await run(['webhooks', 'listen', String(port), '--interval', '1', '-o', 'ndjson', ...flags], {
    stdin: new PassThrough().end(typed),
    // Streams as far as the command line uses them.
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: new PassThrough().resume() as unknown as NodeJS.WriteStream,
    environment: { settings, noColor: true },
    now: () => Date.parse('2026-01-31T09:10:00Z'),
    signal: interrupted.signal,
  })
  if (isReceiverThere) receiver.close()
  const parsed = () =>
    printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { code, received, port, printed, parsed }
}

describe('bearing webhooks listen', () => {
  it('sends what is new, once and the first one first, with the body and the signature of a webhook', async () => {
    const flags = ['--event', 'device.first_seen', '--event', 'device.location_resolved']
    const { code, received, parsed } = await listening(2, flags)
    const [ready, ...lines] = parsed()
    expect(code).toBe(130)
    const scope = { organization_id: id(1), project_id: id(2) }
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      {
        ...{ type: 'device.location_resolved', timestamp: NEW },
        data: { ...scope, device_serial: 'D-3', location: { ...place, fulfilled_with: 'WIFI' } },
      },
      {
        ...{ type: 'device.first_seen', timestamp: LATER },
        data: {
          ...{ ...scope, device_serial: 'D-5' },
          device: { id: id(5), hardware_version: 'evt', software_type: 'main', software_version: '1.0.0' },
        },
      },
    ])
    const key = Buffer.from(String(ready?.['secret']).slice('whsec_'.length), 'base64')
    for (const { headers, body } of received) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
      const signature = createHmac('sha256', key).update(signed).digest('base64')
      expect(headers).toMatchObject({
        'webhook-signature': `v1,${signature}`,
        'content-type': 'application/json',
      })
    }
    expect(lines).toMatchObject([
      { event: 'device.location_resolved', device_serial: 'D-3', status: 204, error: null },
      { event: 'device.first_seen', device_serial: 'D-5', status: 500, error: null },
    ])
  })

  it('says that nothing listens if the receiver refuses the connection', async () => {
    const flags = ['--event', 'device.first_seen']
    const { parsed } = await listening(1, flags, '', false)
    expect(parsed()[1]).toMatchObject({ event: 'device.first_seen', status: null, error: 'refused' })
    // "Receiver" and "Secret" are two lines.
    const { printed, port } = await listening(2, [...flags, '-o', 'table'], '', false)
    expect(printed).toContain(`nothing listens at http://127.0.0.1:${String(port)}`)
  })

  it('signs with the secret of the receiver, which it does not print', async () => {
    const key = Buffer.alloc(24, 7)
    const secret = `whsec_${key.toString('base64')}`
    const flags = ['--secret', '--event', 'device.first_seen']
    const { received, parsed } = await listening(1, flags, `${secret}\n`)
    const [ready] = parsed()
    expect(Object.keys(ready ?? {})).toEqual(['receiver'])
    const [{ headers, body } = { headers: {}, body: '' }] = received
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  })

  it.each(['secret', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(92)}`])(
    'refuses a secret that is none, without printing it',
    async (typed) => {
      const ran = await runAgainst({}, ['webhooks', 'listen', '9797', '--secret'], { stdin: `${typed}\n` })
      expect(ran).toMatchObject({ code: 2, requests: [] })
      if (typed !== 'secret' && typed !== 'whsec_') expect(ran.stderr).not.toContain(typed)
    },
  )

  it.each([
    ['https://hooks.example.com/'],
    ['http://127.0.0.1.example.com:9797/'],
    ['http://10.0.0.1/'],
    ['ftp://localhost/'],
    ['somewhere'],
    ['9797', '--event', 'organization_token.expiring'],
    ['9797', '-o', 'csv'],
  ])('refuses %j, and asks the server nothing', async (...args) => {
    expect(await runAgainst({}, ['webhooks', 'listen', ...args])).toMatchObject({ code: 2, requests: [] })
  })
})
