import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { newProject, newToken, type TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { percentiles } from './figures.js'

const REVOCATIONS = 200
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
 * Measures how long a deleted organization token still works: from the reply to the deletion until all gateways refuse
 * it, each of which has it in its cache.
 *
 * @returns the 99th percentile of 200 deletions, in milliseconds
 */
export function measureRevocation(stack: Stack, organization: TestOrganization): Promise<number> {
  const { slug, admin } = organization
  return measure(stack, async () => {
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
}

/** Measures the same of the key of a device, whose token the gateways have in their caches. */
export async function measureKeyRevocation(stack: Stack, organization: TestOrganization): Promise<number> {
  const { slug, admin, token } = organization
  const project = await newProject(organization)
  const scope = { organization: slug, project: project.slug }
  const settings = { project_key_may_locate: false, device_identity: 'optional' } as const
  await admin.client.call('changeProjectSettings', { ...scope, ...settings })
  return measure(stack, async () => {
    const device_serial = `BENCH-${randomUUID()}`
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const key = await token.client.call('createDeviceKey', { ...scope, device_serial, public_key })
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const iat = Math.floor(Date.now() / 1_000)
    const claims = { sub: device_serial, iat, exp: iat + 3_600 }
    const signed = `${encoded({ alg: 'ES256', kid: key.thumbprint })}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const authorization = `Bearer ${signed}.${signature.toString('base64url')}`
    const request = { method: 'POST', headers: { authorization, 'content-type': 'application/octet-stream' } }
    return {
      use: (url) => statusOf(`${url}/api/v0/chunks/${device_serial}`, { ...request, body: 'x' }),
      revoke: () => token.client.call('revokeDeviceKey', { ...scope, device_serial, device_key_id: key.id }),
      accepted: 202,
      refused: 403,
    }
  })
}

async function measure(stack: Stack, create: () => Promise<Revocable>): Promise<number> {
  const delays: number[] = []
  for (let i = 0; i < REVOCATIONS; i++) {
    const { use, revoke, accepted, refused } = await create()
    for (const url of stack.gatewayUrls)
      if ((await use(url)) !== accepted) throw new Error('a new credential was refused')
    await revoke()
    const revokedAt = performance.now()
    const untilRefused = async (url: string) => {
      while ((await use(url)) !== refused)
        if (performance.now() - revokedAt > TIMEOUT_MS)
          throw new Error('a revoked credential was still accepted after five seconds')
    }
    await Promise.all(stack.gatewayUrls.map(untilRefused))
    delays.push(performance.now() - revokedAt)
  }
  return percentiles(delays).p99Ms
}

async function statusOf(url: string, request: RequestInit): Promise<number> {
  const response = await fetch(url, request)
  await response.arrayBuffer()
  return response.status
}
