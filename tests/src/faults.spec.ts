import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { send, type Reply, type Sent } from './http.js'

/** Longest time a client may be kept waiting, in milliseconds. */
const NO_HANG_MS = 8_000
/** Time in which everything has to work again, in milliseconds. */
const RECOVERY_MS = 20_000

describe('while a part is down', () => {
  let stack: Stack
  let own: TestOrganization

  beforeAll(async () => {
    stack = await startStack({ postgres: 'own' })
    own = await newOrganization(stack)
  }, 90_000)

  afterAll(() => stack.stop(), 60_000)

  const ask = (method: string, path: string, sent: Sent = {}) =>
    send(stack.gatewayUrls[0] ?? '', method, path, sent)
  const projects = () => `/api/v0/organizations/${own.slug}/projects`
  const scan = {
    accessPoints: [{ macAddress: '02:00:00:00:00:01' }, { macAddress: '02:00:00:00:00:02' }],
  }
  const locate = () =>
    ask('POST', `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`, {
      credential: own.token.credential,
      body: scan,
    })
  const list = () => ask('GET', projects(), { credential: own.token.credential })
  /** A credential that no cache has. */
  const listAsNew = (token: { credential: Sent['credential'] }) =>
    ask('GET', projects(), { credential: token.credential })

  /** 503 with Retry-After, in time: never 401, never a hang. */
  async function expectUnavailable(request: () => Promise<Reply>): Promise<void> {
    const started = performance.now()
    const reply = await request()
    expect(performance.now() - started).toBeLessThan(NO_HANG_MS)
    expect(reply.json).toMatchObject({ status: 503 })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }

  async function expectAllWell(): Promise<void> {
    await eventually(
      async () => {
        expect((await list()).status).toBe(200)
        expect((await locate()).json).toMatchObject({ code: 'location_not_found' })
        expect((await ask('GET', '/auth/me', { credential: own.admin.credential })).status).toBe(200)
      },
      { withinMs: RECOVERY_MS, everyMs: 100 },
    )
  }

  it.each([
    ['management', () => list()],
    ['location', () => locate()],
  ])('%s: what needs it is 503, and works again by itself', async (service, request) => {
    await expectAllWell()
    await stack.part(service).kill()
    await expectUnavailable(request)
    await stack.part(service).start()
    await expectAllWell()
  })

  it('identity: a credential that is not remembered is 503, never 401; a made-up one is still refused', async () => {
    const token = await newToken(own, stack)
    await expectAllWell()
    await stack.part('identity').kill()
    await expectUnavailable(() => listAsNew(token))
    await expectUnavailable(() =>
      ask('GET', '/auth/me', { headers: { 'service-project-key': '0'.repeat(32) } }),
    )
    expect((await ask('GET', '/auth/me', { headers: { authorization: 'Bearer brgo_made-up' } })).status).toBe(
      401,
    )
    await stack.part('identity').start()
    await expectAllWell()
    expect((await listAsNew(token)).status).toBe(200)
  })

  it('NATS: everything that needs a service is 503, and works again by itself', async () => {
    await stack.part('nats').kill()
    await expectUnavailable(list)
    await expectUnavailable(locate)
    await expectUnavailable(() => ask('GET', '/auth/me', { credential: own.admin.credential }))
    expect((await ask('GET', '/openapi.json')).status).toBe(200)
    await stack.part('nats').start()
    await expectAllWell()
  }, 60_000)

  it('Postgres: everything that needs rows is 503, and works again by itself', async () => {
    const token = await newToken(own, stack)
    await stack.part('postgres').kill()
    await expectUnavailable(list)
    await expectUnavailable(() => listAsNew(token))
    await expectUnavailable(() =>
      ask('POST', projects(), { credential: own.admin.credential, body: { name: 'While Postgres is down' } }),
    )
    await stack.part('postgres').start()
    await expectAllWell()
    expect((await listAsNew(token)).status).toBe(200)
  }, 60_000)

  it('Postgres that hangs: 503 in time, and works again by itself', async () => {
    const token = await newToken(own, stack)
    const pids = await postgresProcesses(stack)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      await expectUnavailable(() => listAsNew(token))
      await expectUnavailable(list)
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await expectAllWell()
    expect((await listAsNew(token)).status).toBe(200)
  }, 60_000)

  it('a token that was deleted while NATS was down is refused as soon as it is back', async () => {
    const token = await newToken(own, stack)
    expect((await listAsNew(token)).status).toBe(200)
    await stack.part('nats').kill()
    await stack.part('nats').start()
    await expectAllWell()
    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: token.id,
    })
    await eventually(async () => {
      expect((await listAsNew(token)).status).toBe(401)
    })
  }, 60_000)

  it('requests under way are answered when a service or a gateway is told to stop', async () => {
    const replies: Promise<Reply>[] = []
    const sending = (async () => {
      for (let i = 0; i < 200; i++) {
        replies.push(list())
        await sleep(2)
      }
    })()
    const replica = await stack.addReplica('management')
    await replica.stop()
    await sending
    const statuses = (await Promise.all(replies)).map((reply) => reply.status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  }, 60_000)

  it('connections on which nothing was asked do not hold up the end of a gateway', async () => {
    const { port } = new URL(stack.gatewayUrls[1] ?? '')
    const silent = connect(Number(port), '127.0.0.1')
    const half = connect(Number(port), '127.0.0.1')
    half.write('GET /auth/me HTTP/1.1\r\nHost:')
    for (const socket of [silent, half]) socket.on('error', () => undefined)
    await sleep(200)
    const started = performance.now()
    await stack.part('gateway-2').stop()
    expect(performance.now() - started).toBeLessThan(5_000) // the time that calls under way would get is 10 s
    await stack.part('gateway-2').start()
  }, 60_000)

  it('a request whose client has gone is in the log, and does not hold up the end of a gateway', async () => {
    const { port } = new URL(stack.gatewayUrls[1] ?? '')
    const id = 'aborted-request'
    const gone = connect(Number(port), '127.0.0.1')
    const open = connect(Number(port), '127.0.0.1')
    for (const socket of [gone, open]) socket.on('error', () => undefined)
    gone.write(
      `POST /v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nAuthorization: Bearer ${own.token.token}\r\nContent-Length: 1000\r\n\r\n{`,
    )
    await sleep(300)
    gone.destroy()
    const part = stack.part('gateway-2')
    await eventually(() => {
      const line = part
        .output()
        .split('\n')
        .find((text) => text.includes(id) && text.includes('"msg":"request"'))
      expect(JSON.parse(line ?? '{}')).toMatchObject({ aborted: true, route: 'resolveWifiLocation' })
    })
    await part.stop()
    expect(part.output()).not.toContain('did not finish in time')
    await part.start()
  }, 60_000)

  it('a request that is half sent when a gateway is told to stop is still answered', async () => {
    const { port } = new URL(stack.gatewayUrls[1] ?? '')
    const body = JSON.stringify(scan)
    const head = `POST /v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token.token}\r\nContent-Length: ${String(body.length)}\r\n\r\n`
    let reply = ''
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('data', (chunk) => (reply += chunk.toString()))
    socket.write(head + body.slice(0, 10))
    await sleep(200)
    const stopped = stack.part('gateway-2').stop()
    await sleep(200)
    socket.write(body.slice(10))
    await stopped
    socket.destroy()
    expect(reply).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(reply).toMatch(/\r\nconnection: close\r\n/i)
    expect(reply).toContain('location_not_found')
    await stack.part('gateway-2').start()
  }, 60_000)
})

/** Postgres' own processes of the stack: the postmaster and its children. */
async function postgresProcesses(stack: Stack): Promise<number[]> {
  const { readFile } = await import('node:fs/promises')
  const { pid } = stack.part('postgres')
  const children = (await readFile(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8'))
    .trim()
    .split(/\s+/)
  return [pid, ...children.map(Number)].filter((id) => id > 0)
}
