import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialChanged, introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { setMemberRole } from '@bearing/contracts/identity/members/member'
import {
  createOrganizationToken,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { createProjectKey, cycleProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import {
  bootstrapAdmin,
  createUser,
  deleteUser,
  addFirstAdmin,
  grantMembership,
  issueServiceClaims,
} from '@bearing/contracts/identity/people/user'
import { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import { sendChunks } from '@bearing/contracts/management/data/chunk'
import { DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/data/dead-letter'
import {
  NATS_USERS,
  NATS_USER_NAMES,
  type NatsUser,
  type NatsUserName,
} from '@bearing/contracts/nats/nats-users'
import { needsClaims, type Operation } from '@bearing/contracts/operation'
import {
  CHUNK_STREAM,
  DEAD_LETTER_STREAM,
  OBSERVATION_STREAM,
  OBSERVATION_DEAD_LETTER_STREAM,
} from '@bearing/contracts/nats/streams'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { PermissionViolationError, type Msg } from '@nats-io/transport-node'
import { Controller, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { NatsClient } from '../calls/client.js'
import { connectNats, type Connection } from '../connection.js'
import { keepEventStreams } from '../streams/event-streams.js'
import { EventPublisher } from '../streams/event-publisher.js'
import { Handle } from '../calls/handle.js'
import { newNkey, nkeyOf } from './nkey.js'
import { permissionsOf, usersConfiguration } from './permissions.js'
import { NatsServer } from '../calls/server.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const nkeys = new Map(NATS_USER_NAMES.map((name) => [name, newNkey()]))
const keyOf = (name: NatsUserName) => nkeys.get(name) ?? newNkey()
type Keys = Record<NatsUserName, string>
const publicKeys = Object.fromEntries(NATS_USER_NAMES.map((name) => [name, keyOf(name).publicKey])) as Keys
const OTHERS_SUBJECTS = ['>', '*.>', '_INBOX.>', '_INBOX.*.>', '$SYS.>', '$JS.>', '_R_.>']

@Controller()
class ForeignJwks {
  @Handle(getJwks)
  execute() {
    return Promise.resolve({ keys: [] })
  }
}

@Module({ controllers: [ForeignJwks] })
class ForeignModule {}

describe('the users of NATS', () => {
  let directory: string
  let nats: Nats
  let open: Connection[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-nats-users-'))
    const users = [passwordUser('anybody', 'test'), ...usersConfiguration(publicKeys)]
    nats = await startNats({ directory, cache: CACHE, users })
  })

  beforeEach(() => {
    open = []
  })

  afterEach(async () => {
    await Promise.all(open.map((connection) => connection.drain()))
  })

  afterAll(async () => {
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function as(user: NatsUserName, name: string = user): Promise<Connection> {
    const connection = await connectNats({ url: nats.url, nkeySeed: keyOf(user).seed, name })
    open.push(connection)
    return connection
  }

  async function asAnybody(): Promise<Connection> {
    const url = nats.url.replace('//', '//anybody:test@')
    const connection = await connectNats({ url, name: 'anybody' })
    open.push(connection)
    return connection
  }

  /** Returns true if NATS lets a user subscribe. */
  async function maySubscribe({ raw }: Connection, subject: string): Promise<boolean> {
    const refusals: Error[] = []
    const subscription = raw.subscribe(subject, {
      callback: (error) => {
        if (error) refusals.push(error)
      },
    })
    await raw.flush()
    subscription.unsubscribe()
    return refusals.length === 0
  }

  /** Returns true if NATS lets a user publish. */
  async function mayPublish(connection: Connection, subject: string): Promise<boolean> {
    const refusals: Error[] = []
    connection.refused((refusal) => refusals.push(refusal))
    connection.raw.publish(subject.replace('>', 'PING').replaceAll('*', 'any'), '{}')
    await connection.raw.flush()
    await sleep(0)
    return refusals.length === 0
  }

  /** Answers a subject in the way of its service, but without one. */
  function answer({ raw }: Connection, subject: string, reply: (message: Msg) => void): void {
    raw.subscribe(subject, {
      callback: (error, message) => {
        if (!error) reply(message)
      },
    })
  }

  it.each(NATS_USER_NAMES)('%s may do what it declares', async (name) => {
    const connection = await as(name)
    const { publish } = permissionsOf(name, NATS_USERS[name])
    for (const subject of publish)
      expect([subject, await mayPublish(connection, subject)]).toEqual([subject, true])
    for (const { subject } of NATS_USERS[name].subscribes)
      expect([subject, await maySubscribe(connection, subject)]).toEqual([subject, true])
  })

  it.each(NATS_USER_NAMES)('%s listens to nothing of others', async (name) => {
    const connection = await as(name)
    const others = NATS_USER_NAMES.filter((other) => other !== name)
    const subjects = [
      ...OTHERS_SUBJECTS,
      ...others.flatMap((other) => [`_INBOX.${other}.>`, `_INBOX.${other}.*`, `${other}.>`, `${other}.v1.>`]),
      ...others.map((other) => `$SRV.PING.${other}`),
    ]
    for (const subject of subjects)
      expect([subject, await maySubscribe(connection, subject)]).toEqual([subject, false])
  })

  it.each(NATS_USER_NAMES)(
    "%s calls nothing that it does not declare, and answers in nobody's place",
    async (name) => {
      const connection = await as(name)
      const mine = permissionsOf(name, NATS_USERS[name]).publish
      const all = NATS_USER_NAMES.flatMap((other) => permissionsOf(other, NATS_USERS[other]).publish)
      const foreign = [
        ...all,
        '_INBOX.gateway.x',
        '_INBOX.gateway.jetstream.x',
        '$JS.API.INFO',
        '$JS.API.STREAM.DELETE.IDENTITY',
        'x',
      ]
        .filter((subject) => !mine.includes(subject))
        .map((subject) => subject.replace('>', 'PING'))
      for (const subject of foreign.filter(
        (subject) => !(subject.startsWith('$SRV') && mine.includes('$SRV.>')),
      ))
        expect([subject, await mayPublish(connection, subject)]).toEqual([subject, false])
    },
  )

  it("nobody reads another's inbox", async () => {
    const spies: Connection[] = []
    for (const name of NATS_USER_NAMES) spies.push(await as(name))
    const received: string[] = []
    for (const [i, spy] of spies.entries())
      for (const victim of NATS_USER_NAMES.filter((name) => name !== NATS_USER_NAMES[i]))
        for (const subject of [`_INBOX.${victim}.>`, '_INBOX.*.>', '_INBOX.>', '>'])
          answer(spy, subject, (message) => received.push(`${spy.name} received ${message.subject}`))
    await Promise.all(spies.map((spy) => spy.raw.flush()))
    answer(await asAnybody(), getJwks.subject, (message) => message.respond('{"keys":[]}'))
    for (const name of ['management', 'location', 'introspector'] as const)
      expect(await new NatsClient(await as(name)).call(getJwks, {})).toEqual({ keys: [] })
    await Promise.all(spies.map((spy) => spy.raw.flush()))
    expect(received).toEqual([])
  })

  it('an operation that creates a credential or grants power is called only by its intended service', () => {
    const callers = (operation: Operation) =>
      NATS_USER_NAMES.filter((name) =>
        permissionsOf(name, NATS_USERS[name]).publish.includes(operation.subject),
      )
    expect(callers(issueServiceClaims)).toEqual(['operator'])
    for (const operation of [createUser, bootstrapAdmin, grantMembership, deleteUser])
      expect(callers(operation)).toEqual(['operator'])
    expect(callers(createProjectKey)).toEqual(['management'])
    expect(callers(addFirstAdmin)).toEqual(['management'])
    for (const operation of [
      createOrganizationToken,
      rotateOrganizationToken,
      cycleUserKey,
      cycleProjectKey,
      setMemberRole,
    ])
      expect(callers(operation)).toEqual(['gateway'])
  })

  it('an operation accepts forwarded claims only of a service that NATS lets call it, and that receives them', () => {
    const called = NATS_USER_NAMES.flatMap((name) =>
      (NATS_USERS[name].calls as readonly Operation[]).map((operation) => ({ name, operation })),
    )
    for (const { name, operation } of called) {
      const { forwardedBy = [], permission, subject } = operation
      // The gateway and operators get claims for each service that they call; nobody else has any of their own.
      const forwards = (NATS_USERS[name] as NatsUser).serves && needsClaims(permission)
      expect([name, subject, forwardedBy.includes(name)]).toEqual([name, subject, forwards])
      for (const service of forwardedBy)
        expect([
          subject,
          called.some((call) => call.name === service && call.operation === operation),
        ]).toEqual([subject, true])
    }
    expect(called.length).toBeGreaterThan(100)
  })

  it('location cannot make a credential of any kind', async () => {
    const connection = await as('location')
    for (const { subject } of [
      issueServiceClaims,
      createUser,
      bootstrapAdmin,
      createProjectKey,
      cycleProjectKey,
      createOrganizationToken,
      rotateOrganizationToken,
      cycleUserKey,
    ])
      expect([subject, await mayPublish(connection, subject)]).toEqual([subject, false])
  })

  it('location can neither ask for claims nor introspect: it fails immediately, and the log says so', async () => {
    const connection = await as('location')
    const refusals: Error[] = []
    connection.refused((refusal) => refusals.push(refusal))
    const client = new NatsClient(connection)
    for (const call of [
      client.call(issueServiceClaims, { name: 'operator', audience: 'location' }),
      client.call(introspectCredential, { kind: 'project_key', key: '0'.repeat(32) }),
    ])
      await expect(call).rejects.toMatchObject({
        code: 'service_unavailable',
        status: 503,
        cause: expect.any(PermissionViolationError),
      })
    await settled(() => {
      expect(refusals.map(({ message }) => message)).toEqual([
        'Permissions Violation for Publish to "identity.v1.service.issue"',
        'Permissions Violation for Publish to "identity.v1.credential.introspect"',
      ])
    })
  })

  it('a user that connects under the name of another gets none of its replies', async () => {
    answer(await asAnybody(), getJwks.subject, (message) => message.respond('{"keys":[]}'))
    const impostor = new NatsClient(await as('location', 'gateway'))
    await expect(impostor.call(getJwks, {})).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await new NatsClient(await as('location')).call(getJwks, {})).toEqual({ keys: [] })
  })

  it('a service replies where it was asked, and never where another one is awaited', async () => {
    const location = await as('location')
    answer(location, resolveWifiLocation.subject, (message) => {
      const [, user, , ...rest] = (message.reply ?? '').split('.')
      location.raw.publish(['_INBOX', user, 'identity', ...rest].join('.'), '{}')
      message.respond('{}')
    })
    const refusals: string[] = []
    location.refused(({ message }) => refusals.push(message))
    await location.raw.flush()
    const scan = { organization_id: randomUUID(), project_id: randomUUID(), accessPoints: [] }
    expect(await new NatsClient(await as('gateway')).call(resolveWifiLocation, scan)).toEqual({})
    await settled(() => {
      expect(refusals).toEqual([expect.stringContaining('Publish to "_INBOX.gateway.identity.')])
    })
  })

  it.each(NATS_USER_NAMES)('NATS keeps no list of what %s was asked', (name) => {
    // With `allow_responses` it would look through thousands of requests at each one that comes.
    expect(usersConfiguration(publicKeys)[NATS_USER_NAMES.indexOf(name)]).not.toContain('allow_responses')
  })

  it('events are stored and received', async () => {
    const identity = await as('identity')
    const introspector = await as('introspector')
    const received: unknown[] = []
    answer(introspector, credentialChanged.subject, (message) => received.push(message.json()))
    await introspector.raw.flush()
    const publisher = new EventPublisher(identity)
    // Without the stream it is not stored, and received all the same.
    await expect(
      publisher.publish(credentialChanged.subject, 'zero', { id: 'zero', tags: [] }),
    ).rejects.toThrow()
    const failures: unknown[] = []
    await keepEventStreams(identity, (error) => failures.push(error))
    // Again, where a busy machine took longer than JetStream is waited for: it is stored once all the same.
    await settled(() => publisher.publish(credentialChanged.subject, 'one', { id: 'one', tags: [] }))
    // With the streams there already, as a second process meets them.
    await keepEventStreams(await as('identity'), (error) => failures.push(error))
    const location = new EventPublisher(await as('location'))
    const two = { id: 'two', organization_id: null }
    await settled(() => location.publish(accessPointsChanged.subject, 'two', two))
    expect(failures).toEqual([])
    await settled(() => {
      expect(received).toEqual(
        expect.arrayContaining([
          { id: 'zero', tags: [] },
          { id: 'one', tags: [] },
        ]),
      )
    })
  })

  it('only identity may create streams and consumers, which could collect or deliver messages of others; operators those of device data', () => {
    const may = (name: NatsUserName) =>
      permissionsOf(name, NATS_USERS[name]).publish.filter((subject) =>
        /^\$JS\.API\.(?:STREAM|CONSUMER)\.(?:CREATE|UPDATE|DURABLE)/.test(subject),
      )
    expect(NATS_USER_NAMES.filter((name) => may(name).length > 0)).toEqual(['identity', 'operator'])
    expect(may('operator')).toEqual(['$JS.API.CONSUMER.CREATE.DEVICE_DATA.>'])
  })

  it('only the gateway publishes what devices have sent, and only the worker of a queue consumes it', () => {
    const may = (begin: string) =>
      NATS_USER_NAMES.filter((name) =>
        permissionsOf(name, NATS_USERS[name]).publish.some((subject) => subject.startsWith(begin)),
      )
    expect(may(sendChunks.subject)).toEqual(['gateway'])
    expect(may(DEAD_LETTER_SUBJECT)).toEqual(['management'])
    for (const [queue, worker] of [
      [CHUNK_STREAM, 'management'],
      [OBSERVATION_STREAM, 'location'],
    ] as const)
      for (const verb of ['$JS.API.CONSUMER.MSG.NEXT', '$JS.ACK'])
        expect([verb, may(`${verb}.${queue.name}.`)]).toEqual([verb, [worker]])
    for (const begin of ['$JS.API.CONSUMER.MSG.NEXT.', '$JS.ACK.'])
      expect([begin, may(begin)]).toEqual([begin, ['management', 'location']])
    for (const verb of ['$JS.API.STREAM.MSG.GET', '$JS.API.STREAM.MSG.DELETE']) {
      expect([verb, may(`${verb}.${DEAD_LETTER_STREAM.name}`)]).toEqual([verb, ['management']])
      expect([verb, may(`${verb}.${OBSERVATION_DEAD_LETTER_STREAM.name}`)]).toEqual([verb, ['location']])
    }
    expect(may('$JS.API.STREAM.MSG.')).toEqual(['management', 'location'])
  })

  it('a service that may not answer what it handles does not start', async () => {
    const connection = await as('location')
    const strategy = new NatsServer({
      connection,
      service: { name: 'location', id: 'one', version: '1', description: '' },
      verifyClaims: () => Promise.reject(new Error('not asked')),
      record: () => undefined,
      lost: () => undefined,
      newRequestId: () => 'made-up',
    })
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(ForeignModule, {
      strategy,
      logger: false,
      abortOnError: false,
    })
    await expect(app.listen()).rejects.toThrow('Permissions Violation for Subscription to "identity.v1.jwks"')
    await app.close()
  })

  it('a user that NATS refuses for a while reconnects automatically, and logs meanwhile what is wrong', async () => {
    const own = join(directory, 'forgetful')
    let server = await startNats({ directory: own, cache: CACHE, users: usersConfiguration(publicKeys) })
    const { url, port } = server
    const connection = await connectNats({ url, nkeySeed: keyOf('location').seed, name: 'location' })
    const refusals: string[] = []
    connection.refused(({ message }) => refusals.push(message))
    await server.stop()
    server = await startNats({ directory: own, cache: CACHE, port, users: [passwordUser('other', 'test')] })
    await settled(() => {
      expect(refusals.length).toBeGreaterThan(2)
    }, 40_000)
    expect(refusals.join()).toMatch(/authorization/i)
    await server.stop()
    server = await startNats({ directory: own, cache: CACHE, port, users: usersConfiguration(publicKeys) })
    await settled(() => connection.ping(), 40_000)
    await connection.drain()
    await server.stop()
  })

  it.each(['\n', '\r\n'])('a seed from a file is used without its line break: %j', async (end) => {
    const nkeySeed = `${keyOf('location').seed}${end}`
    const connection = await connectNats({ url: nats.url, nkeySeed, name: 'location' })
    expect(connection.isOpen).toBe(true)
    await connection.drain()
  })

  it('a user without an nkey that NATS knows is refused immediately, and no message contains the seed', async () => {
    const { seed } = newNkey()
    const refused = 'NATS refuses the user: its nkey, or its name and password.'
    for (const nkeySeed of [undefined, seed])
      await expect(connectNats({ url: nats.url, nkeySeed, name: 'gateway' })).rejects.toThrow(refused)
    // In the middle, because the last letter holds bits that nothing depends on.
    const damaged = `${seed.slice(0, 20)}${seed[20] === 'A' ? 'B' : 'A'}${seed.slice(21)}`
    for (const text of [damaged, 'SU', 'not a seed'])
      await expect(connectNats({ url: nats.url, nkeySeed: text, name: 'gateway' })).rejects.toThrow(
        'The NATS nkey seed is not one: a letter is missing or wrong.',
      )
    expect(() => nkeyOf(keyOf('gateway').publicKey)).toThrow('is not one')
  })
})

/** Tries until it succeeds (default: for 20 s). */
async function settled(attempt: () => unknown, withinMs = 20_000): Promise<void> {
  for (let left = withinMs / 20; ; left--) {
    try {
      await attempt()
      return
    } catch (error) {
      if (left === 0) throw error
      await sleep(20)
    }
  }
}
