import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { Browser } from '../tools/browser.js'
import { startProxy, type ProxyName } from '../tools/debian-proxy.js'
import { send } from '../tools/http.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'reverse-proxies.md'), 'utf8')
const exampleOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(PAGE)?.[1] ?? ''
/** The address that a client claims to have. */
const CLAIMED = '203.0.113.7'
/** More than nginx takes by default, and less than the gateway does. */
const CHUNK_BYTES = 3 * 1024 * 1024

interface Ports {
  readonly proxy: number
  readonly gateway: number
  readonly health: number
}

/** Replaces the servers of the page by the one gateway of the test. */
const withGateway = (example: string, { gateway, health }: Ports) =>
  example
    .replace(/^.*server 10\.0\.0\.11:8080;\n/m, '')
    .replace(' 10.0.0.11:8080', '')
    .replaceAll('10.0.0.10:8080', `127.0.0.1:${gateway}`)
    .replaceAll('9090', String(health))

/** The configuration of the page for each proxy, with plain HTTP. */
const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    configure: (ports: Ports, directory: string) => `daemon off;
pid nginx.pid;
events {}
http {
client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
${withGateway(exampleOf('nginx'), ports)
  .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.proxy};`)
  .replaceAll(/^.*ssl_certificate.*\n/gm, '')
  .replace('/var/log/nginx', directory)}
}
`,
  },
  caddy: {
    file: 'Caddyfile',
    configure: (ports: Ports) => `{
	admin off
}
${withGateway(exampleOf('caddyfile'), ports).replace('bearing.example.com', `http://127.0.0.1:${ports.proxy}`)}`,
  },
} as const

describe('the configurations of docs/reverse-proxies.md', () => {
  const stack = stackForSuite({
    oneProcess: true,
    environment: { gateway: { TRUSTED_PROXIES: '127.0.0.1' } },
  })
  const own = forSuite(() => newOrganization(stack))

  it.each(Object.keys(PROXIES) as ProxyName[])(
    '%s hands on the address of the client, the host and large bodies',
    async (name) => {
      const gateway = stack.gatewayUrls[0] ?? ''
      const directory = await mkdtemp(join(tmpdir(), `bearing-${name}-`))
      const ports = {
        proxy: await freePort(),
        gateway: Number(new URL(gateway).port),
        health: Number(stack.healthAddress('gateway-1').split(':')[1]),
      }
      const url = `http://127.0.0.1:${ports.proxy}`
      const { configure, file } = PROXIES[name]
      await mkdir(join(directory, 'logs'))
      await writeFile(join(directory, file), configure(ports, directory))
      const proxy = await startProxy(name, directory, async () => {
        const reply = await fetch(`${url}/openapi.json`).catch(() => undefined)
        return reply?.ok ?? false
      })
      try {
        const { token } = await own.admin.client.call('createOrganizationToken', {
          organization: own.slug,
          description: name,
          allowed_addresses: [`${CLAIMED}/32`],
        })
        const list = (address: string) =>
          send(address, 'GET', `/api/v0/organizations/${own.slug}/projects`, {
            headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': CLAIMED },
          })
        // The gateway believes the header if a proxy sends it; the proxy does not believe clients.
        expect(await list(gateway)).toMatchObject({ status: 200 })
        expect(await list(url)).toMatchObject({ status: 403, json: { code: 'address_not_allowed' } })

        const browser = await Browser.signIn(url, own.admin)
        expect((await browser.send(url, 'DELETE', '/auth/session')).status).toBeLessThan(300)

        const sent = await send(url, 'POST', `/api/v0/chunks/DEVICE-${name}`, {
          credential: { kind: 'project_key', key: own.project.key },
          headers: { 'content-type': 'application/octet-stream' },
          body: new Uint8Array(CHUNK_BYTES),
        })
        expect(sent.status).toBe(202)
        expect((await send(url, 'GET', '/docs/reverse-proxies')).text).toContain('# Reverse proxies')
      } finally {
        await proxy.stop()
        await rm(directory, { recursive: true, force: true })
      }
    },
  )
})
