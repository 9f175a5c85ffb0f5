import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { issue, newCa, verificationFor } from '@bearing/testing/certificates'
import {
  newMember,
  newOrganization,
  newProject,
  newToken,
  type TestOrganization,
  type TestUser,
} from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { sign } from './device-tokens.js'
import { percentiles } from './figures.js'
import { httpRequest } from './load.js'
import { askByTheClock } from './yardsticks/open-loop.js'

const REVOCATIONS = 200
/** Of each kind under load. */
const FEWER = 100
/** Lists of projects a second that each of two gateways answers beside revocations. */
const LOAD_PER_SECOND = 200
const LOAD_SECONDS = 20
const TIMEOUT_MS = 5_000

/** A credential that is used, and then revoked. */
interface Revocable {
  /** Sends a request with it and returns the status. */
  readonly use: (url: string) => Promise<number>
  readonly revoke: () => Promise<unknown>
  readonly accepted: number
  readonly refused: number
}

/**
 * Measures how long a deleted organization token still works: from the reply to the deletion until each gateway, all of
 * which have it in their caches, is sent a request that it refuses.
 *
 * @returns the 99th percentile of 200 deletions, in milliseconds
 */
export async function measureRevocation(stack: Stack, organization: TestOrganization): Promise<number> {
  const { slug, admin } = organization
  const { p99Ms } = await measure(stack, async () => {
    const { id, token } = await newToken(organization, stack)
    const headers = { authorization: `Bearer ${token}` }
    return {
      use: (url) => statusOf(`${url}/api/v0/organizations/${slug}/projects`, { headers }),
      revoke: () =>
        admin.client.call('deleteOrganizationToken', { organization: slug, organization_token_id: id }),
      accepted: 200,
      refused: 401,
    }
  })
  return p99Ms
}

/** Of each kind, in milliseconds. */
export type LoadedRevocations = Readonly<
  Record<'device key' | 'device' | 'device CA' | 'user of a provider', Percentiles>
>

interface Percentiles {
  /** Until a request was sent that was refused: from then on the credential is worth nothing. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** The same with the reply to that request, so with the load of the machine. */
  readonly repliedP99Ms: number
  /** The 99th percentile of the accepted requests before, which shows the share of the load. */
  readonly requestP99Ms: number
}

/**
 * Measures the same at two gateways that answer other requests meanwhile: of a revoked key of a device, all keys of a deleted device,
 * the CA of its certificate, and the session and API key of a user that the provider deactivates by SCIM.
 */
export async function measureLoadedRevocations(): Promise<LoadedRevocations> {
  const stack = await startStack({
    ...{ postgres: 'own', gateways: 2 },
    environment: {
      gateway: {
        ...{ TRUSTED_PROXIES: '127.0.0.1', CLIENT_CERTIFICATES: 'rfc9440' },
        ...{ REQUESTS_PER_ORGANIZATION: '1000000000', REQUESTS_OF_STRANGERS: '0' },
      },
    },
    constants: { gateway: { REQUESTS_PER_CREDENTIAL: 1_000_000_000 } },
  })
  try {
    const organization = await newOrganization(stack)
    const revocables = {
      ...(await deviceRevocables(organization)),
      'user of a provider': await userRevocable(stack, organization),
    }
    const load = new AbortController()
    const loaded = stack.gatewayUrls.map((url) => ask(url, organization, load.signal))
    const measured: [string, Percentiles][] = []
    for (const [kind, create] of Object.entries(revocables))
      measured.push([kind, await measure(stack, create, FEWER)])
    load.abort()
    await Promise.all(loaded)
    return Object.fromEntries(measured) as LoadedRevocations
  } finally {
    await stack.stop()
  }
}

