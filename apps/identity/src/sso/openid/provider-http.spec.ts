import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { ProviderHttp, ProviderReplyTooLarge, ProviderUnreachable } from './provider-http.js'

const GET = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
const LIMITS = { allowPrivate: false, timeoutMs: 60_000, maxBytes: 1_000 }

describe('what admins of organizations make identity ask', () => {
  const servers: Server[] = []

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    return `http://127.0.0.1:${String(port)}`
  }

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0.0.0.0/',
    'https://0x7f000001/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'http://203.0.113.1/',
    'http://localhost/',
    'ftp://example.com/',
  ])('is nothing of the private network, and nothing without TLS: %s', async (url) => {
    await expect(new ProviderHttp(LIMITS).fetch(url, GET)).rejects.toBeInstanceOf(ProviderUnreachable)
  })

  it('is nothing of the private network under a public name: the address is checked where it is looked up', async () => {
    const asked = new ProviderHttp(LIMITS).fetch('https://localhost:1/', GET)
    await expect(asked).rejects.toMatchObject({ message: 'the address is not public' })
  })

  it('without TLS, where that is allowed, is on this machine only', async () => {
    const http = new ProviderHttp({ ...LIMITS, allowPrivate: true })
    await expect(http.fetch('http://10.0.0.1/', GET)).rejects.toMatchObject({
      message: 'only https is allowed',
    })
    const url = await serve((_, reply) => reply.writeHead(201, { 'x-a': 'b' }).end('hello'))
    const reply = await http.fetch(url, GET)
    expect([reply.status, reply.headers.get('x-a'), await reply.text()]).toEqual([201, 'b', 'hello'])
  })

  it('may not take too long, send too much, or hang up', async () => {
    const patient = { ...LIMITS, allowPrivate: true }
    const hurried = { ...patient, timeoutMs: 100 }
    for (const [limits, answer, error = ProviderUnreachable] of [
      [hurried, () => undefined],
      [hurried, (_, reply) => reply.writeHead(200).write('x')],
      [patient, (_, reply) => reply.end('x'.repeat(1_001)), ProviderReplyTooLarge],
      [patient, (_, reply) => reply.destroy()],
    ] satisfies [typeof LIMITS, RequestListener, (new (message: string) => Error)?][])
      await expect(new ProviderHttp(limits).fetch(await serve(answer), GET)).rejects.toBeInstanceOf(error)
  })

  it('is not where a redirect leads', async () => {
    let followed = false
    const http = new ProviderHttp({ ...LIMITS, allowPrivate: true })
    const url = await serve((request, reply) => {
      followed ||= request.url === '/elsewhere'
      reply.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await http.fetch(url, GET)).status).toBe(302)
    expect(followed).toBe(false)
  })
})
