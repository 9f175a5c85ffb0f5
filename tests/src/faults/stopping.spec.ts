import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it, jest } from '@jest/globals'
import { randomFrom } from '../campaigns/malformed-credentials.js'

const CLIENTS = 100
/** Time for which a gateway accepts requests after SIGTERM, in milliseconds. */
const DELAY_MS = 4_000

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
