import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ErrorCode } from '@bearing/contracts/errors'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { exportJWK } from 'jose'
import { newDeviceSigner, newIdentityProject, seconds } from '../tools/device-signer.js'
import { send, type Reply } from '../tools/http.js'

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const SCAN = {
  accessPoints: [
    { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
    { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
  ],
}

describe('a device that signs its own tokens', () => {
  const own = forSuite(() => newOrganization())
  const project = forSuite(() => newIdentityProject(own))
  const device = forSuite(() => newDeviceSigner(own, project))

  const gateway = (number = 0) => testStack().gatewayUrls[number] ?? ''
  const chunk = (token: string, serial = device.serial, headers = {}, url = gateway()) =>
    send(url, 'POST', `/api/v0/chunks/${serial}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...headers },
      body: 'chunk',
    })
  const refused = (reply: Reply, code: ErrorCode = 'device_token_invalid') => {
    expect([reply.status, reply.json?.code]).toEqual([403, code])
  }
  const location = (slug: string, of: TestProject, name: string) =>
    `/v1/organizations/${slug}/projects/${of.slug}/location/${name}`
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  it.each(['ES256', 'ES384', 'EdDSA'] as const)('sends data with %s, and is itself', async (alg) => {
    const signer = await newDeviceSigner(own, project, undefined, alg)
    const token = await signer.sign()
    expect((await chunk(token, signer.serial)).status).toBe(202)
    const me = await send(gateway(), 'GET', '/auth/me', bearer(token))
    expect(me.json?.data).toMatchObject({
      ...{ kind: 'device', device_serial: signer.serial, project_id: project.id, proof: 'token' },
      credential_id: signer.keyId,
    })
    await eventually(async () => {
      const { chunk_count } = await own.admin.client.call('showDevice', {
        ...{ organization: own.slug, project: project.slug, device_serial: signer.serial },
      })
      expect(chunk_count).toBe(1)
    })
  })

  it.each([
    ['the id of the key', () => device.keyId],
    [
      'SHA-256 of the DER in hexadecimal, as modems send it',
      () =>
        createHash('sha256')
          .update(device.publicKey.export({ type: 'spki', format: 'der' }))
          .digest('hex'),
    ],
  ])('is found by %s', async (_, kid) => {
    expect((await chunk(await device.sign({}, { kid: kid() }))).status).toBe(202)
  })

  it('is found by "sub" in the project of the key beside the token, without "kid"', async () => {
    const key = { 'service-project-key': project.key }
    const token = await device.sign({}, { kid: undefined })
    expect((await chunk(token, device.serial, key)).status).toBe(202)
    refused(await chunk(token))
    refused(await chunk(await device.sign({ sub: undefined }, { kid: undefined }), device.serial, key))
  })

  it('asks for configuration, releases, uploads and positions of its own', async () => {
    const sent = bearer(await device.sign())
    const config = { device: { device_serial: device.serial } }
    expect((await send(gateway(), 'POST', '/api/v0/device-config', { ...sent, body: config })).status).toBe(
      200,
    )
    expect((await send(gateway(), 'GET', '/api/v0/releases/latest', sent)).status).toBe(204)
    expect((await send(gateway(), 'POST', '/api/v0/upload', { ...sent, body: config })).status).toBe(200)
    const found = await send(gateway(), 'POST', location(own.slug, project, 'wifi'), { ...sent, body: SCAN })
    expect(found.json).toMatchObject({ code: 'location_not_found' })
  })

  it('is refused for every other device, wherever a request names it', async () => {
    const token = await device.sign()
    const other = (await newDeviceSigner(own, project)).serial
    const sent = bearer(token)
    const post = (path: string, body: object) => send(gateway(), 'POST', path, { ...sent, body })
    refused(await chunk(token, other), 'permission_denied')
    refused(await post('/api/v0/device-config', { device: { device_serial: other } }), 'permission_denied')
    refused(await post('/api/v0/upload', { device: { device_serial: other } }), 'permission_denied')
    const scans = [
      { ...SCAN, device_id: device.serial },
      { ...SCAN, device_id: other },
    ]
    for (const [name, body] of [
      ['wifi', { ...SCAN, device_id: other }],
      ['ground-fix', { wifi: SCAN, device_id: other }],
      ['wifi/batch', { scans }],
    ] as const)
      refused(await post(location(own.slug, project, name), body), 'permission_denied')
    // A name of a field can be escaped.
    const escaped = JSON.stringify({ ...SCAN, device_id: other }).replace(
      'device_id',
      String.raw`\u0064evice_id`,
    )
    const hidden = await send(gateway(), 'POST', location(own.slug, project, 'wifi'), {
      headers: { ...sent.headers, 'content-type': 'application/json' },
      body: escaped,
    })
    refused(hidden, 'permission_denied')
  })

  it('contributes observations only where its project allows it, and only as itself', async () => {
    const post = async (device_id: string) =>
      send(gateway(), 'POST', location(own.slug, project, 'observations'), {
        ...bearer(await device.sign()),
        body: {
          items: [
            {
              ...{ device_id, position: { latitude: 48, longitude: 11 } },
              wifiAccessPoints: [{ macAddress: '02:00:00:00:00:04', signalStrength: -50 }],
            },
          ],
        },
      })
    refused(await post(device.serial), 'permission_denied')
    await own.admin.client.call('changeProjectSettings', {
      ...{ organization: own.slug, project: project.slug, project_key_may_locate: false },
      project_key_may_contribute: true,
    })
    await eventually(async () => {
      expect((await post(device.serial)).status).toBe(202)
    })
    refused(await post('ANOTHER'), 'permission_denied')
  })

  it('reads nothing, and changes nothing, of its project', async () => {
    const sent = bearer(await device.sign())
    const base = `/api/v0/organizations/${own.slug}/projects/${project.slug}`
    for (const path of ['', '/devices', '/api_key', '/settings', `/devices/${device.serial}/keys`])
      refused(await send(gateway(), 'GET', base + path, sent), 'permission_denied')
    const elsewhere = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    expect((await send(gateway(), 'GET', elsewhere, sent)).json).toMatchObject({ code: 'project_not_found' })
  })

  it('is known to internal services by introspection over NATS', async () => {
    const { natsUrl: url, nkeySeeds } = testStack()
    const connection = await connectNats({ url, nkeySeed: nkeySeeds.introspector, name: 'introspector' })
    const answer = await new NatsClient(connection).call(introspectCredential, {
      ...{ kind: 'device_token', token: await device.sign(), audience: 'introspector' },
    })
    expect(answer).toMatchObject({
      active: true,
      principal: { kind: 'device', device_serial: device.serial },
    })
  })

  describe('is refused with 403 if', () => {
    it.each([
      ['the token has expired', { exp: seconds() - 600 }, 'has expired'],
      ['the token is from the future', { iat: seconds() + 900, exp: seconds() + 950 }, 'from the future'],
      ['nbf is in the future', { nbf: seconds() + 900 }, 'from the future'],
      ['the token lives longer than 24 hours', { exp: seconds() + 90_000 }, '24 hours'],
      ['the token has no expiry', { exp: undefined, iat: undefined }, 'no exp'],
      ['the token is of another subject', { sub: 'ANOTHER' }, 'sub'],
      ['a time in the token is a text', { exp: String(seconds() + 600) }, 'a time that is not a number'],
      ['the token is for another service', { aud: 'https://cloud.example.com' }, 'aud'],
    ])('%s, and the reply says so', async (_, claims, text) => {
      const reply = await chunk(await device.sign(claims))
      refused(reply)
      expect(reply.json?.['detail']).toContain(text)
      expect(reply.headers.get('date')).not.toBeNull()
    })

    it('the algorithm is "none", or HMAC with the public key as its secret', async () => {
      const payload = encode({ sub: device.serial, exp: seconds() + 60 })
      refused(await chunk(`${encode({ alg: 'none', kid: device.thumbprint })}.${payload}.`))
      for (const secret of [
        device.publicKey.export({ type: 'spki', format: 'pem' }),
        device.publicKey.export({ type: 'spki', format: 'der' }),
      ]) {
        const input = `${encode({ alg: 'HS256', kid: device.thumbprint })}.${payload}`
        refused(await chunk(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`))
      }
    })

    it('the algorithm is another one than that of its key', async () => {
      const [, payload = '', signature = ''] = (await device.sign()).split('.')
      for (const alg of ['ES384', 'EdDSA', 'RS256', 'ES256K'])
        refused(await chunk(`${encode({ alg, kid: device.thumbprint })}.${payload}.${signature}`))
    })

    it('another key signed it, although the header contains that key as jwk, or a certificate', async () => {
      const thief = await newDeviceSigner(own, await newIdentityProject(own))
      const jwk = await exportJWK(thief.publicKey)
      const header = { kid: device.thumbprint, jwk, x5c: ['MIIB'], jku: 'https://thief.example.com/' }
      refused(await chunk(await thief.sign({ sub: device.serial }, header)))
    })

    it('"kid" is a path, SQL, or of another type', async () => {
      const tricks: unknown[] = [
        '../../etc/passwd',
        "' OR '1'='1",
        "x'::uuid OR true --",
        '',
        '\0',
        7,
        {},
        null,
      ]
      for (const kid of [...tricks, `${device.keyId}' --`, `${device.thumbprint}=`]) {
        const header = encode({ alg: 'ES256', kid })
        const [, payload = '', signature = ''] = (await device.sign()).split('.')
        refused(await chunk(`${header}.${payload}.${signature}`))
      }
    })

    it('the token was changed after it was signed', async () => {
      const [header = '', , signature = ''] = (await device.sign()).split('.')
      refused(await chunk(`${header}.${encode({ sub: device.serial, exp: seconds() + 999 })}.${signature}`))
    })

    it('its key is of another project or organization than the one beside the token', async () => {
      const foreign = await newOrganization()
      const elsewhere = await newIdentityProject(foreign)
      const foreignDevice = await newDeviceSigner(foreign, elsewhere, device.serial)
      const key = { 'service-project-key': project.key }
      // Without `kid`: `sub` names a device of the project, but not its key.
      refused(await chunk(await foreignDevice.sign({}, { kid: undefined }), device.serial, key))
      const path = location(own.slug, project, 'wifi')
      const found = await send(gateway(), 'POST', path, { ...bearer(await foreignDevice.sign()), body: SCAN })
      expect([found.status, found.json?.code]).toEqual([404, 'organization_not_found'])
    })

    it('another device replays its token under its own serial number', async () => {
      const other = await newDeviceSigner(own, project)
      refused(await chunk(await device.sign(), other.serial), 'permission_denied')
    })

    it('its header is too large, and never with 401', async () => {
      const reply = await chunk(await device.sign({ pad: 'x'.repeat(2_000) }))
      refused(reply)
      expect((await chunk(await device.sign({ pad: 'x'.repeat(30_000) }))).status).toBe(431)
    })

    it('its project does not accept tokens of devices', async () => {
      const off = await newIdentityProject(own, 'off')
      const signer = await newDeviceSigner(own, off)
      const reply = await chunk(await signer.sign(), signer.serial)
      refused(reply)
      expect(reply.json?.['detail']).toContain('device_identity')
    })
  })

  it('works without expiry where its project allows it', async () => {
    const lenient = await newIdentityProject(own, 'optional', { device_tokens_without_expiry: true })
    const signer = await newDeviceSigner(own, lenient)
    const token = await signer.sign({ exp: undefined, iat: undefined })
    expect((await chunk(token, signer.serial)).status).toBe(202)
  })

  it('gets nothing by another text of its signature: it stays the same device', async () => {
    const token = await device.sign()
    const at = token.lastIndexOf('.') + 1
    const bytes = Buffer.from(token.slice(at), 'base64url')
    // The last character has bits that no byte needs.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1] ?? ''
    expect(Buffer.from(token.slice(at, -1) + last, 'base64url')).toEqual(bytes)
    refused(await chunk(token.slice(0, -1) + last))
    refused(await chunk(`${token}==`))
    // (r, n - s) is as valid as (r, s).
    const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    const me = await send(
      gateway(),
      'GET',
      '/auth/me',
      bearer(token.slice(0, at) + other.toString('base64url')),
    )
    expect(me.json?.data).toMatchObject({ kind: 'device', device_serial: device.serial })
  })

  it('is refused by every gateway within its cache time after its key was revoked', async () => {
    const signer = await newDeviceSigner(own, project)
    const token = await signer.sign()
    for (const url of testStack().gatewayUrls)
      expect((await chunk(token, signer.serial, {}, url)).status).toBe(202)
    await own.token.client.call('revokeDeviceKey', {
      ...{ organization: own.slug, project: project.slug, device_serial: signer.serial },
      device_key_id: signer.keyId,
    })
    await eventually(
      async () => {
        for (const url of testStack().gatewayUrls) refused(await chunk(token, signer.serial, {}, url))
      },
      { withinMs: 2_000 },
    )
  })
})

