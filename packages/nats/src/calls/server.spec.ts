import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '@bearing/contracts/errors'
import { operation, type Input } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createInbox, headers } from '@nats-io/transport-node'
import { Controller, Module, type INestMicroservice } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { z } from 'zod'
import { currentCall } from './call-context.js'
import { NatsClient } from './client.js'
import { connectNats, type Connection } from '../connection.js'
import { Handle } from './handle.js'
import { NatsServer } from './server.js'

const ORGANIZATION = '00000000-0000-7000-8000-00000000000a'
const OTHER = '00000000-0000-7000-8000-00000000000b'

const echo = operation({
  subject: 'test.v1.echo',
  summary: 'Echo',
  input: z.object({ text: z.string().min(1), delay_ms: z.int().default(0) }),
  output: z.object({ text: z.string(), request_id: z.string() }),
  errors: [],
  permission: 'internal',
})
const fail = operation({
  subject: 'test.v1.fail',
  summary: 'Fail',
  input: z.object({ how: z.enum(['known', 'unknown', 'contract', 'large']) }),
  output: z.object({ text: z.string() }),
  errors: ['slug_taken'],
  permission: 'internal',
})
const guarded = operation({
  subject: 'test.v1.guarded',
  summary: 'Guarded',
  input: z.object({ organization_id: z.uuid(), wait: z.boolean().default(false) }),
  output: z.object({ by: z.string() }),
  errors: [],
  permission: 'project:list',
})
const missing = operation({ ...echo, subject: 'test.v1.missing' })

