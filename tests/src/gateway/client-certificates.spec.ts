import 'reflect-metadata'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@bearing/local/ports'
import { caExtensions, issue, newCa, verificationFor, type Issued } from '@bearing/testing/certificates'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as x509 from '@peculiar/x509'
import { newIdentityProject } from '../tools/device-signer.js'
import { ROOT } from '../tools/root.js'

type Headers = Readonly<Record<string, string | string[]>>

const base64 = ({ der }: Issued) => der.toString('base64')
const sequence = (one: Issued) => `:${base64(one)}:`
const escaped = (...certificates: Issued[]) =>
  encodeURIComponent(certificates.map(({ pem }) => pem).join('\n'))
const serialNumber = () => `DEVICE-${randomUUID()}`

describe.each([
  ['nginx', (certificate: Issued) => ({ 'x-ssl-client-cert': escaped(certificate) })],
  [
    'envoy',
    (certificate: Issued, ...chain: Issued[]) => ({
      'x-forwarded-client-cert': `By=spiffe://a;Hash=00;Cert="${escaped(certificate)}";Chain="${escaped(certificate, ...chain)}";Subject="CN=a, \\"b\\""`,
    }),
  ],
  [
    'traefik',
    (certificate: Issued, ...chain: Issued[]) => ({
      'x-forwarded-tls-client-cert': [certificate, ...chain].map(base64).join(','),
    }),
  ],
] as const)('a gateway behind %s', (form, headersOf) => {
  let stack: Stack
  let own: TestOrganization
  let ca: Issued

  const latest = async (headers: Headers): Promise<readonly [number, string | undefined]> => {
    const reply = await fetch(`${stack.gatewayUrls[0] ?? ''}/api/v0/releases/latest`, {
      headers: headers as Record<string, string>, // none is there twice
    })
    const body = (await reply.text()) || '{}'
    return [reply.status, (JSON.parse(body) as { code?: string }).code]
  }

  beforeAll(async () => {
    stack = await startStack({
      oneProcess: true,
      environment: { gateway: { TRUSTED_PROXIES: '127.0.0.1', CLIENT_CERTIFICATES: form } },
    })
    own = await newOrganization(stack)
    const project = await newIdentityProject(own)
    ca = await newCa()
    await own.token.client.call('createDeviceCa', {
      ...{ organization: own.slug, project: project.slug, certificate: ca.pem, just_in_time: true },
      verification_certificate: await verificationFor(ca, project.id),
    })
  })
  afterAll(() => stack.stop())

  it('reads the certificate in the form of the proxy, and no other form', async () => {
    expect(await latest(headersOf(await issue(ca, `CN=${serialNumber()}`)))).toEqual([204, undefined])
    const certificate = await issue(ca, `CN=${serialNumber()}`)
    expect(await latest({ 'client-cert': sequence(certificate) })).toEqual([401, 'credential_missing'])
    const [header = ''] = Object.keys(headersOf(certificate))
    for (const text of ['%', 'none', 'Cert="x', 'Cert="a",Cert="b"'])
      expect(await latest({ [header]: text })).toEqual([403, 'device_certificate_invalid'])
    expect((await latest({ [header]: '' }))[0]).toBe(401)
  })
})

