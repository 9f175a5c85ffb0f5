import 'reflect-metadata'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppModule } from '@bearing/example-nestjs/app.module'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import type { BearingOptions } from '@bearing/nestjs'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { newOrganization, newProject, newToken } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { AbstractHttpAdapter } from '@nestjs/core'
import { NestFactory } from '@nestjs/core'
import { ClientProxyFactory, Transport, type MicroserviceOptions } from '@nestjs/microservices'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { lastValueFrom } from 'rxjs'

const NAME = 'introspector'
const own = forSuite(() => newOrganization())
const connection = forSuite(
  () => connectNats(asService()),
  (it) => it.drain(),
)

const asService = () => {
  const { natsUrl, nkeySeeds } = testStack()
  return { url: `nats://${new URL(natsUrl).host}`, nkeySeed: nkeySeeds.introspector, name: NAME }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Starts the example, on a free port. */
async function start(options: BearingOptions, adapter: AbstractHttpAdapter = new ExpressAdapter()) {
  const app = await NestFactory.create(AppModule.with(options), adapter, { logger: false })
  await app.listen(0, '127.0.0.1')
  const url = await app.getUrl()
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${url}/${path}`, { headers })
    const { status, headers: received } = reply
    return { status, headers: received, json: (await reply.json()) as Record<string, unknown> }
  }
  return { app, get }
}

const reportOf = (project: string, organization = own.id) =>
  `organizations/${organization}/projects/${project}/report`

/** Claims for the example, as a gateway sends them. */
async function claimsFor(audience = NAME): Promise<string> {
  const { token } = own.token
  const found = await new NatsClient(connection).call(introspectCredential, {
    ...{ kind: 'organization_token', token, audience },
  })
  if (!found.active) throw new Error('the token was refused')
  return found.claims ?? ''
}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter() as AbstractHttpAdapter],
] as const)('a NestJS service on %s', (_, adapter) => {
  let service: Awaited<ReturnType<typeof start>>

  beforeAll(async () => {
    service = await start({ nats: asService() }, adapter())
  })
  afterAll(() => service.app.close())

  it('knows the caller, and lets in callers with the permission on this project', async () => {
    const reply = await service.get(reportOf(own.project.id), bearer(own.token.token))
    expect([reply.status, reply.json]).toEqual([200, { project: own.project.id, for: 'organization_token' }])
    const { email, apiKey } = own.admin
    const basic = Buffer.from(`${email}:${apiKey}`).toString('base64')
    const asUser = await service.get(reportOf(own.project.id), { authorization: `Basic ${basic}` })
    expect(asUser.json).toMatchObject({ for: 'user' })
  })

  it('refuses with the status and code of a gateway', async () => {
    const path = reportOf(own.project.id)
    const none = await service.get(path)
    expect([none.status, none.json['code']]).toEqual([401, 'credential_missing'])
    expect(none.headers.get('content-type')).toContain('application/problem+json')
    expect(none.headers.get('www-authenticate')).toBe('Bearer')
    const wrong = await service.get(path, bearer(`${own.token.token}x`))
    expect([wrong.status, wrong.json['code']]).toEqual([401, 'credential_malformed'])
    const key = await service.get(path, { 'service-project-key': own.project.key })
    expect([key.status, key.json['code']]).toEqual([403, 'permission_denied'])
    const other = await newOrganization()
    const foreign = await newProject(other)
    const elsewhere = await service.get(reportOf(foreign.id), bearer(own.token.token))
    expect([elsewhere.status, elsewhere.json['code']]).toEqual([404, 'project_not_found'])
  })

  it('never answers 401 to a device, which would erase its credential', async () => {
    const header = Buffer.from('{"alg":"ES256"}').toString('base64url')
    for (const [headers, code] of [
      [{ 'service-project-key': '0'.repeat(32) }, 'project_key_invalid'],
      [bearer(`${header}.e30.AAAA`), 'device_token_invalid'],
    ] as const) {
      const reply = await service.get(reportOf(own.project.id), headers)
      expect([reply.status, reply.json['code']]).toEqual([403, code])
    }
  })

  it('accepts claims that were made for it, and no others', async () => {
    const path = `organizations/${own.id}/projects`
    const right = await service.get(path, { 'bearing-identity': await claimsFor() })
    expect([right.status, right.json]).toEqual([200, { for: 'organization_token' }])
    const wrong = await service.get(path, { 'bearing-identity': await claimsFor('billing') })
    expect([wrong.status, wrong.json['code']]).toEqual([401, 'credential_invalid'])
    expect((await service.get(path, bearer(own.token.token))).status).toBe(401)
  })

  it('is healthy', async () => {
    expect((await service.get('health')).json).toEqual({ bearing: { status: 'up' } })
  })
})

describe('a NestJS service that verifies claims with the keys of a gateway', () => {
  it('needs no NATS, and checks permissions', async () => {
    const [gateway = ''] = testStack().gatewayUrls
    const service = await start({ jwksUrl: `${gateway}/.well-known/jwks.json`, audience: NAME })
    const claims = { 'bearing-identity': await claimsFor() }
    expect((await service.get(`organizations/${own.id}/projects`, claims)).status).toBe(200)
    const other = await newOrganization()
    const elsewhere = await service.get(`organizations/${other.id}/projects`, claims)
    expect(elsewhere.json).toMatchObject({ code: 'organization_not_found' })
    expect((await service.get('health')).json).toEqual({ bearing: { status: 'up' } })
    await service.app.close()
  })

  it('answers 503 with Retry-After, never 401, while it cannot read the keys', async () => {
    const server = createServer((_, reply) => reply.writeHead(500).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens
    const service = await start({ jwksUrl: `http://127.0.0.1:${String(port)}`, audience: NAME })
    const reply = await service.get(`organizations/${own.id}/projects`, {
      'bearing-identity': await claimsFor(),
    })
    expect([reply.status, reply.json['code'], reply.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ])
    expect((await service.get('health')).json).toMatchObject({ bearing: { status: 'down' } })
    await service.app.close()
    server.closeAllConnections()
    server.close()
  })
})

