import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallInput } from '@bearing/client/call-types'
import { verifyAuditChain } from '@bearing/contracts/identity/audit/audit-log'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { eventually } from '@bearing/testing/eventually'
import { clientFor, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { createRemoteJWKSet, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { runBearing } from '../tools/bearing.js'
import { send, type Reply } from '../tools/http.js'
import { GITHUB, GITLAB, KUBERNETES, WorkloadIssuer } from '../tools/workload-issuer.js'

type Trust = CallInput<'createWorkloadTrust'>

const AUDIENCE = 'https://bearing.example.com'
const SOON = 400

describe('the exchange of a workload token', () => {
  const issuer = forSuite(() => WorkloadIssuer.start())
  const own = forSuite(() => newOrganization())
  let trustId: string

  const trust = async (wanted: Partial<Trust> = {}, of: TestOrganization = own) => {
    const { id } = await of.admin.client.call('createWorkloadTrust', trustOf(wanted, of))
    return id
  }
  const trustOf = (wanted: Partial<Trust>, of: TestOrganization = own): Trust => ({
    ...{ organization: of.slug, name: 'CI', platform: 'github', issuer: issuer.issuer, audience: AUDIENCE },
    ...{ claims: { repository_id: '123456' }, permissions: ['project:list', 'project:read'] },
    ...wanted,
  })
  const exchange = (subject: string, more: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    send(testStack().gatewayUrls[0] ?? '', 'POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: TOKEN_EXCHANGE,
        subject_token: subject,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        audience: own.slug,
        client_id: trustId,
        ...more,
      }).toString(),
    })
  const github = (claims: object = {}, header: object = {}) =>
    issuer.sign({ aud: AUDIENCE, ...GITHUB, ...claims }, header)
  const clientsOf = (token: unknown) =>
    testStack().gatewayUrls.map((_, gateway) =>
      clientFor({ kind: 'organization_token', token: String(token) }, testStack(), gateway),
    )
  const refused = (reply: Reply, error: string) => {
    expect(reply.json).toEqual({ error, error_description: expect.any(String) })
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([400, 'no-store'])
  }

  beforeAll(async () => {
    trustId = await trust()
  })

  it.each([
    ['GitHub', 'github', { repository_id: '123456', ref: 'refs/heads/*' }, GITHUB, 'run_id=987'],
    ['GitLab', 'gitlab', { project_id: '20' }, GITLAB, 'pipeline_id=574'],
    [
      'Kubernetes',
      'kubernetes',
      { 'kubernetes.io/namespace': 'fleet', 'kubernetes.io/serviceaccount/uid': '5f1e' },
      KUBERNETES,
      'kubernetes.io/serviceaccount/name=nightly',
    ],
  ] as const)(
    'gives a workload of %s a token that says who it was, to itself and in the audit log',
    async (_, platform, claims, shape, shown) => {
      const id = await trust({ platform, claims })
      const reply = await exchange(await issuer.sign({ aud: [AUDIENCE], ...shape }), { client_id: id })
      expect(reply).toMatchObject({
        status: 200,
        json: { token_type: 'Bearer', expires_in: 900, scope: 'project:list project:read' },
      })
      expect(reply.headers.get('cache-control')).toBe('no-store')
      const [client] = clientsOf(reply.json?.['access_token'])
      const me = await client?.call('whoAmI', {})
      expect(me).toMatchObject({ kind: 'organization_token', workload: { trust_id: id, subject: shape.sub } })
      const { data } = await own.admin.client.call('listAuditEntries', {
        ...{ organization: own.slug, action: 'organization_token.exchanged' },
      })
      expect(data[0]).toMatchObject({
        actor_kind: 'workload',
        details: { workload_trust: id, workload_claims: expect.arrayContaining([shown]) },
      })
    },
  )

  it('accepts pasted keys of an issuer that cannot be reached', async () => {
    const unreachable = 'https://kubernetes.default.svc'
    const id = await trust({ issuer: unreachable, jwks: issuer.publicKeys() })
    const token = await github({ iss: unreachable })
    expect((await exchange(token, { client_id: id })).status).toBe(200)
  })

  it.each<readonly [string, () => Promise<string>, string]>([
    ['another audience', () => github({ aud: 'https://other.example.com' }), 'invalid_target'],
    ['another issuer', () => github({ iss: 'https://other.example.com' }), 'invalid_target'],
    ['other claims', () => github({ repository_id: '123457' }), 'invalid_target'],
    ['an expiry in the past', () => github({ exp: Math.floor(Date.now() / 1_000) - 1 }), 'invalid_request'],
    ['no expiry', () => github({ exp: undefined }), 'invalid_request'],
    [
      'a beginning beyond 30 s in the future',
      () => github({ nbf: Math.floor(Date.now() / 1_000) + 40 }),
      'invalid_request',
    ],
    ['the URL of a key', () => github({}, { jku: 'https://evil.example.com/jwks' }), 'invalid_request'],
    ['a key inside', () => github({}, { jwk: { kty: 'RSA', n: 'x', e: 'AQAB' } }), 'invalid_request'],
    ['a key that is not in the set', () => github({}, { kid: 'unknown' }), 'invalid_request'],
    ['no signature', () => Promise.resolve(unsigned()), 'invalid_request'],
    ['an HMAC', () => hmac(), 'invalid_request'],
    ['the signature of another key', () => foreign(), 'invalid_request'],
    ['nonsense', () => Promise.resolve('nonsense'), 'invalid_request'],
  ])('refuses a token with %s', async (_, token, error) => {
    refused(await exchange(await token()), error)
  })

  const payload = () => ({
    ...{ iss: issuer.issuer, aud: AUDIENCE, exp: Math.floor(Date.now() / 1_000) + 60 },
    ...GITHUB,
  })
  const unsigned = () =>
    `${[{ alg: 'none' }, payload()].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
  const hmac = () =>
    new SignJWT(payload())
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(JSON.stringify(issuer.publicKeys())))
  const foreign = async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const kid = issuer.publicKeys().keys[0]?.kid ?? ''
    return new SignJWT(payload()).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  }

  it('refuses the token for a foreign organization exactly as for one that does not exist', async () => {
    const other = await newOrganization()
    const token = await github()
    const replies = await Promise.all(
      [other.slug, other.id, 'there-is-none'].map((audience) => exchange(token, { audience })),
    )
    for (const reply of replies) refused(reply, 'invalid_target')
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  it('accepts a token once where the trust says so, also at the same moment', async () => {
    const client_id = await trust({ single_use: true })
    const token = await github()
    const replies = await Promise.all([1, 2, 3, 4].map(() => exchange(token, { client_id })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    refused(await exchange(token, { client_id }), 'invalid_request')
    refused(await exchange(await github({ jti: undefined }), { client_id }), 'invalid_request')
  })

  it('records each exchange of many at the same moment, of several organizations, in whole chains', async () => {
    const other = await newOrganization()
    const ended = await trust()
    await own.admin.client.call('deleteWorkloadTrust', { organization: own.slug, trust_id: ended })
    const [ownTrust, otherTrust] = [await trust(), await trust({}, other)]
    const wanted = [
      { client_id: ownTrust },
      { client_id: otherTrust, audience: other.slug },
      { client_id: ended },
    ]
    const tokens = await Promise.all(Array.from({ length: 12 }, () => github()))
    const replies = await Promise.all(tokens.map((token, at) => exchange(token, wanted[at % 3])))
    expect(replies.map(({ status }) => status)).toEqual(replies.map((_, at) => (at % 3 === 2 ? 400 : 200)))
    for (const [{ id: chain, slug, admin }, trust_id] of [
      [own, ownTrust],
      [other, otherTrust],
    ] as const) {
      const { data } = await admin.client.call('listAuditEntries', {
        ...{ organization: slug, action: 'organization_token.exchanged', per_page: 100 },
      })
      const ofTrust = data.filter(({ details }) => details['workload_trust'] === trust_id)
      expect(new Set(ofTrust.map(({ target }) => target)).size).toBe(4)
      const verified = await callAsOperator(verifyAuditChain, { chain, after: { length: 0, hash: null } })
      expect(verified).toMatchObject({ fault: null })
    }
  })

  it('gives less for a scope, and never more than the trust', async () => {
    const token = await github()
    expect((await exchange(token, { scope: 'project:read' })).json).toMatchObject({ scope: 'project:read' })
    refused(await exchange(token, { scope: 'project:read device:read' }), 'invalid_scope')
    refused(await exchange(token, { grant_type: 'client_credentials' }), 'unsupported_grant_type')
    refused(await exchange(token, { subject_token_type: 'urn:example' }), 'invalid_request')
    refused(await exchange(token, { audience: '' }), 'invalid_target')
    const json = await send(testStack().gatewayUrls[0] ?? '', 'POST', '/oauth/token', { body: {} })
    refused(json, 'invalid_request')
  })

  it.each(['deleted', 'changed'] as const)(
    'ends in milliseconds at every gateway when its trust is %s, with what was derived from it',
    async (how) => {
      const permissions = ['project:list', 'organization-token:derive'] as const
      const id = await trust({ permissions: [...permissions] })
      const { json } = await exchange(await github(), { client_id: id })
      const clients = clientsOf(json?.['access_token'])
      const derived = await clients[0]?.call('deriveOrganizationToken', { organization: own.slug })
      const all = [...clients, ...clientsOf(derived?.token)]
      const use = (client: (typeof all)[number]) => client.call('listProjects', { organization: own.slug })
      await Promise.all(all.map(use))
      const scope = { organization: own.slug, trust_id: id }
      if (how === 'deleted') await own.admin.client.call('deleteWorkloadTrust', scope)
      else
        await own.admin.client.call('changeWorkloadTrust', {
          ...trustOf({ permissions: ['project:list'] }),
          ...scope,
        })
      const began = performance.now()
      const outcomes = await Promise.all(all.map((client) => use(client).catch((error: unknown) => error)))
      expect(performance.now() - began).toBeLessThan(SOON * all.length)
      for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 'credential_invalid' })
    },
  )

  it('is refused as a trust that would accept tokens of others, with a reason', async () => {
    const create = (wanted: Partial<Trust>) =>
      own.admin.client.call('createWorkloadTrust', trustOf(wanted)).then(
        () => 'created',
        (error: unknown) => String(error),
      )
    expect(await create({ claims: { repository: 'acme/firmware' } })).toContain('repository_owner_id')
    expect(await create({ claims: { repository_id: '12*' } })).toContain('exact value')
    const issuerOfGithub = 'https://token.actions.githubusercontent.com'
    expect(
      await create({ platform: 'generic', issuer: issuerOfGithub, claims: { sub: 'repo:a/b' } }),
    ).toContain('everyone can get tokens of this issuer')
    expect(await create({ platform: 'generic', claims: {} })).toContain('every token of the issuer')
    expect(await create({ platform: 'kubernetes', claims: { 'kubernetes.io/namespace': 'a' } })).toContain(
      'uid',
    )
    expect(await create({ claims: { repository_id: '1', ref: '*' } })).toContain('everything would match')
    expect(await create({ permissions: ['organization-token:create'] })).toContain('/permissions/0')
  })

  it('finds new keys of an issuer without an operator', async () => {
    expect((await exchange(await github())).status).toBe(200)
    await issuer.rotate()
    const token = await github()
    await eventually(async () => expect((await exchange(token)).status).toBe(200), {
      withinMs: 60_000,
      everyMs: 1_000,
    })
  })

  it('is described by metadata that clients find', async () => {
    const [gateway = ''] = testStack().gatewayUrls
    const server = await send(gateway, 'GET', '/.well-known/oauth-authorization-server')
    expect(server.json).toMatchObject({
      issuer: gateway,
      token_endpoint: `${gateway}/oauth/token`,
      grant_types_supported: [TOKEN_EXCHANGE],
    })
    const resource = await send(gateway, 'GET', '/.well-known/oauth-protected-resource')
    expect(resource.json).toMatchObject({ resource: gateway, authorization_servers: [gateway] })
    const keys = await send(gateway, 'GET', '/.well-known/jwks.json')
    expect(keys.json).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519', use: 'sig' }] })
    expect(keys.headers.get('cache-control')).toBe('public, max-age=60')
  })

  it('gives claims that a service without NATS verifies with the published keys', async () => {
    const [gateway = ''] = testStack().gatewayUrls
    const { json } = await exchange(await github())
    const asked = {
      kind: 'organization_token',
      token: String(json?.['access_token']),
      audience: 'billing',
    } as const
    const { natsUrl: url, nkeySeeds } = testStack()
    const connection = await connectNats({ url, nkeySeed: nkeySeeds.introspector, name: 'introspector' })
    const found = await new NatsClient(connection).call(introspectCredential, asked)
    await connection.drain()
    if (!found.active) throw new Error('the token was refused')
    const keys = createRemoteJWKSet(new URL(`${gateway}/.well-known/jwks.json`))
    const rules = { algorithms: ['EdDSA'], issuer: 'bearing-identity', requiredClaims: ['exp', 'principal'] }
    const { payload } = await jwtVerify(found.claims ?? '', keys, { ...rules, audience: 'billing' })
    expect(payload['principal']).toMatchObject({ workload: { subject: GITHUB.sub } })
    await expect(jwtVerify(found.claims ?? '', keys, { ...rules, audience: 'other' })).rejects.toThrow('aud')
  })

  it('happens automatically on the command line, which says so', async () => {
    const [gateway = ''] = testStack().gatewayUrls
    const only = await newOrganization()
    await trust({ audience: gateway }, only)
    const token = await github({ aud: gateway })
    const file = join(tmpdir(), `workload-${only.id}`)
    await writeFile(file, `${token}\n`)
    const actions = createServer((request, reply) => {
      const url = new URL(request.url ?? '', 'http://localhost')
      const isRight = request.headers.authorization === 'Bearer of-the-job'
      void github({ aud: url.searchParams.get('audience') }).then((value) =>
        reply.end(JSON.stringify(isRight ? { value } : {})),
      )
    })
    await new Promise<void>((resolve) => actions.listen(0, '127.0.0.1', resolve))
    const { port } = actions.address() as AddressInfo // it listens
    const environment = { BEARING_URL: gateway, BEARING_ORG: only.slug, HOME: tmpdir() }
    const sources = [
      { BEARING_WORKLOAD_TOKEN: token },
      { BEARING_WORKLOAD_TOKEN_FILE: file },
      {
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${String(port)}/?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
      },
    ]
    for (const source of sources) {
      const { stdout, stderr, code } = await runBearing(['whoami'], { ...environment, ...source })
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain(`the workload token from ${Object.keys(source)[0] ?? ''}`)
      expect(stdout).toContain('repository=acme/firmware')
    }
    actions.close()
    const refusedThere = await runBearing(['whoami'], { ...environment, BEARING_WORKLOAD_TOKEN: 'nonsense' })
    expect(refusedThere).toMatchObject({ code: 2, stderr: expect.stringContaining('was not accepted') })
  })
})
