import 'reflect-metadata'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operation } from '@bearing/contracts/operation'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Controller, Module, type INestMicroservice } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { z } from 'zod'
import { NatsClient } from './calls/client.js'
import { Handle } from './calls/handle.js'
import { NatsServer } from './calls/server.js'
import { connectNats, type Connection } from './connection.js'
import { MessageStore } from './streams/message-store.js'

const echo = operation({
  subject: 'test.v1.echo',
  summary: 'Echo',
  input: z.object({ delay_ms: z.int() }),
  output: z.object({ by: z.string() }),
  errors: [],
  permission: 'internal',
})
const together = operation({ ...echo, subject: 'test.v1.together', batched: true })
const PORT = 4222
/** Loopback addresses that no other test has, so that both servers can have the port that clients and servers expect. */
const NETWORK = `127.${String(randomInt(1, 255))}.${String(randomInt(0, 256))}`
const HOSTS = [`${NETWORK}.1`, `${NETWORK}.2`] as const

let directory: string
let servers: readonly [Nats, Nats]
const connections: Connection[] = []
const apps: INestMicroservice[] = []

function start(host: (typeof HOSTS)[number]): Promise<Nats> {
  return startNats({
    directory: join(directory, host),
    cache: join(import.meta.dirname, '..', '..', '..', '.bearing', 'nats-server'),
    users: [passwordUser('bearing', 'test')],
    host,
    port: PORT,
    cluster: { serverName: host, hosts: HOSTS },
  })
}

async function connectTo(host: (typeof HOSTS)[number], name: string): Promise<Connection> {
  const connection = await connectNats({ url: `nats://bearing:test@${host}:${String(PORT)}`, name })
  connections.push(connection)
  return connection
}

async function serve(connection: Connection, by: string): Promise<void> {
  @Controller()
  class Echo {
    @Handle(echo)
    async echo({ delay_ms: delayMs }: { readonly delay_ms: number }) {
      await sleep(delayMs)
      return { by }
    }

    @Handle(together)
    together() {
      return Promise.resolve({ by })
    }
  }
  @Module({ controllers: [Echo] })
  class EchoModule {}
  const strategy = new NatsServer({
    connection,
    service: { name: 'test', id: by, version: '1.0.0', description: 'A test' },
    verifyClaims: () => Promise.reject(new Error('not called')),
    record: () => undefined,
    lost: () => undefined,
    newRequestId: () => 'new',
  })
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(EchoModule, {
    strategy,
    logger: false,
  })
  await app.listen()
  apps.push(app)
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

function isAt(host: (typeof HOSTS)[number]) {
  return (connection: Connection) => connection.isUp && connection.raw.getServer().startsWith(`${host}:`)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-leaving-'))
  const [first, second] = await Promise.all(HOSTS.map(start))
  if (!first || !second) throw new Error('unreachable: there are two hosts')
  servers = [first, second]
})

afterAll(async () => {
  for (const app of apps) await app.close()
  for (const connection of connections) await connection.drain()
  for (const server of servers) await server.kill()
  await rm(directory, { recursive: true, force: true })
})

it('no call fails while its server, and that of a service, stops as the chart of NATS stops it', async () => {
  const [first, second] = HOSTS
  const calling = await connectTo(first, 'caller')
  const serving = await connectTo(first, 'test')
  await serve(serving, 'first')
  await serve(await connectTo(second, 'test'), 'second')
  const client = new NatsClient(calling)
  const seen = new Set<string>()
  await until(() => {
    void client.call(echo, { delay_ms: 0 }).then(({ by }) => seen.add(by))
    return seen.size === 2
  })
  const failures: unknown[] = []
  let isOver = false
  const callers = Array.from({ length: 8 }, async (_, number) => {
    while (!isOver)
      await client
        .call(number % 2 === 0 ? echo : together, { delay_ms: 20 })
        .catch((error: unknown) => failures.push(error))
  })
  const stopped = servers[0].stop()
  await until(() => [calling, serving].every(isAt(second)))
  expect([calling, serving].map(({ reconnects }) => reconnects)).toEqual([1, 1])
  isOver = true
  await Promise.all(callers)
  expect(failures).toEqual([])
  // No client is left that its end would disturb.
  await servers[0].kill()
  await stopped
})

it('what is to be sent just after a connection was lost waits for its return', async () => {
  const [first, second] = HOSTS
  servers = [await start(first), servers[1]]
  const calling = await connectTo(first, 'caller')
  const client = new NatsClient(calling)
  const store = new MessageStore(calling)
  expect((await client.call(echo, { delay_ms: 0 })).by).toMatch(/first|second/)
  await servers[0].kill()
  await until(() => !calling.isUp)
  const call = client.call(together, { delay_ms: 0 })
  // Without a stream nobody would store it.
  calling.raw.subscribe('stored', {
    callback: (_, message) => {
      message.respond('{"stream":"TEST","seq":7}')
    },
  })
  const stored = store.store({ subject: 'stored', id: 'one', body: new Uint8Array(1), headers: {} })
  expect((await call).by).toMatch(/first|second/)
  expect(await stored).toBe(7)
  expect(isAt(second)(calling)).toBe(true)
})