describe('a gateway that ends TLS and asks for client certificates', () => {
  let folder: string
  let stack: Stack
  let own: TestOrganization
  let server: Issued
  let plain: Server
  let ca: Issued

  const latest = (client: { cert?: string; key?: string } = {}, headers: Headers = {}) =>
    new Promise<number>((resolve, reject) => {
      const options = { ca: server.pem, agent: false, headers, ...client } as const
      const request = httpsRequest(
        `${(stack.gatewayUrls[0] ?? '').replace('http:', 'https:')}/api/v0/releases/latest`,
        options,
        (reply) => {
          reply.resume()
          resolve(reply.statusCode ?? 0)
        },
      )
      request.on('error', reject)
      request.end()
    })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bearing-mtls-'))
    const names = new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])
    server = await issue(undefined, 'CN=127.0.0.1', { extensions: [names] })
    const files = { TLS_CERT_FILE: join(folder, 'tls.crt'), TLS_KEY_FILE: join(folder, 'tls.key') }
    await writeFile(files.TLS_CERT_FILE, server.pem)
    await writeFile(files.TLS_KEY_FILE, server.keyPem)
    stack = await startStack({
      oneProcess: true,
      environment: {
        gateway: { ...files, CLIENT_CERTIFICATES: 'tls' },
      },
    })
    const gateway = (stack.gatewayUrls[0] ?? '').replace('http:', 'https:')
    // Clients of the factories speak plain HTTP.
    plain = createServer((incoming, reply) => {
      const { method, headers, url } = incoming
      const sent = httpsRequest(`${gateway}${url ?? ''}`, { method, headers, ca: server.pem }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      })
      incoming.pipe(sent)
    })
    const port = await freePort()
    plain.listen(port, '127.0.0.1')
    const value = [`http://127.0.0.1:${String(port)}`]
    own = await newOrganization(Object.create(stack, { gatewayUrls: { value } }) as Stack)
    const project = await newIdentityProject(own)
    ca = await newCa()
    await own.token.client.call('createDeviceCa', {
      ...{ organization: own.slug, project: project.slug, certificate: ca.pem, just_in_time: true },
      verification_certificate: await verificationFor(ca, project.id),
    })
  })
  afterAll(async () => {
    plain.close()
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('accepts devices by the certificate of their connection, with its chain, and none by a header', async () => {
    const between = await issue(ca, 'CN=Between', { extensions: caExtensions() })
    const direct = await issue(ca, `CN=${serialNumber()}`)
    const indirect = await issue(between, `CN=${serialNumber()}`)
    expect(await latest({ cert: direct.pem, key: direct.keyPem })).toBe(204)
    expect(await latest({ cert: `${indirect.pem}\n${between.pem}`, key: indirect.keyPem })).toBe(204)
    expect(await latest({ cert: indirect.pem, key: indirect.keyPem })).toBe(403)
    const foreign = await issue(await newCa(ca.certificate.subject), `CN=${serialNumber()}`)
    expect(await latest({ cert: foreign.pem, key: foreign.keyPem })).toBe(403)
    expect(await latest({}, { 'client-cert': sequence(direct) })).toBe(401)
    await expect(latest({ cert: direct.pem, key: foreign.keyPem })).rejects.toThrow()
  })

  it('runs the commands of docs/connect-firmware.md with curl and openssl', async () => {
    const page = readFileSync(join(ROOT, 'docs', 'connect-firmware.md'), 'utf8')
    const [, commands = ''] = /^## Client certificates$.*?^```bash\n(.*?)^```/ms.exec(page) ?? []
    const other = await newIdentityProject(own, 'off')
    const main = JSON.stringify(join(ROOT, 'apps', 'cli', 'dist', 'main.js'))
    const script = `set -e; npx() { shift 2; node ${main} "$@"; }; ${commands}`
    const url = (stack.gatewayUrls[0] ?? '').replace('http:', 'https:')
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: folder,
      env: {
        ...{
          HOME: folder,
          PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
          BEARING_URL: url,
        },
        ...{ CURL_CA_BUNDLE: join(folder, 'tls.crt'), NODE_EXTRA_CA_CERTS: join(folder, 'tls.crt') },
        ...{ BEARING_ORG_TOKEN: own.token.token, BEARING_ORG: own.slug, BEARING_PROJECT: other.slug },
      },
    })
    expect(stdout).toContain('Factory')
    await eventually(async () => {
      const device_serial = 'SENSOR-0003'
      const { chunk_count } = await own.token.client.call('showDevice', {
        ...{ organization: own.slug, project: other.slug, device_serial },
      })
      expect(chunk_count).toBe(1)
    })
  })
})
