import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatToken } from '@bearing/access/token-format'
import { HEADERS } from '@bearing/contracts/headers'
import {
  credentialChanged,
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credential'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { withinCall } from '@bearing/nats/call-context'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { tellEvent } from '@bearing/nats/events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { IdentityClient, MAX_CACHED_MS } from './identity-client.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const ID = '00000000-0000-7000-8000-000000000001'

const credential = {
  kind: 'organization_token',
  token: formatToken({ kind: 'organization_token', id: ID, secret: new Uint8Array(32) }),
} as const satisfies PresentedCredential

/** What identity would answer. */
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
}

// Identity is played here, because it has to be slow, to say nonsense, and to be asked what it was told. The real one is
// asked in tests/src/internal-services.spec.ts.
describe('a client of identity', () => {
  let directory: string
  let nats: Nats
  let playing: Connection
  let calling: Connection
  let asked: Asked[]
  let reply: (question: Asked) => void

  const users = [passwordUser('bearing', 'test')]
  const connect = (name: string) => connectNats({ url: nats.url.replace('//', '//bearing:test@'), name })
  const until = async (condition: () => boolean) => {
    while (!condition()) await sleep(5)
  }
  /** Until the client has heard it: what comes from one sender is heard in the order in which it was sent. */
  const published = async (data: unknown) => {
    const { promise: heard, resolve } = Promise.withResolvers<undefined>()
    calling.raw.subscribe('after', {
      max: 1,
      callback: () => {
        resolve(undefined)
      },
    })
    await calling.raw.flush()
    tellEvent(playing, credentialChanged, data as never) // nonsense too
    playing.raw.publish('after')
    await heard
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-identity-client-'))
    nats = await startNats({ directory, cache: CACHE, users })
    playing = await connect('identity')
    calling = await connect('service')
    playing.raw.subscribe(introspectCredential.subject, {
      callback: (_, message) => {
        const question: Asked = {
          header: (name) => message.headers?.get(name),
          respond: (body) => message.respond(JSON.stringify(body)),
        }
        asked.push(question)
        reply(question)
      },
    })
    await playing.ping()
  })

  beforeEach(() => {
    asked = []
    reply = ({ respond }) => {
      respond(answer())
    }
  })

  afterAll(async () => {
    await Promise.all([playing.drain(), calling.drain()])
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('asks once for many, and tells whose request made it ask', async () => {
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

  it('gives every caller the time that they have, whoever of them came first', async () => {
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

  it('forgets what has changed, everything where it cannot be read what has, and everything when it was away', async () => {
    const warnings: unknown[] = []
    const client = new IdentityClient(calling, { warn: (error) => warnings.push(error) })
    const isRemembered = async () => {
      const before = asked.length
      await client.introspect(credential)
      return asked.length === before
    }
    await isRemembered()
    expect(await isRemembered()).toBe(true)
    await published({ id: ID, tags: ['user:somebody-else'] })
    expect(await isRemembered()).toBe(true)
    await published({ id: ID, tags: [`credential:${ID}`] })
    expect(await isRemembered()).toBe(false)
    await published('nonsense')
    expect(warnings).toHaveLength(1)
    expect(await isRemembered()).toBe(false)
    const { port } = nats
    await nats.kill()
    nats = await startNats({ directory, cache: CACHE, port, users })
    await until(() => calling.isUp && playing.isUp)
    await playing.ping()
    expect(await isRemembered()).toBe(false)
  })

  it('that cannot tell says so, with 503, and never that the credential is refused', async () => {
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

  it('refuses what has expired since it was remembered', async () => {
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

  it('remembers no longer than a revocation may go unheard of', () => {
    expect(() => new IdentityClient(calling, { ttlMs: MAX_CACHED_MS + 1 })).toThrow(RangeError)
  })
})
