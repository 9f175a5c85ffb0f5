import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  NATS_USERS,
  NATS_USER_NAMES,
  type NatsUser,
  type NatsUserName,
} from '@bearing/contracts/nats/nats-users'
import { batchSubject, event, operation } from '@bearing/contracts/operation'
import { startNats, passwordUser, type Nats } from '@bearing/local/nats-server'
import { jetstreamManager } from '@nats-io/jetstream'
import { headers as natsHeaders, type Msg } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Controller, Module, type INestMicroservice, type Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { z } from 'zod'
import { writeCalls } from '../batches/batch-message.js'
import { connectNats, type Connection } from '../connection.js'
import { keepEventStreams } from '../streams/event-streams.js'
import { EventPublisher } from '../streams/event-publisher.js'
import { onEvent, broadcastEvent } from '../streams/events.js'
import { Handle } from './handle.js'
import { newNkey } from '../permissions/nkey.js'
import { replyPrefix } from '../permissions/inboxes.js'
import { permissionsOf, usersConfiguration } from '../permissions/permissions.js'
import { ReplyInboxes } from './reply-inboxes.js'
import { NatsServer } from './server.js'

// A compromised service may send any message that NATS lets its user send, with any reply subject: NATS checks only the
// subject. Whatever answers, JetStream or another service, then publishes to that reply subject with its own permissions.

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const nkeys = Object.fromEntries(NATS_USER_NAMES.map((name) => [name, newNkey()])) as Record<
  NatsUserName,
  ReturnType<typeof newNkey>
>
const publicKeys = Object.fromEntries(NATS_USER_NAMES.map((name) => [name, nkeys[name].publicKey])) as Record<
  NatsUserName,
  string
>
const SERVICES = NATS_USER_NAMES.filter((name) => (NATS_USERS[name] as NatsUser).serves)

/** An operation of each service that accepts any object and needs no claims: the easiest one to call by force. */
const targetOf = (service: string) => ({
  ...operation({
    subject: `${service}.v1.target.call`,
    summary: 'Target',
    input: z.record(z.string(), z.unknown()),
    output: z.object({}),
    errors: [],
    permission: 'internal',
    batched: true,
  }),
  permission: 'internal' as const,
})
const happened = event({ subject: 'identity.v1.credential.changed', data: z.record(z.string(), z.unknown()) })

/** Two calls that travel together. */
const BATCH = writeCalls(
  [1, 2].map(() => ({
    input: '{"forged":true}',
    timeoutMs: 1_000,
    claims: undefined,
    requestId: undefined,
    clientAddress: undefined,
    traceparent: undefined,
  })),
)

/** Calls that each service has executed. */
const executed: { readonly service: string; readonly input: unknown }[] = []

function moduleOf(service: string): Type {
  @Controller()
  class Target {
    @Handle(targetOf(service))
    execute(input: Record<string, unknown>): Promise<Record<string, never>> {
      executed.push({ service, input })
      return Promise.resolve({})
    }
  }
  @Module({ controllers: [Target] })
  class TargetModule {}
  return TargetModule
}

