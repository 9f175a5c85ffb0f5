import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { bytesInTime } from './bytes-in-time.js'

const IDLE_MS = 200
const NEVER = new AbortController().signal

describe('bytesInTime', () => {
  let server: Server

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function begin(length: number, first: number): Promise<[IncomingMessage, Socket]> {
    const { port } = server.address() as AddressInfo // it listens
    const client = connect(port, '127.0.0.1')
    client.on('error', () => undefined)
    const arrived = once(server, 'request') as Promise<[IncomingMessage]>
    client.write(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(length)}\r\n\r\n`)
    client.write(Buffer.alloc(first))
    return [(await arrived)[0], client]
  }

  // 1 MB does not fit into the buffers of the request: the rest waits in the socket.
  it.each([1_000, 64_000, 1_000_000])(
    'yields all of %d bytes that have arrived, however slowly its reader takes them',
    async (size) => {
      const [request] = await begin(size, size)
      let read = 0
      let pauses = 3
      for await (const bytes of bytesInTime(request, { idleMs: IDLE_MS, totalMs: IDLE_MS, signal: NEVER })) {
        read += bytes.length
        if (pauses-- > 0) await delay(1.5 * IDLE_MS)
      }
      expect(read).toBe(size)
    },
  )

  it('yields bytes that arrived while the event loop was busy for longer than a client may be idle', async () => {
    const [request, client] = await begin(2_000, 1_000)
    const bytes = bytesInTime(request, { idleMs: IDLE_MS, totalMs: 60_000, signal: NEVER })
    expect((await bytes.next()).value).toHaveLength(1_000)
    const next = bytes.next()
    client.write(Buffer.alloc(1_000)) // the kernel has it immediately
    const until = performance.now() + 2 * IDLE_MS
    while (performance.now() < until);
    expect((await next).value).toHaveLength(1_000)
  })

  it('closes the connection of a client that sends nothing for too long', async () => {
    const [request] = await begin(2_000, 1_000)
    const since = performance.now()
    const read = bytesInTime(request, { idleMs: IDLE_MS, totalMs: 60_000, signal: NEVER })
    await expect(read.next().then(() => read.next())).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(performance.now() - since).toBeGreaterThan(IDLE_MS / 2)
  })

  it('closes the connection of a client that sends single bytes for longer than the total time', async () => {
    const [request, client] = await begin(100_000, 1)
    const drip = setInterval(() => client.write('x'), IDLE_MS / 10)
    try {
      const read = bytesInTime(request, { idleMs: IDLE_MS, totalMs: 3 * IDLE_MS, signal: NEVER })
      await expect(
        (async () => {
          for await (const bytes of read) expect(bytes.length).toBeGreaterThan(0)
        })(),
      ).rejects.toMatchObject({ code: 'ECONNRESET' })
    } finally {
      clearInterval(drip)
    }
  })
})
