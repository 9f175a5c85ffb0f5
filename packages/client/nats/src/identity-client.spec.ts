import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatToken } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import { toFailure } from '@bearing/contracts/errors/failure'
import { ERROR_HEADERS, HEADERS } from '@bearing/contracts/headers'
import {
  credentialChanged,
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { withinCall } from '@bearing/nats/call-context'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { broadcastEvent } from '@bearing/nats/events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { IdentityClient, MAX_CACHED_MS } from './identity-client.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const ID = '00000000-0000-7000-8000-000000000001'

const credential = {
  kind: 'organization_token',
  token: formatToken({ kind: 'organization_token', id: ID, secret: new Uint8Array(32) }),
} as const satisfies PresentedCredential

/** Returns an answer of identity. */
function answer(expiresAt: string | null = null) {
  return {
    active: true,
    claims: 'claims',
    claims_expire_at: Math.floor(Date.now() / 1_000) + 60,
    age_ms: 0,
    principal: {
      kind: 'organization_token',
      credential_id: ID,
      organization_id: ID,
      description: '',
      permissions: ['project:list'],
      expires_at: expiresAt,
    },
  }
}

interface Asked {
  readonly header: (name: string) => string | undefined
  readonly respond: (body: unknown) => void
  readonly refuse: (error: OperationError) => void
}

// A fake identity, because it has to be slow, to send nonsense, and to record what it was asked. The real one is
// asked in tests/src/credentials/internal-services.spec.ts.
describe('a client of identity', () => {
  let directory: string
  let nats: Nats
  let fakeIdentity: Connection
  let calling: Connection
  let asked: Asked[]
  let reply: (question: Asked) => void

  const users = [passwordUser('bearing', 'test')]
  const connect = (name: string) => connectNats({ url: nats.url.replace('//', '//bearing:test@'), name })
  const until = async (condition: () => boolean) => {
    while (!condition()) await sleep(5)
  }
  /** Resolves when the client has received it: messages of one sender arrive in the order in which they were sent. */
  const published = async (data: unknown) => {
    const { promise: received, resolve } = Promise.withResolvers<undefined>()
    calling.raw.subscribe('after', {
      max: 1,
      callback: () => {
        resolve(undefined)
      },
    })
    await calling.raw.flush()
    broadcastEvent(fakeIdentity, credentialChanged, data as never) // nonsense too
    fakeIdentity.raw.publish('after')
    await received
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-identity-client-'))
    nats = await startNats({ directory, cache: CACHE, users })
    fakeIdentity = await connect('identity')
    calling = await connect('service')
    fakeIdentity.raw.subscribe(introspectCredential.subject, {
      callback: (_, message) => {
        const question: Asked = {
          header: (name) => message.headers?.get(name),
          respond: (body) => message.respond(JSON.stringify(body)),
          refuse: (error) => {
            const { headers } = message
            headers?.set(ERROR_HEADERS.code, String(error.status))
            message.respond(JSON.stringify(toFailure(error)), { ...(headers && { headers }) })
          },
        }
        asked.push(question)
        reply(question)
      },
    })
    await fakeIdentity.ping()
  })

  beforeEach(() => {
    asked = []
    reply = ({ respond }) => {
      respond(answer())
    }
  })

  afterAll(async () => {
    await Promise.all([fakeIdentity.drain(), calling.drain()])
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('asks once for many, and names the request that made it ask', async () => {
    const client = new IdentityClient(calling)
    const askedFor = {
      clientAddress: '192.0.2.7',
      requestId: 'r-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    await Promise.all([1, 2, 3].map(() => client.introspect(credential, askedFor)))
    await client.introspect(credential, { clientAddress: '192.0.2.8' })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.header(HEADERS.clientAddress)).toBe('192.0.2.7')
    expect(asked[0]?.header(HEADERS.requestId)).toBe('r-1')
    expect(asked[0]?.header(HEADERS.traceparent)).toBe(askedFor.traceparent)
    expect(client.figures).toEqual({ hits: 1, misses: 3, size: 1 })
  })

  it('gives every caller their own time, whichever of them came first', async () => {
    const client = new IdentityClient(calling)
    let respond: () => void = () => undefined
    reply = (question) => {
      respond = () => {
        question.respond(answer())
      }
    }
    const hurried = withinCall({ requestId: 'first', deadlineMs: Date.now() + 30 }, () =>
      client.introspect(credential),
    )
    const patient = withinCall({ requestId: 'second', deadlineMs: Date.now() + 60_000 }, () =>
      client.introspect(credential),
    )
    await expect(hurried).rejects.toMatchObject({ code: 'deadline_exceeded', status: 503 })
    await until(() => asked.length > 0)
    respond()
    expect((await patient).active).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('evicts what has changed, and everything after an unreadable event or a lost connection', async () => {
    const warnings: unknown[] = []
    const client = new IdentityClient(calling, { warn: (error) => warnings.push(error) })
    const isCached = async () => {
      const before = asked.length
      await client.introspect(credential)
      return asked.length === before
    }
    await isCached()
    expect(await isCached()).toBe(true)
    await published({ id: ID, tags: ['user:somebody-else'] })
    expect(await isCached()).toBe(true)
    await published({ id: ID, tags: [`credential:${ID}`] })
    expect(await isCached()).toBe(false)
    await published('nonsense')
    expect(warnings).toHaveLength(1)
    expect(await isCached()).toBe(false)
    const { port } = nats
    await nats.kill()
    nats = await startNats({ directory, cache: CACHE, port, users })
    await until(() => calling.isUp && fakeIdentity.isUp)
    await fakeIdentity.ping()
    expect(await isCached()).toBe(false)
  })

  it('that cannot verify a credential says so, with 503, and never that it is refused', async () => {
    const client = new IdentityClient(calling)
    await expect(client.verifyClaims('eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.e30.')).rejects.toMatchObject({
      status: 503,
    })
    reply = () => undefined
    const soon = <Result>(ask: () => Promise<Result>) =>
      withinCall({ requestId: 'r', deadlineMs: Date.now() + 50 }, ask)
    const question = { credential, permission: 'project:list', organization_id: ID } as const
    await expect(soon(() => client.introspect(credential))).rejects.toMatchObject({ status: 503 })
    await expect(soon(() => client.authorize(question))).rejects.toMatchObject({ status: 503 })
  })

  it('cannot verify a kind of credential that identity of a former version does not know', async () => {
    const client = new IdentityClient(calling)
    reply = ({ refuse }) => {
      refuse(new OperationError('invalid_input', 'kind: is not known'))
    }
    const part = (text: object) => Buffer.from(JSON.stringify(text)).toString('base64url')
    const token = `${part({ alg: 'ES256' })}.${part({ sub: 'D' })}.AAAA`
    for (const device of [
      { kind: 'device_token', token },
      { kind: 'device_certificate', certificate: 'AAAA' },
    ] as const)
      await expect(client.introspect(device)).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(asked).toHaveLength(2)
  })

  it('grants nothing for permissions, roles and reasons that only a newer identity knows', async () => {
    const client = new IdentityClient(calling, { ttlMs: 0 })
    const answerAs = (principal: object) => {
      reply = ({ respond }) => {
        respond({ ...answer(), principal })
      }
    }
    const question = { credential, permission: 'project:list', organization_id: ID } as const
    const { principal } = answer()
    answerAs({ ...principal, permissions: ['project:list', 'project:fly'], color: 'blue' })
    expect(await client.introspect(credential)).toMatchObject({ principal })
    const user = { kind: 'user', user_id: ID, email: 'a@example.com', credential_id: ID, proof: 'api_key' }
    const grant = { organization_id: ID, role: 'emperor', projects: [], sso_required: false }
    answerAs({ ...user, grants: [grant] })
    expect(await client.authorize(question)).toMatchObject({ code: 'organization_not_found' })
    reply = ({ respond }) => {
      respond({ active: false, reason: 'unknown', because: 'full_moon' })
    }
    expect(await client.authorize(question)).toMatchObject({ code: 'credential_invalid' })
  })

  it('cannot verify a kind of principal that only a newer identity knows', async () => {
    const client = new IdentityClient(calling)
    reply = ({ respond }) => {
      respond({ ...answer(), principal: { ...answer().principal, kind: 'satellite' } })
    }
    await expect(client.introspect(credential)).rejects.toMatchObject({ code: 'service_unavailable' })
    const question = { credential, permission: 'project:list', organization_id: ID } as const
    await expect(client.authorize(question)).rejects.toMatchObject({ status: 503 })
  })

  it('refuses a credential that has expired since it was cached', async () => {
    let now = Date.now()
    const client = new IdentityClient(calling, { now: () => now })
    const expiresAt = new Date(now + 20_000).toISOString()
    reply = ({ respond }) => {
      respond(answer(expiresAt))
    }
    expect(await client.introspect(credential)).toMatchObject({ active: true })
    now += 20_000
    expect(await client.introspect(credential)).toEqual({ active: false, reason: 'expired' })
    expect(
      await client.authorize({ credential, permission: 'project:list', organization_id: ID }),
    ).toMatchObject({ allowed: false, code: 'credential_expired' })
    expect(asked).toHaveLength(1)
  })

  it('asks nobody about what can be no credential, or what is no question', async () => {
    const client = new IdentityClient(calling)
    const malformed = { kind: 'organization_token', token: `${credential.token}x` } as const
    expect(await client.introspect(malformed)).toEqual({ active: false, reason: 'malformed' })
    expect(await client.authorize({ credential: malformed, permission: 'project:list' })).toMatchObject({
      code: 'credential_malformed',
    })
    await expect(
      client.authorize({ credential, permission: 'project:fly' as 'project:list' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked).toEqual([])
  })

  it('caches no longer than a missed revocation may go unnoticed', () => {
    expect(() => new IdentityClient(calling, { ttlMs: MAX_CACHED_MS + 1 })).toThrow(RangeError)
  })
})
