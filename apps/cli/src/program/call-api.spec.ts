import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ENVIRONMENT } from '../testing/run-against.js'
import { runCli } from '../testing/run-cli.js'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

describe('bearing api', () => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    void text(request).then((body) => {
      seen.push({ method, url, headers, body })
      const status = Number(/status=(\d+)/.exec(url ?? '')?.[1] ?? 200)
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': 'req-1',
        ...(status === 302 && { location: 'http://127.0.0.1:9/elsewhere' }),
      })
      response.end(`{ "as":\t"it is" }`)
    })
  })
  let base: string
  const run = (args: readonly string[], stdin = '') =>
    runCli(['api', ...args], { environment: { ...ENVIRONMENT, BEARING_URL: base }, stdin })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/below`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('sends the credential and the body, and prints the answer as it is', async () => {
    const ran = await run(
      ['patch', '/api/v0/organizations/{organization}/projects/{project}?a=b', '--input', '-'],
      '{"name":"Gate"}',
    )
    expect(ran).toEqual({ code: 0, stdout: `{ "as":\t"it is" }`, stderr: '' })
    expect(seen.at(-1)).toMatchObject({
      method: 'PATCH',
      url: '/below/api/v0/organizations/acme/projects/gate?a=b',
      headers: { authorization: 'Bearer T0ken', 'content-type': 'application/json' },
      body: '{"name":"Gate"}',
    })
  })

  it.each([
    [201, 0],
    [302, 1],
    [401, 4],
    [404, 1],
    [503, 1],
  ])('prints the answer of status %i, and ends with exit code %i', async (status, code) => {
    const before = seen.length
    const ran = await run(['GET', `/x?status=${String(status)}`])
    expect(ran).toMatchObject({ code, stdout: `{ "as":\t"it is" }` })
    expect(ran.stderr).toBe(code === 0 ? '' : `Status ${String(status)}, request req-1.\n`)
    expect(seen).toHaveLength(before + 1)
  })

  it.each([
    ['another server', ['GET', 'https://evil.example/api']],
    ['a user in the address', ['GET', '@evil.example/api']],
    ['a backslash', ['GET', '/\\evil.example']],
    ['a path above the base', ['GET', '/../secret']],
    ['an encoded path above the base', ['GET', '/%2e%2e/secret']],
    ['another method', ['CONNECT', '/x']],
  ])('refuses %s before it sends anything', async (_, args) => {
    const before = seen.length
    expect(await run(args)).toMatchObject({ code: 2, stdout: '' })
    expect(seen).toHaveLength(before)
  })
})
