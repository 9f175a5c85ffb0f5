import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperationError } from '@bearing/contracts/errors'
import { MAX_BATCH_CALLS, batchSubject, operation, type Input } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createInbox, type Msg } from '@nats-io/transport-node'
import { Controller, Module, type INestMicroservice } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { z } from 'zod'
import { readAnswers } from './batch-message.js'
import { MOST_SENT_TOGETHER } from './batch-sender.js'
import { currentCall } from '../calls/call-context.js'
import { NatsClient } from '../calls/client.js'
import { connectNats, type Connection } from '../connection.js'
import { Handle } from '../calls/handle.js'
import { NatsServer } from '../calls/server.js'

const ORGANIZATION = '00000000-0000-7000-8000-00000000000a'
const OTHER = '00000000-0000-7000-8000-00000000000b'

const echo = operation({
  subject: 'test.v1.echo',
  summary: 'Echo',
  input: z.object({ organization_id: z.uuid(), text: z.string().max(300_000) }),
  output: z.object({ text: z.string(), by: z.string(), request_id: z.string(), trace: z.string() }),
  errors: ['slug_taken'],
  permission: 'project:list',
  batched: true,
  // Some answers are large, and machines slow: nothing here is about this time.
  timeoutMs: 60_000,
})

/** Options with an inbox for the reply, as a client in any language has to name one. */
const toInbox = () => ({ noMux: true, reply: createInbox('_INBOX.caller.test'), timeout: 5_000 })
const users = [
  passwordUser('bearing', 'test'),
  `{ user: older, password: test, permissions: { publish: { allow: ["${echo.subject}", "marker.*"] } } }`,
]

/** Lets the calls that wait be answered, by their text. */
const waiting = new Map<string, () => void>()
/** Number of calls that have begun. */
let begun = 0

@Controller()
class Echo {
  @Handle(echo)
  async execute({ text }: Input<typeof echo>, by: Principal) {
    begun++
    if (text.startsWith('wait'))
      await new Promise<void>((resolve) => {
        waiting.set(text, resolve)
      })
    if (text === 'taken')
      throw new OperationError('slug_taken', 'Thé slug\r\nis taken', { reason: 'because' })
    const reply = text === 'large' ? 'x'.repeat(9_000_000) : text === 'half' ? 'x'.repeat(5_000_000) : text
    const call = currentCall()
    return {
      text: reply,
      by: by.kind === 'organization_token' ? by.description : by.kind,
      request_id: call?.requestId ?? '',
      trace: call?.traceparent ?? '',
    }
  }
}

@Module({ controllers: [Echo] })
class TestModule {}

