import { once } from 'node:events'
import { join } from 'node:path'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess } from '@bearing/local/process'
import { LOCK } from '@bearing/prisma/migrate'
import { readSharedStack } from '@bearing/testing/addresses'
import { createEmptyDatabase, dropDatabase } from '@bearing/testing/databases'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { randomFrom } from '../campaigns/malformed-credentials.js'
import { ROOT } from '../tools/root.js'

const CLIENTS = 100
/** Time for which a gateway accepts requests after SIGTERM, in milliseconds. */
const DELAY_MS = 4_000
/** The promise: so soon after SIGTERM a process without work ends, in milliseconds; a gateway after its SHUTDOWN_DELAY_MS. */
const IDLE_MS = 3_000

const stack = stackForSuite({
  gateways: 2,
  services: [],
  environment: { gateway: { SHUTDOWN_DELAY_MS: String(DELAY_MS), REQUESTS_OF_STRANGERS: '0' } },
})

/** Keeps one connection, which a load balancer of connections has assigned to one gateway. */
class Pinned extends Agent {
  constructor(private readonly portOfNew: () => number) {
    super({ keepAlive: true, maxSockets: 1 })
  }

  override createConnection(): Socket {
    return connect({ host: '127.0.0.1', port: this.portOfNew() })
  }
}

describe('a gateway that stops', () => {
  it('loses no request of clients with persistent connections: a reply with "Connection: close" ends each of them', async () => {
    const seed = jest.getSeed()
    const random = randomFrom(seed)
    const [leaving = 0, staying = 0] = stack.gatewayUrls.map((url) => Number(new URL(url).port))
    let portOfNew = leaving
    let hasStopped = false
    const failures: unknown[] = []
    /** For requests sent after the first reply with "Connection: close": whether their reply has it too. */
    const ends: boolean[] = []
    let isLeaving = false
    const client = async () => {
      const agent = new Pinned(() => portOfNew)
      while (!hasStopped) {
        await sleep(20 + random() * 60)
        const isLate = isLeaving
        try {
          const { headers, port } = await ask(agent)
          if (port !== leaving) continue
          const isLast = headers.connection === 'close'
          isLeaving ||= isLast
          if (isLate) ends.push(isLast)
        } catch (error) {
          failures.push(error)
        }
      }
      agent.destroy()
    }
    const clients = Array.from({ length: CLIENTS }, client)
    await sleep(500)
    expect(isLeaving).toBe(false)
    const stopped = stack.part('gateway-1').stop()
    await eventually(() => {
      expect(ends.length).toBeGreaterThanOrEqual(CLIENTS / 5)
    })
    // The load balancer has noticed.
    portOfNew = staying
    await stopped
    hasStopped = true
    await Promise.all(clients)
    // `pnpm test tests/src/faults/stopping.spec.ts --seed <seed>` makes the same pauses.
    expect({ seed, failures }).toEqual({ seed, failures: [] })
    expect(ends).not.toContain(false)
  })
})

describe('a gateway of the chart, whose SHUTDOWN_TIMEOUT_MS is long', () => {
  it('stores a chunk whose body is still arriving long after SIGTERM, and ends with it', async () => {
    const times = { SHUTDOWN_DELAY_MS: '500', SHUTDOWN_TIMEOUT_MS: '120000' }
    const services = ['identity', 'management'] as const
    await using own = await startStack({ gateways: 1, services, environment: { gateway: times } })
    const { project } = await newOrganization(own)
    const sent = request(`${own.gatewayUrls[0] ?? ''}/api/v0/chunks/SLOW`, {
      method: 'POST',
      headers: { 'Service-Project-Key': project.key, 'Content-Length': '9' },
    })
    const reply = once(sent, 'response')
    sent.write('1')
    await sleep(500)
    const beganMs = performance.now()
    const stopped = own.part('gateway-1').stop()
    for (const byte of '2345678') {
      await sleep(1_000)
      sent.write(byte)
    }
    sent.end('9')
    const [{ statusCode }] = (await reply) as [IncomingMessage] // as Node declares the event
    expect(statusCode).toBe(202)
    await stopped
    expect(performance.now() - beganMs).toBeLessThan(20_000)
  }, 90_000)
})

describe('a process without work ends within 3 s of SIGTERM', () => {
  const idle = stackForSuite({ gateways: 1 })
  const tookMs = async (stop: () => Promise<unknown>) => {
    const beganMs = performance.now()
    await stop()
    return performance.now() - beganMs
  }

  it('if it is a gateway with connections that are idle, or have sent nothing', async () => {
    const port = Number(new URL(idle.gatewayUrls[0] ?? '').port)
    const agent = new Pinned(() => port)
    await ask(agent)
    const silent = connect({ host: '127.0.0.1', port })
    await once(silent, 'connect')
    const closed = once(silent, 'close')
    expect(await tookMs(() => idle.part('gateway-1').stop())).toBeLessThan(IDLE_MS)
    await closed
    agent.destroy()
  })

  it.each(['identity', 'management', 'location'])('if it is %s', async (name) => {
    expect(await tookMs(() => idle.part(name).stop())).toBeLessThan(IDLE_MS)
  })

  it('if it is a migration that waits, also as the first process of a container', async () => {
    const { adminDatabaseUrl } = readSharedStack()
    const database = await createEmptyDatabase(adminDatabaseUrl)
    const other = new pg.Client(database.adminUrl)
    await other.connect()
    try {
      await other.query('SELECT pg_advisory_lock($1)', [LOCK])
      const urls = Object.entries(database.serviceUrls).map(([service, url]) => [
        `${service.toUpperCase()}_DATABASE_URL`,
        url,
      ])
      const migration = await startProcess({
        name: 'migration',
        script: join(ROOT, 'prisma', 'dist', 'main.js'),
        env: { DATABASE_URL: database.adminUrl, ...(Object.fromEntries(urls) as Record<string, string>) },
      })
      await eventually(async () => {
        const { rowCount } = await other.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock%'`,
        )
        expect(rowCount).toBe(1)
      })
      expect(await tookMs(() => migration.stop())).toBeLessThan(IDLE_MS)
      // Its own exit code: if it is the first process, the signal alone would do nothing.
      expect(await migration.exited).toEqual({ code: 143, signal: null })
    } finally {
      await other.end()
      await dropDatabase(adminDatabaseUrl, database)
    }
  })
})

/** Sends a request without a credential, which the gateway answers without a service. */
async function ask(agent: Agent): Promise<{ headers: IncomingMessage['headers']; port: number | undefined }> {
  const sent = request({ host: 'gateway', path: '/auth/me', agent })
  sent.end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage] // as Node declares the event
  const { remotePort: port } = reply.socket
  reply.resume()
  await once(reply, 'end')
  if (reply.statusCode !== 401) throw new Error(`answered ${String(reply.statusCode)}`)
  return { headers: reply.headers, port }
}