it('a NestJS service whose NATS user may not ask answers 503, never 401', async () => {
  const { nkeySeeds } = testStack()
  const service = await start({ nats: { ...asService(), nkeySeed: nkeySeeds.location, name: 'location' } })
  const reply = await service.get(reportOf(own.project.id), bearer(own.token.token))
  expect([reply.status, reply.json['code']]).toEqual([503, 'service_unavailable'])
  await service.app.close()
})

describe('a NestJS service with message handlers', () => {
  let service: Awaited<ReturnType<typeof start>>

  const connected = () => {
    const { host, username: user, password: pass } = new URL(testStack().natsUrl)
    return { servers: [host], user, pass }
  }

  beforeAll(async () => {
    service = await start({ nats: asService() })
    const microservice = { transport: Transport.NATS, options: connected() } as const
    service.app.connectMicroservice<MicroserviceOptions>(microservice, { inheritAppConfig: true })
    await service.app.startAllMicroservices()
  })
  afterAll(() => service.app.close())

  const show = async (headers: Record<string, string>): Promise<unknown> => {
    const client = ClientProxyFactory.create({
      transport: Transport.NATS,
      options: { ...connected(), headers },
    })
    try {
      const message = { organization_id: own.id, project_id: own.project.id }
      return await lastValueFrom(client.send('reports.show', message))
    } finally {
      await client.close()
    }
  }

  it('knows the caller by claims and by credentials in the headers', async () => {
    const expected = { project: own.project.id, for: 'organization_token' }
    expect(await show({ 'Bearing-Identity': await claimsFor() })).toEqual(expected)
    expect(await show({ Authorization: `Bearer ${own.token.token}` })).toEqual(expected)
  })

  it('refuses with a typed error', async () => {
    await expect(show({})).rejects.toMatchObject({ code: 'credential_missing' })
    const { id, token } = await newToken(own)
    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: id,
    })
    await expect(show({ Authorization: `Bearer ${token}` })).rejects.toMatchObject({
      code: 'credential_invalid',
    })
  })
})