describe('calls that are made in the same turn of the event loop', () => {
  let directory: string
  let nats: Nats
  let served: Connection
  let calling: Connection
  let app: INestMicroservice
  let client: NatsClient
  /** Subjects of the messages that crossed NATS. */
  const messages: string[] = []
  const replies: string[] = []
  /** Callbacks for received markers, by name. */
  const markers = new Map<string, () => void>()
  const opened: Connection[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-nats-'))
    nats = await startNats({ directory, users, ...cache() })
    served = await open('test')
    calling = await open('caller')
    const listening = await open('listener')
    const note = (list: string[]) => ({
      callback: (_error: Error | null, message: Msg) => void list.push(message.subject),
    })
    listening.raw.subscribe(echo.subject, note(messages))
    listening.raw.subscribe(batchSubject(echo), note(messages))
    listening.raw.subscribe('_INBOX.caller.>', note(replies))
    listening.raw.subscribe('marker.*', {
      callback: (_error, { subject }) => markers.get(subject)?.(),
    })
    await listening.raw.flush()
    app = await serve(served)
    client = new NatsClient(calling)
  })

  beforeEach(async () => {
    await everythingReceived()
    messages.length = 0
    replies.length = 0
    begun = 0
  })

  afterAll(async () => {
    await Promise.all(opened.map(({ raw }) => raw.close()))
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const open = async (name: string, user = 'bearing') => {
    const url = `nats://${user}:test@127.0.0.1:${String(nats.port)}`
    const connection = await connectNats({ url, name })
    opened.push(connection)
    return connection
  }
  /**
   * Waits until the listener has received what was sent: NATS keeps the order of one sender to one listener, and
   * of nothing else, so each sender ends with a marker.
   */
  const everythingReceived = async (...others: Connection[]) => {
    const received = [calling, served, ...others].map(({ raw }, index) => {
      const marker = `marker.${String(index)}`
      return new Promise<void>((resolve) => {
        markers.set(marker, resolve)
        raw.publish(marker)
      })
    })
    await Promise.all(received)
  }
  const call = (text: string, options: Parameters<NatsClient['call']>[2] = {}) =>
    client.call(echo, { organization_id: ORGANIZATION, text }, { claims: 'of:token', ...options })
  const many = (count: number) => Array.from({ length: count }, (_, index) => `text ${String(index)}`)

  it('travel as one message, and are answered as one', async () => {
    const texts = many(MOST_SENT_TOGETHER)
    const answers = await Promise.all(texts.map((text) => call(text)))
    expect(answers.map(({ text }) => text)).toEqual(texts)
    await everythingReceived()
    expect(messages).toEqual([batchSubject(echo)])
    expect(replies).toHaveLength(1)
  })

  it('travel alone where there is only one', async () => {
    expect(await call('one')).toMatchObject({ text: 'one' })
    await everythingReceived()
    expect(messages).toEqual([echo.subject])
  })

  it('are bounded in one message, in number and in size', async () => {
    await Promise.all(many(MOST_SENT_TOGETHER + 2).map((text) => call(text)))
    const large = 'x'.repeat(100_000)
    await Promise.all([call(large), call(large), call('small'), call('y'.repeat(200_000))])
    await everythingReceived()
    expect(messages.sort()).toEqual(
      [...Array<string>(3).fill(batchSubject(echo)), echo.subject, echo.subject].sort(),
    )
  })

  it('are refused alone where NATS takes no message as large as they are', async () => {
    const connection = await open('caller')
    Object.defineProperty(connection, 'maxPayload', { value: 20_000 })
    const asking = new NatsClient(connection)
    const text = (length: number) => ({ organization_id: ORGANIZATION, text: 'x'.repeat(length) })
    const outcomes = await Promise.allSettled(
      [15_000, 15_000, 10, 30_000, 10].map((length) =>
        asking.call(echo, text(length), { claims: 'of:token' }),
      ),
    )
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { reason: { code: 'payload_too_large' } },
      { status: 'fulfilled' },
    ])
    await connection.drain()
  })

  it('each have their own caller, request id, trace and error', async () => {
    const outcomes = await Promise.allSettled([
      call('a', { requestId: 'r-a', traceparent: 't-a' }),
      call('b', { claims: 'of:other token', requestId: 'r-b' }),
      call('c', { claims: 'forged' }),
      call('d', { claims: undefined }),
      call('taken'),
      client.call(echo, { organization_id: ORGANIZATION, text: 5 as never }, { claims: 'of:token' }),
      call('e', { claims: 'of:other' }),
    ])
    await everythingReceived()
    expect(messages).toEqual([batchSubject(echo)])
    expect(outcomes).toMatchObject([
      { value: { by: 'token', request_id: 'r-a', trace: 't-a' } },
      { value: { by: 'other token', request_id: 'r-b' } },
      { reason: { code: 'credential_invalid' } },
      { reason: { code: 'credential_missing' } },
      { reason: { code: 'slug_taken', message: 'Thé slug\r\nis taken', details: { reason: 'because' } } },
      { reason: { code: 'invalid_input', details: { errors: [{ pointer: '/text' }] } } },
      { reason: { code: 'organization_not_found' } },
    ])
  })

  it('do not wait for a slow one, and that one not longer than its deadline', async () => {
    const slow = [call('wait 1', { timeoutMs: 200 }), call('wait 2', { timeoutMs: 60_000 })]
    const outcomes = Promise.allSettled(slow)
    expect(await Promise.all(many(6).map((text) => call(text)))).toHaveLength(6)
    await expect(slow[0]).rejects.toMatchObject({ code: 'deadline_exceeded' })
    waiting.get('wait 2')?.()
    waiting.get('wait 1')?.()
    expect(await outcomes).toMatchObject([{ status: 'rejected' }, { value: { text: 'wait 2' } }])
    await everythingReceived()
    expect(messages).toEqual([batchSubject(echo)])
  })

  it('begin a few at a time, so that the event loop is free in between', async () => {
    const atTurnEnds: number[] = []
    const inputs = many(40).map((text) => JSON.stringify({ organization_id: ORGANIZATION, text }))
    const calls = inputs.map(({ length }) => ({ bytes: length, claims: 0 }))
    const body = `${JSON.stringify({ claims: ['of:token'], calls })}\n${inputs.join('')}`
    const answered = calling.raw.request(batchSubject(echo), body, toInbox())
    let done = false
    const watch = () => {
      atTurnEnds.push(begun)
      if (!done) setImmediate(watch)
    }
    watch()
    await answered
    done = true
    const steps = atTurnEnds.map((count, index) => count - (atTurnEnds[index - 1] ?? 0))
    expect(Math.max(...steps)).toBeLessThanOrEqual(8)
    expect(begun).toBe(40)
  })

  it('are answered in several replies where one would be too large, and each for itself where it alone is', async () => {
    const outcomes = await Promise.allSettled([call('half'), call('large'), call('half'), call('small')])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'reply_too_large' } },
      { status: 'fulfilled' },
      { value: { text: 'small' } },
    ])
  })

  it('are unavailable immediately if nobody listens', async () => {
    const missing = operation({ ...echo, subject: 'test.v1.missing' })
    const input = { organization_id: ORGANIZATION, text: '' }
    for (const outcome of await Promise.allSettled([
      client.call(missing, input),
      client.call(missing, input),
    ]))
      expect(outcome).toMatchObject({ reason: { code: 'service_unavailable' } })
  })

  it('travel alone to a service of a version that knows nothing of it', async () => {
    const old = operation({ ...echo, subject: 'test.v1.old' })
    calling.raw.subscribe(old.subject, {
      callback: (_error, message) => {
        message.respond(JSON.stringify({ text: 'old', by: '', request_id: '', trace: '' }))
      },
    })
    const input = { organization_id: ORGANIZATION, text: '' }
    const answers = await Promise.all([client.call(old, input), client.call(old, input)])
    expect(answers).toMatchObject([{ text: 'old' }, { text: 'old' }])
  })

  it('travel alone where NATS refuses the message that holds several', async () => {
    const older = await open('older', 'older')
    const restricted = new NatsClient(older)
    const input = { organization_id: ORGANIZATION, text: 'here' }
    for (let round = 0; round < 2; round++)
      expect(
        await Promise.all([1, 2].map(() => restricted.call(echo, input, { claims: 'of:token' }))),
      ).toMatchObject([{ text: 'here' }, { text: 'here' }])
    await everythingReceived(older)
    expect(messages).toEqual(Array(4).fill(echo.subject))
    await older.drain()
  })

  it.each([
    ['', 'malformed_json'],
    ['[]\n', 'invalid_input'],
  ])('that are malformed are refused, and the service continues: %j', async (body, code) => {
    const reply = await calling.raw.request(batchSubject(echo), body, toInbox())
    expect(reply.json()).toMatchObject({ code })
    expect(await call('still here')).toMatchObject({ text: 'still here' })
  })

  it('take no claims that are not there', async () => {
    const input = JSON.stringify({ organization_id: ORGANIZATION, text: '' })
    const head = JSON.stringify({ claims: ['of:token'], calls: [{ bytes: input.length, claims: 1 }] })
    const reply = await calling.raw.request(batchSubject(echo), `${head}\n${input}`, toInbox())
    expect(readAnswers(reply.data)).toEqual([
      { index: 0, isFailure: true, text: expect.stringContaining('"credential_missing"') },
    ])
  })

  it('are all answered before the service ends', async () => {
    const connection = await open('caller')
    const leaving = new NatsClient(connection)
    const own = await open('test')
    const second = await serve(own, 'leaving')
    await app.close()
    const texts = many(MAX_BATCH_CALLS).map((text) => `wait leaving ${text}`)
    const input = (text: string) => ({ organization_id: ORGANIZATION, text })
    const answers = texts.map((text) => leaving.call(echo, input(text), { claims: 'of:token' }))
    while (!texts.every((text) => waiting.has(text))) await new Promise((resolve) => setImmediate(resolve))
    let isOver = false
    const over = second.close().then(() => (isOver = true))
    await connection.raw.flush()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isOver).toBe(false)
    for (const text of texts) waiting.get(text)?.()
    await over
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(texts)
    app = await serve(await open('test'))
    await connection.drain()
  })

  describe('whose input nobody has read', () => {
    const handOn = (json: string | Uint8Array, over: object = {}) =>
      client.handOn(
        echo,
        { json: Buffer.from(json), over: { organization_id: ORGANIZATION, ...over } },
        { claims: 'of:token' },
      )

    it('travel as they came, also where there is only one, and what stands over them counts', async () => {
      const sent = `{ "text": "Thé\\n", "organization_id": "${OTHER}" }`
      const answers = await Promise.all([handOn(sent), handOn('{"text":"b"}'), handOn('', { text: 'c' })])
      expect(answers.map((text) => JSON.parse(text) as unknown)).toMatchObject([
        { text: 'Thé\n', by: 'token' },
        { text: 'b' },
        { text: 'c' },
      ])
      expect(JSON.parse(await handOn(sent, { text: 'alone' }))).toMatchObject({ text: 'alone' })
      await everythingReceived()
      expect(messages).toEqual([batchSubject(echo), batchSubject(echo)])
    })

    it('are each refused for themselves where they are no JSON object, whatever they try to pass for', async () => {
      // A field that is null in `over` is removed from the input.
      expect(
        await handOn('{"text":"x","organization_id":5}', { organization_id: null }).catch(
          (error: unknown) => error,
        ),
      ).toMatchObject({
        details: { errors: [{ pointer: '/organization_id' }] },
      })
      const wrong = [
        '{',
        'null',
        '[]',
        '"',
        `{}],"claims":[]}\n`,
        `{"text":"x"}{"text":"y"}`,
        Buffer.of(0x22, 0xff, 0x22),
      ]
      const outcomes = await Promise.allSettled([...wrong, '{"text":"right"}'].map((json) => handOn(json)))
      const codes = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? (outcome.reason as OperationError).code : outcome.value,
      )
      const [malformed, none] = ['malformed_json', 'invalid_input']
      expect(codes.slice(0, -1)).toEqual([malformed, none, none, malformed, malformed, malformed, malformed])
      expect(codes.at(-1)).toContain('"right"')
    })

    it('are read where they have to travel alone', async () => {
      const older = await open('older', 'older')
      const restricted = new NatsClient(older)
      const input = {
        json: Buffer.from('{"text":"here","organization_id":5}'),
        over: { organization_id: ORGANIZATION },
      }
      const large = { ...input, json: Buffer.from(JSON.stringify({ text: 'x'.repeat(200_000) })) }
      for (const [asking, sent] of [
        [restricted, input],
        [client, large],
      ] as const)
        expect(JSON.parse(await asking.handOn(echo, sent, { claims: 'of:token' }))).toMatchObject({
          by: 'token',
        })
      const notRead = { json: Buffer.from('{'), over: {} }
      await expect(restricted.handOn(echo, notRead)).rejects.toMatchObject({ code: 'malformed_json' })
      await everythingReceived(older)
      expect(messages).toEqual([echo.subject, echo.subject])
      await older.drain()
    })
  })

  it('are unavailable once the connection is lost', async () => {
    const outcomes = Promise.allSettled([call('wait 3'), call('wait 4')])
    while (!waiting.has('wait 4')) await new Promise((resolve) => setImmediate(resolve))
    await nats.stop()
    expect(await outcomes).toMatchObject(Array(2).fill({ reason: { code: 'service_unavailable' } }))
    waiting.get('wait 3')?.()
    waiting.get('wait 4')?.()
  })
})

async function serve(connection: Connection, id = 'one'): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(TestModule, {
    logger: false,
    strategy: new NatsServer({
      connection,
      service: { name: 'test', id, version: '1.0.0', description: '' },
      verifyClaims,
      record: () => undefined,
      lost: () => undefined,
      newRequestId: () => 'made-up',
    }),
  })
  await app.listen()
  return app
}

function verifyClaims(claims: string): Promise<Principal> {
  const token: Principal = {
    kind: 'organization_token',
    credential_id: ORGANIZATION,
    organization_id: ORGANIZATION,
    description: 'token',
    permissions: ['project:list'],
    expires_at: null,
  }
  if (claims === 'of:token') return Promise.resolve(token)
  if (claims === 'of:other token') return Promise.resolve({ ...token, description: 'other token' })
  if (claims === 'of:other') return Promise.resolve({ ...token, organization_id: OTHER })
  return Promise.reject(new OperationError('credential_invalid', 'The claims do not hold.'))
}

function cache(): { cache: string } {
  return { cache: join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server') }
}
