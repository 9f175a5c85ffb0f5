import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fastify, { type FastifyInstance } from 'fastify'
import { streamLines, type Part } from './stream-lines.js'

/** More than all buffers between the two ends take. */
const PARTS = 64
const LINE = { filler: 'x'.repeat(1_000_000) }

describe('a list without a known end', () => {
  let server: FastifyInstance
  let read: number

  beforeEach(async () => {
    read = 0
    server = fastify()
    server.get<{ Params: { unreadMs: string } }>('/:unreadMs', async (request, reply) => {
      const part = (cursor: string | undefined): Promise<Part> => {
        read++
        const number = Number(cursor ?? 0)
        return Promise.resolve({ data: [LINE], next: number + 1 < PARTS ? String(number + 1) : null })
      }
      await streamLines(request, reply, part, Number(request.params.unreadMs))
      return reply
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
  })

  afterEach(() => server.close())

  const port = () => (server.server.address() as AddressInfo).port // it listens

  it('that nobody reads ends after its time, and no more of it is fetched than fits on the way', async () => {
    const socket = connect(port(), '127.0.0.1')
    const [accepted] = (await once(server.server, 'connection')) as [NodeJS.EventEmitter]
    const closed = once(accepted, 'close')
    socket.pause().write('GET /300 HTTP/1.1\r\nHost: x\r\n\r\n')
    await closed
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(PARTS)
    socket.destroy()
  })

  it('that is read, however slowly, comes whole', async () => {
    const response = await fetch(`http://127.0.0.1:${String(port())}/60000`)
    let lines = 0
    for await (const chunk of response.body ?? []) {
      lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1
      await sleep(1)
    }
    expect(lines).toBe(PARTS)
  })
})
