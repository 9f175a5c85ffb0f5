import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send, type Reply, type Sent } from '../tools/http.js'

/** Longest time a client may be kept waiting, in milliseconds. */
const NO_HANG_MS = 20_000
/** Time in which everything has to work again, in milliseconds. */
const RECOVERY_MS = 60_000

describe('while a part is down', () => {
  const stack = stackForSuite({ postgres: 'own' })
  const own = forSuite(() => newOrganization(stack))

  const ask = (method: string, path: string, sent: Sent = {}) =>
    send(stack.gatewayUrls[0] ?? '', method, path, sent)
  const projects = () => `/api/v0/organizations/${own.slug}/projects`
  const scan = {
    accessPoints: [{ macAddress: '02:00:00:00:00:10' }, { macAddress: '02:00:00:00:02:00' }],
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
  ])('%s: what needs it is 503, and recovers automatically', async (service, request) => {
    await expectAllWell()
    await stack.part(service).kill()
    await expectUnavailable(request)
    await stack.part(service).start()
    await expectAllWell()
  })

  it('identity: a credential that is not cached is 503, never 401; a made-up one is still refused', async () => {
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

  it('NATS: everything that needs a service is 503, and recovers automatically', async () => {
    await stack.part('nats').kill()
    await expectUnavailable(list)
    await expectUnavailable(locate)
    await expectUnavailable(() => ask('GET', '/auth/me', { credential: own.admin.credential }))
    expect((await ask('GET', '/openapi.json')).status).toBe(200)
    await stack.part('nats').start()
    await expectAllWell()
  })

  it('Postgres: everything that needs rows is 503, and recovers automatically', async () => {
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
  })

  it('Postgres that hangs: 503 in time, and recovers automatically', async () => {
    const token = await newToken(own, stack)
    // The parent first, which then makes no more of them.
    process.kill(stack.part('postgres').pid, 'SIGSTOP')
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
  })

  it('a token that is deleted while a gateway has no connection to NATS is rejected by it once it is connected again', async () => {
    const token = await newToken(own, stack)
    const listAt = async (url = '') => (await send(url, 'GET', projects(), token)).status
    for (const url of stack.gatewayUrls) expect(await listAt(url)).toBe(200)
    const { pid } = stack.part('gateway-2')
    process.kill(pid, 'SIGSTOP')
    try {
      // The restart ends the connection of the gateway that is suspended; it cannot connect again before the deletion.
      await stack.part('nats').kill()
      await stack.part('nats').start()
      await expectAllWell()
      await own.admin.client.call('deleteOrganizationToken', {
        organization: own.slug,
        organization_token_id: token.id,
      })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await eventually(async () => {
      for (const url of stack.gatewayUrls) expect(await listAt(url)).toBe(401)
    })
  })

  it('a service that shuts down answers the requests it has received', async () => {
    const statuses: number[] = []
    const replica = await stack.addReplica('management')
    const stopped = new AbortController()
    const asking = Array.from({ length: 10 }, async () => {
      while (!stopped.signal.aborted) statuses.push((await list()).status)
    })
    await eventually(() => {
      expect(statuses.length).toBeGreaterThan(20)
    })
    await replica.stop()
    stopped.abort()
    await Promise.all(asking)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  /** Begins a request with a body, and waits until the gateway has read its head. */
  async function begun(body: string, headers = ''): Promise<{ socket: Socket; received: () => string }> {
    const { port } = new URL(stack.gatewayUrls[1] ?? '')
    const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location/wifi`
    let received = ''
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined).on('data', (chunk) => (received += chunk.toString()))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Authorization: Bearer ${own.token.token}\r\nExpect: 100-continue\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    )
    await eventually(() => {
      expect(received).toContain('100 Continue')
    })
    return { socket, received: () => received }
  }

  it('connections on which nothing was asked do not hold up the end of a gateway', async () => {
    const { port } = new URL(stack.gatewayUrls[1] ?? '')
    const silent = connect(Number(port), '127.0.0.1')
    const half = connect(Number(port), '127.0.0.1')
    for (const socket of [silent, half]) {
      socket.on('error', () => undefined)
      await once(socket, 'connect')
    }
    half.write('GET /auth/me HTTP/1.1\r\nHost:')
    // A later request is answered after they were accepted.
    expect((await send(stack.gatewayUrls[1] ?? '', 'GET', '/auth/me')).status).toBe(401)
    await stack.part('gateway-2').stop()
    expect(stack.part('gateway-2').output()).not.toContain('did not finish in time')
    await stack.part('gateway-2').start()
  })

  it('a request whose client has gone is in the log, and does not hold up the end of a gateway', async () => {
    const id = 'aborted-request'
    const { socket: gone } = await begun(JSON.stringify(scan), `X-Request-Id: ${id}\r\n`)
    gone.write('{')
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
  })

  it('a request that is half sent when a gateway shuts down is still answered', async () => {
    const body = JSON.stringify(scan)
    const { socket, received } = await begun(body)
    socket.write(body.slice(0, 10))
    const part = stack.part('gateway-2')
    const before = stops(part)
    const stopped = part.stop()
    await eventually(() => {
      expect(stops(part)).toBe(before + 1)
    })
    socket.write(body.slice(10))
    await stopped
    socket.destroy()
    const reply = received().replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
    expect(reply).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(reply).toMatch(/\r\nconnection: close\r\n/i)
    expect(reply).toContain('location_not_found')
    await part.start()
  })
})

/** Returns how often a process began to shut down. */
function stops(part: { output: () => string }): number {
  return part.output().split('"msg":"stopping"').length
}

/** Postgres' own processes of the stack: the postmaster and its children. */
async function postgresProcesses(stack: Stack): Promise<number[]> {
  const { pid } = stack.part('postgres')
  const children = (await readFile(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8'))
    .trim()
    .split(/\s+/)
  return [pid, ...children.map(Number)].filter((id) => id > 0)
}
