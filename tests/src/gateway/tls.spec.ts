import 'reflect-metadata'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type RequestOptions } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

describe('a gateway that ends TLS itself', () => {
  let folder: string
  let stack: Stack
  let port: number
  let trusted: string

  /** Writes a new certificate and its key, and returns the certificate. */
  async function renew(): Promise<string> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      ...{ name: 'CN=127.0.0.1', keys, signingAlgorithm: ALGORITHM },
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
    })
    const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
    const pem = certificate.toString('pem')
    await writeFile(join(folder, 'tls.key'), x509.PemConverter.encode(key, 'PRIVATE KEY'))
    await writeFile(join(folder, 'tls.crt'), pem)
    return pem
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bearing-tls-'))
    trusted = await renew()
    const files = { TLS_CERT_FILE: join(folder, 'tls.crt'), TLS_KEY_FILE: join(folder, 'tls.key') }
    stack = await startStack({ gateways: 1, services: [], environment: { gateway: files } })
    port = Number(new URL(stack.gatewayUrls[0] ?? '').port)
  })
  afterAll(async () => {
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function ask(options: RequestOptions = {}): Promise<{ reply: IncomingMessage; body: string }> {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/nothing',
      ca: trusted,
      agent: false,
      ...options,
    }).end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    return { reply, body: await text(reply) }
  }

  it('answers over TLS 1.2 and 1.3 with its certificate, and as every gateway does', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { reply, body } = await ask({ minVersion: version, maxVersion: version })
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['strict-transport-security']).toBe('max-age=31536000')
      expect(JSON.parse(body)).toMatchObject({ status: 404 })
    }
  })

  it('has nothing for clients that speak an old version, or no TLS', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await expect(ask(old)).rejects.toThrow()
    await expect(fetch(`http://127.0.0.1:${String(port)}/nothing`)).rejects.toThrow()
    expect((await ask()).reply.statusCode).toBe(404)
  })

  it('uses a new certificate without a restart, keeps it where the next one is broken, and leaves open connections alone', async () => {
    const open = connect({ host: '127.0.0.1', port, ca: trusted })
    await once(open, 'secureConnect')
    trusted = await renew()
    await eventually(async () => expect((await ask()).reply.statusCode).toBe(404), { withinMs: 30_000 })
    open.write('GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await text(open)).toContain('HTTP/1.1 404')
    const complaints = () => stack.output().split('cannot be read again').length
    const before = complaints()
    await writeFile(join(folder, 'tls.crt'), 'no certificate')
    await eventually(() => expect(complaints()).toBeGreaterThan(before), { withinMs: 30_000 })
    expect((await ask()).reply.statusCode).toBe(404)
    expect(stack.output()).not.toContain('PRIVATE KEY')
  })
})