describe('a compromised user of NATS', () => {
  let directory: string
  let nats: Nats
  let anybody: Connection
  const connections: Connection[] = []
  const apps: INestMicroservice[] = []
  const received: unknown[] = []
  const malformed: unknown[] = []
  let published: Msg[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-reply-'))
    const users = [passwordUser('anybody', 'test'), ...usersConfiguration(publicKeys)]
    nats = await startNats({ directory, cache: CACHE, users })
    anybody = await connectNats({ url: nats.url.replace('//', '//anybody:test@'), name: 'anybody' })
    connections.push(anybody)
    await settled(() => keepEventStreams(anybody, (error) => expect(error).toBeUndefined()))
    for (const service of SERVICES) apps.push(await serve(service))
    const listener = await as('introspector')
    onEvent(
      listener,
      happened,
      (data) => received.push(data),
      (error) => malformed.push(error),
    )
    await listener.raw.flush()
    await storeMessages()
  })

  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await Promise.all(connections.map((connection) => connection.drain()))
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function as(name: NatsUserName): Promise<Connection> {
    const connection = await connectNats({ url: nats.url, nkeySeed: nkeys[name].seed, name })
    connections.push(connection)
    return connection
  }

  async function serve(service: NatsUserName): Promise<INestMicroservice> {
    const strategy = new NatsServer({
      connection: await as(service),
      service: { name: service, id: 'one', version: '1', description: '' },
      verifyClaims: () => Promise.reject(new Error('not asked')),
      record: () => undefined,
      lost: () => undefined,
      newRequestId: randomUUID,
    })
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(moduleOf(service), {
      strategy,
      logger: false,
    })
    await app.listen()
    return app
  }

  /** One message in every stream, with a body and headers that an attacker would choose: the first of each stream. */
  async function storeMessages(): Promise<void> {
    const manager = await jetstreamManager(anybody.raw, { checkAPI: false })
    for await (const { config } of manager.streams.list()) {
      const [subject = ''] = config.subjects
      const head = natsHeaders()
      head.set('Nats-Msg-Id', randomUUID())
      const bodies = ['{"forged":true}', BATCH]
      for (let i = 0; i < 4; i++)
        await anybody.raw.request(subject.replace('>', `forged.${String(i)}`), bodies[i % 2], {
          headers: head,
          timeout: 5_000,
        })
    }
    // They were stored, and received: that was no attack.
    await settled(() => expect(received.length + malformed.length).toBeGreaterThan(0))
    received.length = 0
    malformed.length = 0
  }

  /** Sends one message of a user for every subject that it may publish to, in every form that could be answered. */
  async function attack(attacker: Connection, name: NatsUserName, reply: string): Promise<number> {
    const subjects = permissionsOf(name, NATS_USERS[name]).publish.filter(
      (subject) => !subject.startsWith('_INBOX'),
    )
    const forms = subjects.flatMap((subject) => formsOf(subject))
    for (const { subject, body, head } of forms)
      attacker.raw.publish(subject, body, { reply, ...(head && { headers: head }) })
    await attacker.raw.flush()
    return forms.length
  }

  const everythingArrived = async () => {
    // JetStream's answers take a moment, and a refusal cannot be waited for.
    await sleep(250)
    for (const { raw } of connections) await raw.flush()
    await sleep(50)
  }

  const others = NATS_USER_NAMES.flatMap((attacker) =>
    SERVICES.filter((victim) => victim !== attacker && !mayCall(attacker, victim)).map(
      (victim) => [attacker, victim] as const,
    ),
  )

  it.each(others)(
    '%s cannot have an operation of %s executed by anything that it may publish',
    async (name, victim) => {
      executed.length = 0
      const attacker = await as(name)
      const { subject } = targetOf(victim)
      let sent = 0
      for (const reply of [subject, batchSubject({ subject })]) sent += await attack(attacker, name, reply)
      await everythingArrived()
      expect(sent).toBeGreaterThan(0)
      expect(executed.filter(({ service }) => service === victim)).toEqual([])
    },
  )

  it.each(NATS_USER_NAMES.filter((name) => name !== 'identity'))(
    '%s cannot forge an event of identity, or make a listener doubt one, by anything that it may publish',
    async (name) => {
      received.length = 0
      malformed.length = 0
      await attack(await as(name), name, happened.subject)
      await everythingArrived()
      expect(received).toEqual([])
      expect(malformed).toEqual([])
    },
  )

  it('a service executes calls of who may call it, and events of their publisher are received', async () => {
    executed.length = 0
    received.length = 0
    for (const service of SERVICES) {
      const reply = `${replyPrefix('anybody', service)}.one`
      const answered = new Promise<Msg>((resolve) => {
        anybody.raw.subscribe(reply, {
          max: 1,
          callback: (_, message) => {
            resolve(message)
          },
        })
      })
      anybody.raw.publish(targetOf(service).subject, '{"genuine":true}', { reply })
      expect((await answered).json()).toEqual({})
    }
    expect(executed.map(({ service }) => service)).toEqual(SERVICES)
    const identity = await as('identity')
    await settled(() => new EventPublisher(identity).publish(happened.subject, 'one', { id: 'one' }))
    broadcastEvent(identity, happened, { id: 'two' })
    await settled(() => expect(received).toEqual(expect.arrayContaining([{ id: 'one' }, { id: 'two' }])))
  })

  it.each(SERVICES)(
    '%s publishes no reply to a subject that is not the inbox of a caller, though it may publish there itself',
    async (service) => {
      executed.length = 0
      published = []
      const own = permissionsOf(service, NATS_USERS[service]).publish
      const reflected = own
        .filter((subject) => !subject.startsWith('_INBOX'))
        .map((subject) => subject.replace('>', 'x').replace('*', 'x'))
      const spies = reflected.map((subject) =>
        anybody.raw.subscribe(subject, { callback: (_, message) => void published.push(message) }),
      )
      await anybody.raw.flush()
      const { subject } = targetOf(service)
      // Somebody who may call the service, and says where its reply is to go.
      const attacker = await connectNats({
        url: nats.url.replace('//', '//anybody:test@'),
        name: 'caller',
      })
      connections.push(attacker)
      for (const reply of [...reflected, `${replyPrefix('gateway', 'gateway')}.x`])
        attacker.raw.publish(subject, '{}', { reply })
      attacker.raw.publish(subject, '{}')
      await attacker.raw.flush()
      await everythingArrived()
      for (const spy of spies) spy.unsubscribe()
      expect(published.map((message) => message.subject)).toEqual([])
      expect(executed).toEqual([])
    },
  )

  it('an inbox of a service cannot be derived from those of other services', async () => {
    const inboxes = new ReplyInboxes(await as('gateway'))
    const awaiting = { received: () => undefined, refused: () => undefined }
    const [location = '', identity = ''] = ['location', 'identity'].map(
      (service) => inboxes.open(service, awaiting).subject.split('.')[3],
    )
    expect(location.length).toBeGreaterThanOrEqual(22)
    // The library's ids share twelve characters within a process, and count up from there.
    expect(identity.slice(0, 8)).not.toBe(location.slice(0, 8))
  })
})

