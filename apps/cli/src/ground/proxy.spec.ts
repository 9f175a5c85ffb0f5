import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { page } from '@bearing/contracts/primitives'
import { afterEach, describe, expect, it } from '@jest/globals'
import { fakeGateway } from '../testing/fake-gateway.js'
import { AS_USER } from '../testing/run-against.js'
import { runProcess } from '../testing/run-cli.js'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A proxy that connects to any host (RFC 9110 §9.3.6), and keeps which. */
async function startProxy() {
  const hosts: (string | undefined)[] = []
  const server = createServer().on('connect', (request, socket) => {
    hosts.push(request.url)
    const [host, port] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { hosts, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }
}

describe('the proxy of the environment', () => {
  it.each([
    ['https_proxy and http_proxy', ['https_proxy', 'http_proxy'], {}, true],
    ['HTTPS_PROXY and HTTP_PROXY', ['HTTPS_PROXY', 'HTTP_PROXY'], {}, true],
    ['HTTP_PROXY, except hosts of NO_PROXY', ['HTTP_PROXY'], { NO_PROXY: '127.0.0.1' }, false],
    ['no variable', [], {}, false],
  ])('is used by commands with %s', async (_, variables, more, isUsed) => {
    const proxy = await startProxy()
    await using gateway = await fakeGateway({
      listOrganizations: (input) => page([], 0, input),
    })
    const environment = {
      ...AS_USER,
      ...more,
      ...Object.fromEntries(variables.map((name) => [name, proxy.url])),
      BEARING_URL: gateway.url,
    }
    expect((await runProcess(['organizations', 'list'], { environment })).code).toBe(0)
    expect(gateway.requests).toHaveLength(1)
    expect(proxy.hosts).toEqual(isUsed ? [new URL(gateway.url).host] : [])
  })

  it('is explained in the help', async () => {
    const { stdout } = await runProcess(['--help'])
    for (const name of ['HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS']) expect(stdout).toContain(name)
  })
})