describe('a project', () => {
  const own = forSuite(() => newOrganization())
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const chunk = (serial: string, headers: Record<string, string>) =>
    send(gateway(), 'POST', `/api/v0/chunks/${serial}`, {
      headers: { 'content-type': 'application/octet-stream', ...headers },
      body: 'chunk',
    })

  it('that requires device identity refuses its key alone with 403, and accepts the tokens of its devices', async () => {
    const project = await newIdentityProject(own, 'required')
    const device = await newDeviceSigner(own, project)
    const key = { 'service-project-key': project.key }
    const alone = await chunk(device.serial, key)
    expect([alone.status, alone.json?.code]).toEqual([403, 'device_identity_required'])
    const token = { authorization: `Bearer ${await device.sign({}, { kid: undefined })}` }
    expect((await chunk(device.serial, { ...key, ...token })).status).toBe(202)
  })

  it('that has turned device identity off takes its key and ignores a token beside it, as before', async () => {
    const project = await newIdentityProject(own, 'off')
    const token = { authorization: `Bearer ${encode({ alg: 'ES256' })}.${encode({ sub: 'x' })}.AAAA` }
    expect((await chunk('ANY', { 'service-project-key': project.key, ...token })).status).toBe(202)
    const optional = await newIdentityProject(own)
    const reply = await chunk('ANY', { 'service-project-key': optional.key, ...token })
    expect([reply.status, reply.json?.code]).toEqual([403, 'device_token_invalid'])
  })

  it('with a device never answers 401 on a route of devices, whatever is wrong with its token or key', async () => {
    const project = await newIdentityProject(own, 'required')
    const device = await newDeviceSigner(own, project)
    const token = await device.sign()
    const wrong = [
      `${encode({ alg: 'ES256' })}.${encode({ sub: 'x' })}.AAAA`,
      `${token.slice(0, -3)}AAA`,
      await device.sign({ exp: seconds() - 900 }),
      await device.sign({ pad: 'x'.repeat(2_000) }),
      `${token}.more`.replace('.more', ''),
    ]
    const headers = [
      ...wrong.map((text) => ({ authorization: `Bearer ${text}` })),
      ...wrong.map((text) => ({ authorization: `Bearer ${text}`, 'service-project-key': project.key })),
      { 'service-project-key': project.key },
      { 'service-project-key': randomBytes(16).toString('hex') },
    ]
    const routes = Object.entries(ROUTES).filter(([, route]) => (route as Route).device)
    expect(routes.length).toBeGreaterThan(10)
    for (const [name, { method, path }] of routes)
      for (const sent of headers) {
        const address = path
          .replace(':organization', own.slug)
          .replace(':project', project.slug)
          .replaceAll(/:\w+/g, 'x')
          .replaceAll('*', 'x')
        const { status } = await send(gateway(), method, address, { headers: sent })
        expect([name, status]).not.toEqual([name, 401])
      }
  })
})
