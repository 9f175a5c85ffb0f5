import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CallInput } from '@bearing/client/call-types'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import {
  caExtensions,
  issue,
  newCa,
  verificationFor,
  type Different,
  type Issued,
} from '@bearing/testing/certificates'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestProject } from '@bearing/testing/factories'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as x509 from '@peculiar/x509'
import { newIdentityProject } from '../tools/device-signer.js'

type Headers = Readonly<Record<string, string | string[]>>
interface Sent {
  readonly headers?: Headers
  /** The IP address that the request comes from. The gateway trusts 127.0.0.1. */
  readonly from?: string
  readonly gateway?: string
  readonly path?: string
}
interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly json: { readonly data?: Readonly<Record<string, unknown>> }
  readonly headers: IncomingHttpHeaders
}

const base64 = ({ der }: Issued) => der.toString('base64')
const sequence = (one: Issued) => `:${base64(one)}:`
const serialNumber = () => `DEVICE-${randomUUID()}`

describe('a device with a client certificate', () => {
  const stack = namedStack('small-limits')
  const own = forSuite(() => newOrganization(stack))
  const project = forSuite(() => newIdentityProject(own))
  const ca = forSuite(() => newCa())
  let caId: string

  const gateway = (number = 0) => stack.gatewayUrls[number] ?? ''
  const at = (of = project) => ({ organization: own.slug, project: of.slug })

  async function send({
    headers = {},
    from = '127.0.0.1',
    path = '/auth/me',
    ...sent
  }: Sent): Promise<Answer> {
    const url = new URL(path, sent.gateway ?? gateway())
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { headers, localAddress: from }, (reply) => {
        text(reply).then((body) => {
          const json = JSON.parse(body === '' ? '{}' : body) as Answer['json'] & { code?: string }
          resolve({ status: reply.statusCode ?? 0, code: json.code, json, headers: reply.headers })
        }, reject)
      })
      request.on('error', reject)
      request.end()
    })
  }
  /** A route for devices, which answers 204 to every device. */
  const latest = (headers: Headers, sent: Omit<Sent, 'headers'> = {}) =>
    send({ path: '/api/v0/releases/latest', headers, ...sent })
  const present = (certificate: Issued, ...chain: Issued[]) => ({
    'client-cert': sequence(certificate),
    ...(chain.length > 0 && { 'client-cert-chain': chain.map(sequence).join(', ') }),
  })
  const refused = (answer: Answer) => {
    expect([answer.status, answer.code]).toEqual([403, 'device_certificate_invalid'])
  }

  async function register(
    of: TestProject,
    issuer: Issued,
    rule: Partial<CallInput<'createDeviceCa'>> = {},
  ): Promise<string> {
    const { id } = await own.token.client.call('createDeviceCa', {
      ...at(of),
      ...{ certificate: issuer.pem, verification_certificate: await verificationFor(issuer, of.id) },
      ...rule,
    })
    return id
  }
  const device = (serial = serialNumber(), different: Different = {}, issuer = ca) =>
    issue(issuer, `CN=${serial}`, different)
  const keysOf = async (device_serial: string, of = project) =>
    (await own.token.client.call('listDeviceKeys', { ...at(of), device_serial })).data

  beforeAll(async () => {
    caId = await register(project, ca, { just_in_time: true })
  })

  it('registers its key with the first request, and is itself', async () => {
    const serial = serialNumber()
    const certificate = await device(serial)
    expect((await latest(present(certificate))).status).toBe(204)
    const [key, another] = await keysOf(serial)
    expect(another).toBeUndefined()
    expect(key).toMatchObject({ device_ca_id: caId, expires_at: expect.any(String) })
    const { natsUrl: url, nkeySeeds } = stack
    const connection = await connectNats({ url, nkeySeed: nkeySeeds.introspector, name: 'introspector' })
    try {
      const answer = await new NatsClient(connection).call(introspectCredential, {
        ...{ kind: 'device_certificate', certificate: base64(certificate), audience: 'introspector' },
      })
      expect(answer).toMatchObject({
        active: true,
        principal: { kind: 'device', device_serial: serial, project_id: project.id, proof: 'certificate' },
      })
    } finally {
      await connection.drain()
    }
    const { data: entries } = await own.admin.client.call('listAuditEntries', {
      ...{ organization: own.slug, action: 'device_key.claimed' },
    })
    expect(JSON.stringify(entries)).toContain(key?.id)
  })

  it('is refused for the serial number of another device', async () => {
    const answer = await send({
      headers: present(await device()),
      path: `/v1/organizations/${own.slug}/projects/${project.slug}/location/wifi?device_id=${serialNumber()}`,
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).not.toBe(401)
  })

  it('proves itself over an intermediate CA if it sends that', async () => {
    const between = await issue(ca, 'CN=Between', { extensions: caExtensions() })
    const certificate = await device(serialNumber(), {}, between)
    refused(await latest(present(certificate)))
    expect((await latest(present(certificate, between))).status).toBe(204)
    // The root may come too, and is not needed.
    expect((await latest(present(certificate, between, ca))).status).toBe(204)
  })

  it('needs no CA if a manager registered its key or certificate', async () => {
    const serial = serialNumber()
    const certificate = await issue(undefined, 'CN=Anything')
    refused(await latest(present(certificate)))
    await own.token.client.call('createDeviceKey', {
      ...{ ...at(), device_serial: serial, public_key: certificate.pem },
    })
    // Refusals are cached for a second.
    await eventually(async () => expect((await latest(present(certificate))).status).toBe(204))
    const imported = await issue(undefined, 'CN=Imported')
    const { data } = await own.token.client.call('importDeviceKeys', {
      ...{ ...at(), keys: [{ device_serial: serialNumber(), public_key: imported.pem }] },
    })
    expect(data).toMatchObject([{ outcome: 'created' }])
    expect((await latest(present(imported))).status).toBe(204)
    const ended = { keys: imported.keys, notAfter: new Date(Date.now() - 1_000) }
    refused(await latest(present(await issue(undefined, 'CN=Imported', ended))))
  })

  it.each([
    ['subject_serial_number', '{serial}', (serial: string) => `2.5.4.5=${serial}`, undefined],
    [
      'san_dns',
      '{serial}.devices.example.com',
      () => 'CN=x',
      (serial: string) => ({ type: 'dns', value: `${serial}.devices.example.com` }) as const,
    ],
    [
      'san_uri',
      'urn:device:{serial}',
      () => 'CN=x',
      (serial: string) => ({ type: 'url', value: `urn:device:${serial}` }) as const,
    ],
  ] as const)(
    'has its serial number in %s, in the form %s',
    async (serial_from, serial_pattern, name, san) => {
      const other = await newIdentityProject(own)
      const issuer = await newCa()
      await register(other, issuer, { serial_from, serial_pattern, just_in_time: true })
      const serial = serialNumber()
      const extensions = san ? [new x509.SubjectAlternativeNameExtension([san(serial)])] : []
      expect((await latest(present(await issue(issuer, name(serial), { extensions })))).status).toBe(204)
      expect(await keysOf(serial, other)).toHaveLength(1)
      if (!san) return
      const names = new x509.SubjectAlternativeNameExtension([san(serialNumber()), san(serialNumber())])
      refused(await latest(present(await issue(issuer, 'CN=x', { extensions: [names] }))))
    },
  )

  it('uses the project key beside its certificate where the project does not use device identity', async () => {
    const key = { 'service-project-key': own.project.key }
    const foreign = await issue(await newCa(), 'CN=Mesh')
    expect((await latest({ ...present(foreign), ...key })).status).toBe(204)
    // A project that does use it gets no device by the key alone.
    refused(await latest({ ...present(foreign), 'service-project-key': project.key }))
  })

  it('has a token that counts more than the certificate of its connection', async () => {
    const answer = await latest({
      ...present(await device()),
      authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.AAAA',
    })
    expect([answer.status, answer.code]).toEqual([403, 'device_token_invalid'])
  })

  it('that sends no certificate is asked for a credential as before', async () => {
    expect((await latest({})).status).toBe(401)
    // Caddy sends an empty byte sequence.
    expect((await latest({ 'client-cert': '::', 'service-project-key': project.key })).status).toBe(204)
  })

  it('has nothing on routes for people and programs', async () => {
    const headers = present(await device())
    const path = `/api/v0/organizations/${own.slug}/projects`
    expect((await send({ path, headers })).status).toBe(401)
  })

  describe('is refused with 403 if', () => {
    it('the header comes from anyone but a trusted proxy, also beside a valid project key', async () => {
      const headers = present(await device())
      refused(await latest(headers, { from: '127.0.0.2' }))
      refused(await latest({ ...headers, 'service-project-key': project.key }, { from: '127.0.0.2' }))
      // The address that a client claims to have does not count.
      refused(await latest({ ...headers, 'x-forwarded-for': '127.0.0.1' }, { from: '127.0.0.2' }))
    })

    it('the header is there twice', async () => {
      const certificate = await device()
      refused(await latest({ 'client-cert': [sequence(certificate), sequence(certificate)] }))
      const chain = [sequence(ca), sequence(ca)]
      refused(await latest({ 'client-cert': sequence(certificate), 'client-cert-chain': chain }))
    })

    it.each([
      ['no base64', ':no base64!:'],
      ['PEM', 'MIIB'],
      ['too large', `:${'A'.repeat(9_000)}:`],
      ['no certificate', ':AAAA:'],
      ['two certificates', ':AAAA:, :AAAA:'],
    ])('the header is %s', async (_, header) => {
      refused(await latest({ 'client-cert': header }))
    })

    it('the headers are larger than the gateway reads', async () => {
      const answer = await latest({ 'client-cert': `:${'A'.repeat(20_000)}:` }).catch(() => undefined)
      expect(answer?.status ?? 431).toBe(431)
    })

    it('a foreign CA with the same subject has issued it', async () => {
      const foreign = await newCa(ca.certificate.subject)
      refused(await latest(present(await device(serialNumber(), {}, foreign))))
      refused(await latest(present(await device(serialNumber(), {}, foreign), foreign)))
      refused(await latest(present(await device(serialNumber(), {}, foreign), ca)))
    })

    it('it names the certificate of another device as its CA', async () => {
      const victim = await device()
      expect((await latest(present(victim))).status).toBe(204)
      refused(await latest(present(await issue(victim, `CN=${serialNumber()}`), victim)))
      refused(await latest(present(await issue(await newCa(ca.certificate.subject), 'CN=x'), victim)))
    })

    it('it has expired, is not valid yet, or its CA has expired', async () => {
      refused(await latest(present(await device(serialNumber(), { notAfter: new Date(Date.now() - 1_000) }))))
      refused(
        await latest(present(await device(serialNumber(), { notBefore: new Date(Date.now() + 60_000) }))),
      )
      const brief = await newCa(undefined, { notAfter: new Date(Date.now() + 3_000) })
      await register(project, brief, { just_in_time: true })
      const certificate = await device(serialNumber(), {}, brief)
      expect((await latest(present(certificate))).status).toBe(204)
      // Cached answers end with the CA too.
      await eventually(async () => refused(await latest(present(certificate))), { withinMs: 10_000 })
    })

    it('its serial number belongs to a device of another project: each CA names its own project', async () => {
      const serial = serialNumber()
      expect((await latest(present(await device(serial)))).status).toBe(204)
      const other = await newIdentityProject(own)
      const issuer = await newCa()
      await register(other, issuer, { just_in_time: true })
      const same = await device(serial, {}, issuer)
      expect((await latest(present(same))).status).toBe(204)
      // It is a device of the other project, and of no other one.
      refused(await latest({ ...present(await device()), 'service-project-key': other.key }))
      expect(await keysOf(serial)).toHaveLength(1)
      expect(await keysOf(serial, other)).toHaveLength(1)
    })

    it('its key is registered for another serial number', async () => {
      const first = await device()
      expect((await latest(present(first))).status).toBe(204)
      refused(await latest(present(await device(serialNumber(), { keys: first.keys }))))
    })

    it('just_in_time of its CA is off, until a manager turns it on', async () => {
      const issuer = await newCa()
      const device_ca_id = await register(project, issuer)
      const certificate = await device(serialNumber(), {}, issuer)
      refused(await latest(present(certificate)))
      await own.token.client.call('changeDeviceCa', { ...at(), device_ca_id, just_in_time: true })
      await eventually(async () => expect((await latest(present(certificate))).status).toBe(204))
    })

    it('its project does not use device identity', async () => {
      const off = await newIdentityProject(own, 'off')
      const issuer = await newCa()
      await register(off, issuer, { just_in_time: true })
      const certificate = await device(serialNumber(), {}, issuer)
      refused(await latest(present(certificate)))
      expect((await latest({ ...present(certificate), 'service-project-key': off.key })).status).toBe(204)
    })

    it('its key is RSA, which devices may not have', async () => {
      const keys = await crypto.subtle.generateKey(
        {
          ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2_048 },
          publicExponent: new Uint8Array([1, 0, 1]),
        },
        true,
        ['sign', 'verify'],
      )
      refused(await latest(present(await device(serialNumber(), { keys }))))
    })
  })

  it('is refused by every gateway within its cache time after its key was revoked, and does not register another one', async () => {
    const serial = serialNumber()
    const certificate = await device(serial)
    for (const number of [0, 1])
      expect((await latest(present(certificate), { gateway: gateway(number) })).status).toBe(204)
    const [key] = await keysOf(serial)
    await own.token.client.call('revokeDeviceKey', {
      ...{ ...at(), device_serial: serial, device_key_id: key?.id ?? '' },
    })
    for (const number of [0, 1])
      await eventually(
        async () => refused(await latest(present(certificate), { gateway: gateway(number) })),
        {
          withinMs: 1_000,
        },
      )
    refused(await latest(present(await device(serial))))
  })

  it('is refused by every gateway within its cache time after its CA was deleted, also with a token', async () => {
    const issuer = await newCa()
    const device_ca_id = await register(project, issuer, { just_in_time: true })
    const serial = serialNumber()
    const certificate = await device(serial, {}, issuer)
    for (const number of [0, 1])
      expect((await latest(present(certificate), { gateway: gateway(number) })).status).toBe(204)
    await own.token.client.call('deleteDeviceCa', { ...at(), device_ca_id })
    for (const number of [0, 1])
      await eventually(
        async () => refused(await latest(present(certificate), { gateway: gateway(number) })),
        {
          withinMs: 1_000,
        },
      )
    expect(await keysOf(serial)).toEqual([])
    await expect(
      own.token.client.call('changeDeviceCa', { ...at(), device_ca_id, just_in_time: false }),
    ).rejects.toMatchObject({ code: 'device_ca_not_found' })
    // The same CA can be registered again.
    await register(project, issuer, { just_in_time: true })
    await eventually(async () => expect((await latest(present(certificate))).status).toBe(204))
  })

  it('registers its key once if its first requests arrive at the same time at two gateways', async () => {
    const serial = serialNumber()
    const certificate = await device(serial)
    const answers = await Promise.all(
      [0, 1, 0, 1].map((number) => latest(present(certificate), { gateway: gateway(number) })),
    )
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(await keysOf(serial)).toHaveLength(1)
  })

  it('shares its serial number with at most one other key that its CA vouches for', async () => {
    const serial = serialNumber()
    for (const certificate of [await device(serial), await device(serial)])
      expect((await latest(present(certificate))).status).toBe(204)
    refused(await latest(present(await device(serial))))
  })

  describe('whose CA is registered', () => {
    const create = async (input: Partial<CallInput<'createDeviceCa'>>) => {
      const valid = { certificate: ca.pem, verification_certificate: await verificationFor(ca, project.id) }
      return own.token.client.call('createDeviceCa', { ...at(), ...valid, ...input })
    }
    const invalid = (input: Partial<CallInput<'createDeviceCa'>>) =>
      expect(create(input)).rejects.toMatchObject({ code: 'invalid_input' })

    it('needs proof of possession of the CA key, for this project, and once per installation', async () => {
      const issuer = await newCa()
      const certificate = issuer.pem
      await invalid({ certificate, verification_certificate: await verificationFor(ca, project.id) })
      await invalid({ certificate, verification_certificate: await verificationFor(issuer, own.project.id) })
      const sameName = await newCa(issuer.certificate.subject)
      await invalid({ certificate, verification_certificate: await verificationFor(sameName, project.id) })
      await invalid({ certificate, verification_certificate: certificate })
      await expect(create({})).rejects.toMatchObject({ code: 'device_ca_taken' })
      const renewed = await newCa(ca.certificate.subject, { keys: ca.keys })
      await expect(create({ certificate: renewed.pem })).rejects.toMatchObject({ code: 'device_ca_taken' })
    })

    it('must have the certificate of a CA that is valid now', async () => {
      for (const different of [
        { extensions: [] },
        { extensions: caExtensions(undefined, x509.KeyUsageFlags.digitalSignature) },
        { notAfter: new Date(Date.now() - 1_000) },
      ]) {
        const issuer = await newCa(undefined, different)
        const verification_certificate = await verificationFor(issuer, project.id)
        await invalid({ certificate: issuer.pem, verification_certificate })
      }
      await invalid({ certificate: 'none' })
      await invalid({ serial_pattern: 'no placeholder' })
    })
  })
})
