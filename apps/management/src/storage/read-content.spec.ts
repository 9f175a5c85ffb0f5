import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readContent } from './read-content.js'

const MB = 1_000_000
const UNPACKED = 400 * MB

describe('reading gzip', () => {
  let server: Server
  let sent: Buffer
  // 64 to one: less than what is refused for its ratio.
  const gzip = gzipSync(
    Buffer.concat(
      Array.from({ length: 400 }, () => Buffer.concat([randomBytes(14_000), Buffer.alloc(MB - 14_000)])),
    ),
  )

  beforeAll(async () => {
    server = createServer((_, reply) => reply.end(sent)).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function reply(bytes: Buffer): Promise<IncomingMessage> {
    sent = bytes
    const { port } = server.address() as AddressInfo // it listens
    const asked = request({ host: '127.0.0.1', port, agent: false }).end()
    // Destroying the reply is an error of the request too.
    asked.on('error', () => undefined)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer
  }

  // Between these limits, the reply has arrived in part, in full but not read to its end, and read to its end.
  it.each([1, 50, 150, 268, 399])(
    'that unpacks to 400 MB reports that it is too large for a limit of %d MB, and closes the reply',
    async (limit) => {
      const body = await reply(gzip)
      expect(await readContent(body, true, { maxBytes: limit * MB })).toBe('too_large')
      expect(body.destroyed).toBe(true)
    },
  )

  it.each([1_000, 100_000, 150_000, 250_000])(
    'that is damaged after %d bytes reports that, and closes the reply',
    async (at) => {
      const body = await reply(Buffer.from(gzip).fill('damaged', at, at + 100))
      expect(await readContent(body, true, { maxBytes: UNPACKED })).toBe('damaged')
      expect(body.destroyed).toBe(true)
    },
  )

  it('of the size of the limit reports its size', async () => {
    const content = await readContent(await reply(gzip), true, { maxBytes: UNPACKED })
    expect(content).toMatchObject({ received: { size: UNPACKED, sentSize: gzip.length } })
  })
})