/** Returns true if a user may publish to the subject of a service's target: none may, since it exists in this spec alone. */
function mayCall(attacker: NatsUserName, victim: string): boolean {
  const { publish } = permissionsOf(attacker, NATS_USERS[attacker])
  return publish.includes(targetOf(victim).subject)
}

interface Form {
  readonly subject: string
  readonly body: string
  readonly head?: ReturnType<typeof natsHeaders>
}

/** Returns messages that could be sent to a subject to have something answered. */
function formsOf(pattern: string): Form[] {
  if (pattern.startsWith('$JS.ACK.')) {
    const subject = pattern.replace('>', '1.1.1.1.0')
    return ['+NXT', '+NXT {"batch":2,"no_wait":true}', '+ACK', ''].map((body) => ({ subject, body }))
  }
  const subject = pattern.replace('>', 'forged.x').replaceAll('*', 'forged')
  if (subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.'))
    return [
      '{"batch":2,"no_wait":true}',
      '',
      '1',
      '{"batch":1,"expires":200000000,"idle_heartbeat":50000000}',
    ].map((body) => ({ subject, body }))
  if (/^\$JS\.API\.(?:DIRECT\.GET|STREAM\.MSG\.GET)\./.test(subject))
    return ['{"seq":1}', '{"seq":2}', '{"seq":1,"batch":3}', '{"seq":999999}', '{}'].map((body) => ({
      subject,
      body,
    }))
  // Deletes what the other forms are to be answered with.
  if (/^\$JS\.API\.STREAM\.(?:PURGE|MSG\.DELETE)\.|^\$JS\.API\.CONSUMER\.DELETE\./.test(subject))
    return [{ subject, body: '{"filter":"none","seq":999999}' }]
  if (subject.startsWith('$JS.API.')) return ['', '{}'].map((body) => ({ subject, body }))
  return ['{}', '{"forged":true}'].map((body) => ({ subject, body, head: stored() }))
}

/** Headers that a stream, a tracing server or a listener might take for its own. */
function stored(): ReturnType<typeof natsHeaders> {
  const head = natsHeaders()
  head.set('Nats-Msg-Id', randomUUID())
  return head
}

/** Tries until it succeeds, for twenty seconds. */
async function settled(attempt: () => unknown): Promise<void> {
  for (let left = 1_000; ; left--) {
    try {
      await attempt()
      return
    } catch (error) {
      if (left === 0) throw error
      await sleep(20)
    }
  }
}
