import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

const CLIENTS = 100
/** How long a gateway that is told to stop goes on taking requests, in milliseconds. */
const DELAY_MS = 4_000

let stack: Stack

beforeAll(async () => {
  stack = await startStack({
    gateways: 2,
    services: [],
    environment: { gateway: { SHUTDOWN_DELAY_MS: String(DELAY_MS), REQUESTS_OF_STRANGERS: '0' } },
  })
})

afterAll(() => stack.stop())

/** Keeps one connection, which a balancer of connections gives to a gateway once and for all. */
class Pinned extends Agent {
  constructor(private readonly portOfNew: () => number) {
    super({ keepAlive: true, maxSockets: 1 })
  }

  override createConnection(): Socket {
    return connect({ host: '127.0.0.1', port: this.portOfNew() })
  }
}

describe('a gateway that stops', () => {
  it('loses no request of clients that keep their connection: each hears with a reply to go elsewhere', async () => {
    const [leaving = 0, staying = 0] = stack.gatewayUrls.map((url) => Number(new URL(url).port))
    let portOfNew = leaving
    let hasStopped = false
    const failures: unknown[] = []
    /** Whether replies of the one that stops say that the connection ends, of requests that were sent after one that said so. */
    const ends: boolean[] = []
    let isLeaving = false
    const client = async () => {
      const agent = new Pinned(() => portOfNew)
      while (!hasStopped) {
        await sleep(20 + Math.random() * 60)
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
    // The balancer has noticed.
    portOfNew = staying
    await stopped
    hasStopped = true
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(ends).not.toContain(false)
  })
})

/** Asks for something without a credential, which is answered by the gateway alone. */
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