/** Asks for lists by the clock until it is aborted. */
async function ask(url: string, { slug, token }: TestOrganization, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${token.token}` }
  const requests = [httpRequest('GET', `/api/v0/organizations/${slug}/projects`, headers)]
  while (!signal.aborted)
    await askByTheClock({ port: Number(new URL(url).port), requests, seconds: LOAD_SECONDS }, LOAD_PER_SECOND)
}

async function deviceRevocables(
  organization: TestOrganization,
): Promise<Record<Exclude<keyof LoadedRevocations, 'user of a provider'>, () => Promise<Revocable>>> {
  const { slug, admin, token } = organization
  const project = await newProject(organization)
  const scope = { organization: slug, project: project.slug }
  const settings = { project_key_may_locate: false, device_identity: 'optional' } as const
  await admin.client.call('changeProjectSettings', { ...scope, ...settings })
  const refusal = { accepted: 202, refused: 403 } as const
  const use = (device_serial: string, headers: Readonly<Record<string, string>>) => (url: string) =>
    statusOf(`${url}/api/v0/chunks/${device_serial}`, {
      ...{ method: 'POST', body: 'x' },
      headers: { ...headers, 'content-type': 'application/octet-stream' },
    })
  const withKey = async () => {
    const device_serial = `BENCH-${randomUUID()}`
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const { id: device_key_id } = await token.client.call('createDeviceKey', {
      ...{ ...scope, device_serial, public_key },
    })
    const authorization = `Bearer ${await sign({ serial: device_serial, publicKey, privateKey })}`
    return { device: { ...scope, device_serial }, device_key_id, use: use(device_serial, { authorization }) }
  }
  return {
    'device key': async () => {
      const { device, device_key_id, ...rest } = await withKey()
      return {
        ...rest,
        ...refusal,
        revoke: () => token.client.call('revokeDeviceKey', { ...device, device_key_id }),
      }
    },
    device: async () => {
      const { device, device_key_id: _, ...rest } = await withKey()
      return { ...rest, ...refusal, revoke: () => token.client.call('deleteDevice', device) }
    },
    'device CA': async () => {
      const ca = await newCa()
      const device_serial = `BENCH-${randomUUID()}`
      const { der } = await issue(ca, `CN=${device_serial}`)
      const { id: device_ca_id } = await token.client.call('createDeviceCa', {
        ...{ ...scope, certificate: ca.pem, verification_certificate: await verificationFor(ca, project.id) },
        just_in_time: true,
      })
      const headers = { 'client-cert': `:${der.toString('base64')}:` }
      const revoke = () => token.client.call('deleteDeviceCa', { ...scope, device_ca_id })
      return { ...refusal, use: use(device_serial, headers), revoke }
    },
  }
}

/** Connects a provider of which only the pushes exist. It speaks for the addresses of the factories. */
async function userRevocable(
  stack: Stack,
  organization: TestOrganization,
): Promise<() => Promise<Revocable>> {
  const { id, slug, admin } = organization
  const connection = randomUUID()
  const database = new pg.Client(stack.databaseUrls.identity)
  await database.connect()
  await database.query(
    `INSERT INTO sso_connections (id, organization_id, name, issuer, client_id, scopes, metadata, created_at)
     VALUES ($1, $2, 'Bench', 'https://provider.example', 'bench', '{}', '{}', now())`,
    [connection, id],
  )
  await database.query(
    `INSERT INTO sso_domains (organization_id, domain, token, verified_at) VALUES ($1, 'example.com', 'x', now())`,
    [id],
  )
  await database.end()
  const { token } = await admin.client.call('createOrganizationToken', {
    ...{ organization: slug, description: 'SCIM', permissions: ['scim:provision'] },
    scim_connection_id: connection,
  })
  const users = `${stack.gatewayUrls[0] ?? ''}/scim/v2/organizations/${slug}/${connection}/Users`
  const push = async (method: string, url: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`SCIM replied ${String(response.status)}`)
    return (await response.json()) as { readonly id: string }
  }
  return async () => {
    const user = await newMember(organization, 'member', [], stack)
    const { id: record } = await push('POST', users, { userName: user.email, active: true })
    const cookie = await signIn(stack, user)
    const authorization = `Basic ${Buffer.from(`${user.email}:${user.apiKey}`).toString('base64')}`
    return {
      use: async (url) => {
        const list = `${url}/api/v0/organizations/${slug}/projects`
        const headers = [{ authorization }, { cookie }]
        const statuses = await Promise.all(headers.map((one) => statusOf(list, { headers: one })))
        return new Set(statuses).size === 1 ? (statuses[0] ?? 0) : 0
      },
      revoke: () => push('PUT', `${users}/${record}`, { userName: user.email, active: false }),
      ...{ accepted: 200, refused: 404 },
    }
  }
}

/** Signs a user in. @returns the cookie of the session */
async function signIn(stack: Stack, { email, password }: TestUser): Promise<string> {
  const response = await fetch(`${stack.gatewayUrls[0] ?? ''}/auth/session`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ email, password }),
  })
  await response.arrayBuffer()
  return (response.headers.getSetCookie()[0] ?? '').replace(/;.*/, '')
}

async function measure(
  stack: Stack,
  create: () => Promise<Revocable>,
  count = REVOCATIONS,
): Promise<Percentiles> {
  const delays: number[] = []
  const replies: number[] = []
  const requests: number[] = []
  for (let i = 0; i < count; i++) {
    const { use, revoke, accepted, refused } = await create()
    for (const url of stack.gatewayUrls) {
      const startedMs = performance.now()
      const status = await use(url)
      requests.push(performance.now() - startedMs)
      if (status !== accepted) throw new Error(`a new credential was answered ${String(status)}`)
    }
    await revoke()
    const revokedAt = performance.now()
    const untilRefused = async (url: string) => {
      for (;;) {
        const sentMs = performance.now() - revokedAt
        if ((await use(url)) === refused) return sentMs
        if (sentMs > TIMEOUT_MS) throw new Error('a revoked credential was still accepted after five seconds')
      }
    }
    delays.push(Math.max(...(await Promise.all(stack.gatewayUrls.map(untilRefused)))))
    replies.push(performance.now() - revokedAt)
  }
  return {
    ...percentiles(delays),
    repliedP99Ms: percentiles(replies).p99Ms,
    requestP99Ms: percentiles(requests).p99Ms,
  }
}

async function statusOf(url: string, request: RequestInit): Promise<number> {
  const response = await fetch(url, request)
  await response.arrayBuffer()
  return response.status
}