const measure = operation({
  subject: 'test.v1.measure',
  summary: 'Measure',
  input: z.object({ after: z.int(), data: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  bytes: 'data',
  output: z.object({ after: z.int(), first: z.int(), length: z.int() }),
  errors: [],
  permission: 'internal',
})

const users = [passwordUser('bearing', 'test')]

/** Lets the call that waits be answered. */
const waiting: (() => void)[] = []
const letGo = () => new Promise<void>((resolve) => waiting.push(resolve))

@Controller()
class Echo {
  @Handle(echo)
  async execute(input: Input<typeof echo>) {
    if (input.text === 'wait') await letGo()
    await sleep(input.delay_ms)
    return { text: input.text, request_id: currentCall()?.requestId ?? '', extra: 'not in the contract' }
  }
}

@Controller()
class Measure {
  @Handle(measure)
  execute({ after, data }: Input<typeof measure>): Promise<{ after: number; first: number; length: number }> {
    return Promise.resolve({ after, first: data[0] ?? -1, length: data.length })
  }
}

@Controller()
class Fail {
  @Handle(fail)
  execute(input: Input<typeof fail>): Promise<{ text: string }> {
    switch (input.how) {
      case 'known':
        return Promise.reject(new OperationError('slug_taken', 'Thé slug\r\nis taken', { reason: 'because' }))
      case 'unknown':
        return Promise.reject(new Error('password=hunter2 in the cause'))
      case 'contract':
        return Promise.resolve({ words: 1 } as never) // breaks the contract on purpose
      case 'large':
        return Promise.resolve({ text: 'x'.repeat(9_000_000) })
    }
  }
}

@Controller()
class Guarded {
  @Handle(guarded)
  async execute(input: Input<typeof guarded>, by: Principal) {
    if (input.wait) await letGo()
    return { by: by.kind }
  }
}

@Module({ controllers: [Echo, Fail, Guarded, Measure] })
class TestModule {}

const token: Principal = {
  kind: 'organization_token',
  credential_id: ORGANIZATION,
  organization_id: ORGANIZATION,
  description: '',
  permissions: ['project:list'],
  expires_at: null,
}

describe('operations over NATS', () => {
  let directory: string
  let nats: Nats
  let served: Connection
  let calling: Connection
  let app: INestMicroservice
  let client: NatsClient

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-nats-'))
    nats = await startNats({ directory, users, ...cache() })
    served = await connectNats({ url: urlOf(nats), name: 'test' })
    calling = await connectNats({ url: urlOf(nats), name: 'caller' })
    app = await serve(served)
    client = new NatsClient(calling)
  })

  afterAll(async () => {
    await app.close()
    await Promise.all([served.drain(), calling.drain()])
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function serve(connection: Connection): Promise<INestMicroservice> {
    const strategy = new NatsServer({
      connection,
      service: { name: 'test', id: 'one', version: '1.2.3', description: 'A test' },
      verifyClaims: (claims) =>
        claims === 'valid'
          ? Promise.resolve(token)
          : Promise.reject(new OperationError('credential_invalid', 'The signed claims are not valid.')),
      record: () => undefined,
      lost: () => undefined,
      newRequestId: () => 'made-here',
      maxConcurrentCalls: 8,
    })
    const service = await NestFactory.createMicroservice<MicroserviceOptions>(TestModule, {
      strategy,
      logger: false,
    })
    await service.listen()
    return service
  }

  const plain = async (subject: string, body: string, head: Record<string, string> = {}) => {
    const all = headers()
    for (const [name, value] of Object.entries(head)) all.set(name, value)
    const reply = await calling.raw.request(subject, body, {
      ...ownInbox(subject.startsWith('$SRV') ? 'discovery' : 'test'),
      timeout: 5_000,
      headers: all,
    })
    return {
      body: reply.json<Record<string, unknown>>(),
      error: reply.headers?.get('Nats-Service-Error'),
      code: reply.headers?.get('Nats-Service-Error-Code'),
    }
  }

  it('an ordinary request in plain JSON gets a plain answer, without what is not in the contract', async () => {
    const { body, error } = await plain('test.v1.echo', '{"text":"hello"}')
    expect(body).toEqual({ text: 'hello', request_id: 'made-here' })
    expect(error).toBeFalsy()
  })

  it('the request id follows the call', async () => {
    expect(await client.call(echo, { text: 'a' }, { requestId: 'r-1' })).toEqual({
      text: 'a',
      request_id: 'r-1',
    })
  })

  it.each([
    ['not JSON', '{"text":', 'malformed_json'],
    ['nothing', '', 'invalid_input'],
    ['another type', '[1]', 'invalid_input'],
    ['a mistake', '{"text":""}', 'invalid_input'],
  ])('a request that is %s is answered', async (_, body, code) => {
    const reply = await plain('test.v1.echo', body)
    expect(reply.code).toBe('400')
    expect(reply.body).toMatchObject({ code })
  })

  it('a request with headers that are none is answered, and harms nobody', async () => {
    const inbox = createInbox('_INBOX.caller.test')
    const answered = new Promise<string>((resolve) => {
      calling.raw.subscribe(inbox, {
        max: 1,
        callback: (_, message) => {
          resolve(message.string())
        },
      })
    })
    await calling.raw.flush()
    const { host, username, password } = new URL(urlOf(nats))
    const [address = '', port = ''] = host.split(':')
    const socket = connect(Number(port), address)
    const head = 'NATS/1.0\r\nA: b\nc\r\n\r\n'
    socket.write(
      `CONNECT ${JSON.stringify({ verbose: false, headers: true, user: username, pass: password })}\r\n` +
        `HPUB test.v1.echo ${inbox} ${String(head.length)} ${String(head.length + 2)}\r\n${head}{}\r\n`,
    )
    expect(await answered).toContain('invalid_input')
    socket.destroy()
    expect((await client.call(echo, { text: 'still here' })).text).toBe('still here')
  })

  it('bad input gets every mistake and its place', async () => {
    await expect(client.call(echo, { text: '', delay_ms: 'x' } as never)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/text' }, { pointer: '/delay_ms' }] },
    })
  })

  it('a known error keeps its code, sentence and details, and its header is one line of ASCII', async () => {
    await expect(client.call(fail, { how: 'known' })).rejects.toMatchObject({
      code: 'slug_taken',
      message: 'Thé slug\r\nis taken',
      details: { reason: 'because' },
    })
    const reply = await plain('test.v1.fail', '{"how":"known"}')
    expect(reply).toMatchObject({ code: '409', error: 'Th slug is taken' })
  })

  it('an unknown error says nothing of its cause', async () => {
    const { body, code } = await plain('test.v1.fail', '{"how":"unknown"}')
    expect(code).toBe('500')
    expect(JSON.stringify(body)).not.toContain('hunter2')
    expect(body).toMatchObject({ code: 'internal' })
  })

  it('a reply that breaks its contract is our error, not data', async () => {
    await expect(client.call(fail, { how: 'contract' })).rejects.toMatchObject({ code: 'internal' })
  })

  it('a reply that is too large is a clear error', async () => {
    await expect(client.call(fail, { how: 'large' })).rejects.toMatchObject({ code: 'reply_too_large' })
  })

  it('a request that is too large is a clear error', async () => {
    await expect(client.call(echo, { text: 'x'.repeat(8_400_000) })).rejects.toMatchObject({
      code: 'payload_too_large',
    })
  })

  it('a call that nobody serves is 503, immediately', async () => {
    // Not `deadline_exceeded`, as when nobody has answered in time.
    await expect(client.call(missing, { text: 'a' })).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
    })
  })

  it('an answer that does not come in time is 503', async () => {
    await expect(client.call(echo, { text: 'a', delay_ms: 500 }, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      status: 503,
    })
  })

  it('more concurrent calls than the limit are answered, not queued without end', async () => {
    const refused: unknown[] = []
    const calls = Array.from({ length: 30 }, () =>
      client
        .call(echo, { text: 'wait' }, { timeoutMs: 60_000 })
        .catch((error: unknown) => refused.push(error)),
    )
    await until(() => waiting.length + refused.length === 30)
    const held = waiting.splice(0)
    held.forEach((answer) => {
      answer()
    })
    await Promise.all(calls)
    // Eight, and half as many more for what is internal; the call that nobody waits for any more, of the test before, may have one.
    expect([11, 12]).toContain(held.length)
    expect(refused).toEqual(
      Array.from({ length: 30 - held.length }, () => expect.objectContaining({ code: 'overloaded' })),
    )
  })

  it('one caller has no more than half of the places, and beside that others are answered', async () => {
    const input = { organization_id: ORGANIZATION, wait: true }
    const call = () => client.call(guarded, input, { claims: 'valid', timeoutMs: 60_000 })
    const calls = Array.from({ length: 8 }, () => call().catch((error: unknown) => error))
    await until(() => waiting.length === 4)
    expect((await client.call(echo, { text: 'a' })).text).toBe('a')
    waiting.splice(0).forEach((answer) => answer())
    const refused = (await Promise.all(calls)).filter((outcome) => outcome instanceof OperationError)
    expect(refused).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ code: 'overloaded' })))
  })

  it('a guarded operation wants claims, valid ones, and ones that reach', async () => {
    const call = (organization: string, claims?: string) =>
      client.call(guarded, { organization_id: organization }, { claims })
    await expect(call(ORGANIZATION)).rejects.toMatchObject({ code: 'credential_missing' })
    await expect(call(ORGANIZATION, 'forged')).rejects.toMatchObject({ code: 'credential_invalid' })
    await expect(call(OTHER, 'valid')).rejects.toMatchObject({ code: 'organization_not_found' })
    await expect(call(ORGANIZATION, 'valid')).resolves.toEqual({ by: 'organization_token' })
  })

  it('$SRV.PING, INFO and STATS answer for all, for the service and for the process', async () => {
    for (const suffix of ['', '.test', '.test.one']) {
      expect((await plain(`$SRV.PING${suffix}`, '')).body).toMatchObject({
        name: 'test',
        id: 'one',
        version: '1.2.3',
      })
      expect((await plain(`$SRV.INFO${suffix}`, '')).body).toMatchObject({ description: 'A test' })
      const { body } = await plain(`$SRV.STATS${suffix}`, '')
      const endpoints = body['endpoints'] as { subject: string; num_requests: number; num_errors: number }[]
      expect(endpoints.find((endpoint) => endpoint.subject === 'test.v1.fail')?.num_errors).toBeGreaterThan(0)
    }
  })

  it('stopping finishes the calls under way', async () => {
    const connection = await connectNats({ url: urlOf(nats), name: 'test' })
    await app.close()
    const leaving = await serve(connection)
    const pending = client.call(echo, { text: 'wait' })
    await until(() => waiting.length > 0)
    const closed = leaving.close()
    await sleep(50)
    waiting.forEach((answer) => {
      answer()
    })
    expect((await pending).text).toBe('wait')
    await closed
    await connection.drain()
    app = await serve(served)
  })

  it('a call that nobody receives is sent again for a moment, and then 503', async () => {
    await expect(client.call(missing, { text: 'a' })).rejects.toMatchObject({ code: 'service_unavailable' })
    const pending = client.call(missing, { text: 'a' })
    // By then NATS has said that nobody listens.
    await calling.raw.flush()
    const subscription = served.raw.subscribe(missing.subject, {
      callback: (_, message) => {
        message.respond('{"text":"late","request_id":""}')
      },
    })
    expect((await pending).text).toBe('late')
    subscription.unsubscribe()
  })

  it('a lost server is 503 after a moment, and everything reconnects automatically', async () => {
    const { port } = nats
    let reconnects = 0
    calling.reconnected(() => {
      reconnects++
    })
    await nats.kill()
    await until(() => !calling.isUp)
    await expect(client.call(echo, { text: 'a' })).rejects.toMatchObject({ code: 'service_unavailable' })
    nats = await startNats({ directory, port, users, ...cache() })
    await until(() => calling.isUp && served.isUp && reconnects > 0)
    // By then the new server knows what the service listens to.
    await served.raw.flush()
    expect((await client.call(echo, { text: 'back' })).text).toBe('back')
    expect(reconnects).toBe(1)
  })

  it('bytes are the body as they are, with what comes beside them in a header', async () => {
    const data = new Uint8Array(900_000).fill(255)
    const measured = { after: 3, first: 255, length: 900_000 }
    expect(await client.call(measure, { after: 3, data })).toEqual(measured)
    await expect(
      client.call(measure, { after: 3, data: new Uint8Array(calling.maxPayload) }),
    ).rejects.toMatchObject({
      code: 'payload_too_large',
    })
    const ask = (input?: string) => {
      const sent = headers()
      if (input !== undefined) sent.set('Bearing-Input', input)
      return calling.raw.request(measure.subject, data, { ...ownInbox(), headers: sent, timeout: 5_000 })
    }
    expect((await ask('{"after":3,"data":"of the header"}')).json()).toEqual(measured)
    expect((await ask('{"after":')).json()).toMatchObject({ code: 'malformed_json' })
    for (const wrong of ['[]', 'null', '{"after":"3"}', undefined])
      expect((await ask(wrong)).json()).toMatchObject({ code: 'invalid_input' })
  })
})

/** Returns options with an inbox for the reply, as a client in any language has to name one. */
function ownInbox(service = 'test') {
  return { noMux: true, reply: createInbox(`_INBOX.caller.${service}`) }
}

/** The server's program is unpacked once for the whole checkout. */
function cache(): { cache: string } {
  return { cache: join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server') }
}

function urlOf({ port }: Nats): string {
  return `nats://bearing:test@127.0.0.1:${port}`
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}
