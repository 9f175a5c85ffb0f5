import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Child } from '@bearing/local/child'
import { freePort } from '@bearing/local/ports'
import { issue, newCa, verificationFor, type Issued } from '@bearing/testing/certificates'
import { newOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as x509 from '@peculiar/x509'
import { startProxy, type ProxyName } from '../tools/debian-proxy.js'
import { newIdentityProject } from '../tools/device-signer.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'reverse-proxies.md'), 'utf8')
/** Returns the block of the page that contains a word. */
const blockWith = (word: string) =>
  [...PAGE.matchAll(/^```text\n(.*?)^```/gms)]
    .map(([, block = '']) => block)
    .find((text) => text.includes(word)) ?? ''

interface Ports {
  readonly proxy: number
  readonly gateway: number
}

/** The file of each proxy: the configuration of the page, with TLS. */
const CONFIGURATIONS: Readonly<Record<ProxyName, (ports: Ports, directory: string) => [string, string]>> = {
  nginx: ({ proxy, gateway }, directory) => [
    'nginx.conf',
    `daemon off;
pid nginx.pid;
events {}
http {
client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
access_log off;
server {
listen 127.0.0.1:${proxy} ssl;
ssl_certificate ${directory}/tls.crt;
ssl_certificate_key ${directory}/tls.key;
location / { proxy_pass http://127.0.0.1:${gateway}; ${blockWith('ssl_client_escaped_cert').split('\n')[1] ?? ''} }
${blockWith('ssl_client_escaped_cert').split('\n')[0] ?? ''}
}
}
`,
  ],
  caddy: ({ proxy, gateway }, directory) => [
    'Caddyfile',
    `{
	admin off
	auto_https off
	default_sni localhost
	servers {
		protocols h1 h2
	}
}
${blockWith('client_auth')
  .replace('bearing.example.com', `https://localhost:${proxy}`)
  .replace('tls {', `bind 127.0.0.1\n\ttls ${directory}/tls.crt ${directory}/tls.key {`)
  .replace('10.0.0.10:8080', `127.0.0.1:${gateway}`)}`,
  ],
}

describe.each([
  ['nginx', 'nginx', 'x-ssl-client-cert', ({ pem }: Issued) => encodeURIComponent(pem)],
  ['caddy', 'rfc9440', 'client-cert', ({ der }: Issued) => `:${der.toString('base64')}:`],
] as const)(
  '%s of Debian in front of a gateway, which asks for client certificates',
  (name, form, header, valueOf) => {
    let stack: Stack
    let directory: string
    let proxy: Child | undefined
    let server: Issued
    let ca: Issued
    let port: number
    let key: string

    const latest = (options: RequestOptions = {}) =>
      new Promise<number>((resolve, reject) => {
        const sent = request(
          {
            ...{ host: 'localhost', port, path: '/api/v0/releases/latest', ca: server.pem, agent: false },
            ...options,
          },
          (reply) => {
            reply.resume()
            resolve(reply.statusCode ?? 0)
          },
        )
        sent.on('error', reject)
        sent.end()
      })
    const device = (issuer = ca) => issue(issuer, `CN=DEVICE-${randomUUID()}`)
    const as = ({ pem, keyPem }: Issued) => ({ cert: pem, key: keyPem })

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), `bearing-${name}-`))
      stack = await startStack({
        oneProcess: true,
        environment: { gateway: { TRUSTED_PROXIES: '127.0.0.1', CLIENT_CERTIFICATES: form } },
      })
      const own = await newOrganization(stack)
      const project = await newIdentityProject(own)
      key = project.key
      ca = await newCa()
      await own.token.client.call('createDeviceCa', {
        ...{ organization: own.slug, project: project.slug, certificate: ca.pem, just_in_time: true },
        verification_certificate: await verificationFor(ca, project.id),
      })
      const names = new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])
      server = await issue(undefined, 'CN=localhost', { extensions: [names] })
      await writeFile(join(directory, 'tls.crt'), server.pem)
      await writeFile(join(directory, 'tls.key'), server.keyPem)
      await mkdir(join(directory, 'logs'))
      port = await freePort()
      const ports = { proxy: port, gateway: Number(new URL(stack.gatewayUrls[0] ?? '').port) }
      const [file, text] = CONFIGURATIONS[name](ports, directory)
      await writeFile(join(directory, file), text)
      proxy = await startProxy(name, directory, async () => (await latest().catch(() => 0)) === 401)
    })
    afterAll(async () => {
      await proxy?.stop()
      await stack.stop()
      await rm(directory, { recursive: true, force: true })
    })

    it('passes on the certificate of a device, which is verified by the CAs of its project', async () => {
      const certificate = await device()
      expect(await latest(as(certificate))).toBe(204)
      expect(await latest({ ...as(certificate), headers: { 'service-project-key': key } })).toBe(204)
      expect(await latest(as(await device(await newCa(ca.certificate.subject))))).toBe(403)
      const other = await device()
      await expect(latest({ cert: certificate.pem, key: other.keyPem })).rejects.toThrow()
    })

    it('does not let a client choose its certificate by the header, with or without one of its own', async () => {
      const victim = await device()
      expect(await latest(as(victim))).toBe(204)
      const headers = { [header]: valueOf(victim) }
      expect(await latest({ headers })).toBe(401)
      expect(await latest({ headers: { [header]: [valueOf(victim), valueOf(victim)] } })).toBe(401)
      expect(await latest({ ...as(await issue(undefined, 'CN=Thief')), headers })).toBe(403)
      // Names of headers can be written in other ways.
      const other = { [header.replaceAll('-', '_')]: valueOf(victim), connection: header }
      expect(await latest({ headers: other })).toBe(401)
    })
  },
)
