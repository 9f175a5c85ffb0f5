import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHttpServer } from './http-server.js'

describe('what is no whole request', () => {
  const server = createHttpServer({
    requestTimeoutMs: 30_000,
    trustedProxies: [],
    isLeaving: () => false,
  }).getInstance()

  beforeAll(async () => {
    await server.listen({ host: '127.0.0.1', port: 0 })
  })

  afterAll(() => server.close())

  /** What a client hears for whose connection Node's parser ends with this error. */
  async function replyTo(code: string): Promise<[status: string, headers: string, body: unknown]> {
    const { port } = server.server.address() as AddressInfo // of a TCP server
    const arrived = once(server.server, 'connection')
    const socket = connect({ host: '127.0.0.1', port })
    const [accepted] = (await arrived) as unknown[]
    server.server.emit('clientError', Object.assign(new Error(code), { code }), accepted)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    const [status = '', ...headers] = head.split('\r\n')
    return [status, headers.join('\n'), JSON.parse(body)]
  }

  it('and came too slowly may come again: devices take every 4xx for final', async () => {
    const [status, headers, body] = await replyTo('ERR_HTTP_REQUEST_TIMEOUT')
    expect(status).toBe('HTTP/1.1 503 Service Unavailable')
    expect(headers).toMatch(/^Retry-After: \d+$/m)
    expect(body).toMatchObject({ status: 503, code: 'service_unavailable', error: { http_code: 503 } })
  })

  it.each([
    ['HPE_HEADER_OVERFLOW', 431],
    ['HPE_INVALID_METHOD', 400],
  ])('is refused for good where it is wrong: %s', async (code, expected) => {
    const [status, headers, body] = await replyTo(code)
    expect(status).toContain(`HTTP/1.1 ${String(expected)} `)
    expect(headers).not.toContain('Retry-After')
    expect(body).toMatchObject({ status: expected, code: 'invalid_input' })
  })
})
