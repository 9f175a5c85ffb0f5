import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { ALL_ADDRESSES, GuardedHttp, LOOPBACK_ADDRESSES, type OutboundLimits } from './guarded-http.js'

const GET = { method: 'GET', headers: {} }
const PUBLIC_ONLY: OutboundLimits = {
  privateRanges: [],
  plainRanges: [],
  timeoutMs: 60_000,
  maxBytes: 1_000,
}
const LOCAL = { ...PUBLIC_ONLY, privateRanges: LOOPBACK_ADDRESSES, plainRanges: LOOPBACK_ADDRESSES }

describe('what customers make Bearing ask', () => {
  const servers: Server[] = []

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function serve(answer: RequestListener): Promise<URL> {
    const server = createServer(answer)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    return new URL(`http://127.0.0.1:${String(port)}`)
  }

  it.each([
    ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0'],
    [
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.1',
      '100.64.0.1',
      '100.100.100.200',
      '198.18.0.1',
      '255.255.255.255',
    ],
    ['169.254.169.254', '168.63.129.16', '192.0.0.192', '[fd00:ec2::254]'],
    ['[::1]', '[::]', '[::127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0:127.0.0.1]'],
    ['[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::a9fe:a9fe]', '[2002:7f00:1::]', '[2001::1]'],
    ['[fe80::1]', '[fd00::1]', '[fec0::1]', '[ff02::1]'],
  ])('does not reach internal networks: %s, %s, %s, %s …', async (...hosts) => {
    for (const host of hosts)
      await expect(new GuardedHttp(PUBLIC_ONLY).send(new URL(`https://${host}/`), GET)).rejects.toMatchObject(
        {
          reason: 'not_allowed',
          message: 'the address is not public',
        },
      )
  })

  it.each(['http://203.0.114.1/', 'http://localhost/', 'ftp://example.com/', 'file:///etc/passwd'])(
    'is nothing without TLS: %s',
    async (url) => {
      await expect(new GuardedHttp(PUBLIC_ONLY).send(new URL(url), GET)).rejects.toMatchObject({
        reason: 'not_allowed',
        message: 'only https is allowed',
      })
    },
  )

  it('does not reach internal networks by name: resolved addresses are checked', async () => {
    await expect(
      new GuardedHttp(PUBLIC_ONLY).send(new URL('https://localhost:1/'), GET),
    ).rejects.toMatchObject({ message: 'the address is not public' })
  })

  it('is what the operator allows, and no more', async () => {
    const url = await serve((_, reply) => reply.writeHead(201, { 'x-a': 'b' }).end('hello'))
    const reply = await new GuardedHttp(LOCAL).send(url, GET)
    expect([reply.status, reply.headers.get('x-a'), await reply.text()]).toEqual([201, 'b', 'hello'])
    url.hostname = 'localhost'
    expect((await new GuardedHttp(LOCAL).send(url, GET)).status).toBe(201)
    for (const [limits, refused] of [
      [LOCAL, 'https://10.0.0.1/'],
      [LOCAL, 'http://8.8.8.8/'],
      [{ ...LOCAL, plainRanges: [] }, url.href],
      [{ ...LOCAL, privateRanges: ['10.0.0.0/8'] }, url.href],
      [{ ...LOCAL, privateRanges: ALL_ADDRESSES, plainRanges: ['127.0.0.2/32'] }, url.href],
    ] as const)
      await expect(new GuardedHttp(limits).send(new URL(refused), GET)).rejects.toMatchObject({
        reason: 'not_allowed',
      })
  })

  it('may not take too long, send too much, or hang up', async () => {
    const hurried = { ...LOCAL, timeoutMs: 200 }
    for (const [limits, reason, answer] of [
      [hurried, 'timeout', () => undefined],
      [hurried, 'timeout', (_, reply) => reply.writeHead(200).write('x')],
      [LOCAL, 'too_large', (_, reply) => reply.end('x'.repeat(1_001))],
      [LOCAL, 'unreachable', (_, reply) => reply.destroy()],
    ] satisfies [OutboundLimits, string, RequestListener][])
      await expect(new GuardedHttp(limits).send(await serve(answer), GET)).rejects.toMatchObject({ reason })
  })

  it.each<[string, (socket: Socket) => void]>([
    ['breaks off', (socket) => setTimeout(() => socket.destroy(), 20)],
    ['stays open', () => undefined],
    ['is longer than it says', (socket) => socket.write('x'.repeat(1_000_000))],
  ])('is complete with status and headers where no body is read, even if the body %s', async (_, then) => {
    const url = await serve((_, reply) => {
      reply.socket?.write('HTTP/1.1 202 Accepted\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nok')
      if (reply.socket) then(reply.socket)
    })
    const reply = await new GuardedHttp({ ...LOCAL, timeoutMs: 2_000, maxBytes: 0 }).send(url, GET)
    expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([202, '7', ''])
  })

  it('is not read to the end where no body is read', async () => {
    let written = 0
    const url = await serve((_, reply) => {
      const write = () => {
        written += 65_536
        if (!reply.destroyed) reply.write('x'.repeat(65_536), () => setImmediate(write))
      }
      write()
    })
    const reply = await new GuardedHttp({ ...LOCAL, maxBytes: 0 }).send(url, GET)
    expect([reply.status, await reply.text()]).toEqual([200, ''])
    expect(written).toBeLessThan(33_554_432)
  })

  it('is not where a redirect leads', async () => {
    let followed = false
    const url = await serve((request, reply) => {
      followed ||= request.url === '/elsewhere'
      reply.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await new GuardedHttp(LOCAL).send(url, GET)).status).toBe(302)
    expect(followed).toBe(false)
  })

  it('is recorded with its outcome, without its receiver', async () => {
    const recorded: string[] = []
    const http = new GuardedHttp({ ...LOCAL, timeoutMs: 60_000 }, (outcome, durationMs) => {
      expect(durationMs).toBeGreaterThanOrEqual(0)
      recorded.push(outcome)
    })
    const ask = async (answer: RequestListener, signal?: AbortSignal) => {
      await http.send(await serve(answer), { ...GET, signal }).catch(() => undefined)
    }
    for (const status of [200, 204, 302, 404, 500, 999])
      await ask((_, reply) => reply.writeHead(status).end())
    await ask((_, reply) => reply.destroy())
    await ask(() => undefined, AbortSignal.timeout(100))
    await ask((_, reply) => reply.end('x'.repeat(1_001)))
    await http.send(new URL('https://10.1.2.3/'), GET).catch(() => undefined)
    const failed = ['unreachable', 'unreachable', 'timeout', 'too_large', 'not_allowed']
    expect(recorded).toEqual(['ok', 'ok', '3xx', '4xx', '5xx', ...failed])
  })
})
