import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHttpServer } from './http-server.js'
import { RequestTraces } from './request-traces.js'

describe('what is no whole request', () => {
  const server = createHttpServer({
    requestTimeoutMs: 30_000,
    trustedProxies: [],
    publicUrl: 'https://bearing.example',
    isLeaving: () => false,
    log: () => undefined,
    traces: new RequestTraces(0),
  }).getInstance()

  beforeAll(async () => {
    await server.listen({ host: '127.0.0.1', port: 0 })
  })

  afterAll(() => server.close())

  /** Returns the reply of a connection that Node's parser ends with this error. */
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
    ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
    ['HPE_INVALID_METHOD', 400, 'invalid_input'],
  ])('with an error is refused with a final status: %s', async (code, expected, problem) => {
    const [status, headers, body] = await replyTo(code)
    expect(status).toContain(`HTTP/1.1 ${String(expected)} `)
    expect(headers).toContain('x-content-type-options: nosniff')
    expect(headers).toContain('strict-transport-security: max-age=31536000')
    expect(headers).not.toContain('Retry-After')
    expect(body).toMatchObject({
      status: expected,
      code: problem,
      type: expect.stringMatching(new RegExp(`^https://.*/docs/errors/${problem}$`)) as unknown,
    })
  })
})

describe('Strict-Transport-Security', () => {
  const headersOf = async (publicUrl: string, proxies: string[], protocol: string) => {
    const trusting = {
      requestTimeoutMs: 30_000,
      trustedProxies: proxies,
      publicUrl,
      isLeaving: () => false,
      log: () => undefined,
      traces: new RequestTraces(0),
    }
    const server = createHttpServer(trusting).getInstance()
    const { headers } = await server.inject({ url: '/nothing', headers: { 'x-forwarded-proto': protocol } })
    await server.close()
    expect(headers['x-content-type-options']).toBe('nosniff')
    return headers['strict-transport-security']
  }

  it('is on every reply, errors too, where the public URL is https or a trusted proxy says that the request came over https', async () => {
    await expect(headersOf('https://bearing.example', [], 'http')).resolves.toBe('max-age=31536000')
    await expect(headersOf('', ['127.0.0.1'], 'https')).resolves.toBe('max-age=31536000')
  })

  it('is on no reply over plain http, whatever a client says that is no trusted proxy', async () => {
    await expect(headersOf('http://bearing.example', ['127.0.0.1'], 'http')).resolves.toBeUndefined()
    await expect(headersOf('', [], 'https')).resolves.toBeUndefined()
  })
})
