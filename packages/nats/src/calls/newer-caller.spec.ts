import 'reflect-metadata'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operation, type Input } from '@bearing/contracts/operation'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Controller, Module, type INestMicroservice } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { MicroserviceOptions } from '@nestjs/microservices'
import { z } from 'zod'
import { NatsClient } from './client.js'
import { connectNats, type Connection } from '../connection.js'
import { Handle } from './handle.js'
import { NatsServer } from './server.js'

const OLDER = {
  subject: 'test.v1.token.create',
  summary: 'Create',
  errors: [],
  permission: 'internal',
} as const
const input = { description: z.string(), within: z.array(z.object({ range: z.string() })).default([]) }
/** As version N−1 knows it … */
const older = operation({ ...OLDER, input: z.object(input), output: z.object({ id: z.int() }) })
/** … and as N does: a restriction more, at the top and inside, and one member more in the output. */
const newer = operation({
  ...OLDER,
  input: z.object({
    ...input,
    expires_at: z.string().optional(),
    within: z.array(z.object({ range: z.string(), port: z.int().optional() })).default([]),
  }),
  output: z.object({ id: z.int(), expires_at: z.string().optional() }),
})
/** The same, called by devices. */
const ofDevices = { subject: 'test.v1.scan', lenient: true } as const

let created = 0

@Controller()
class Create {
  @Handle(older)
  execute({ description }: Input<typeof older>): Promise<{ id: number }> {
    created += description.length
    return Promise.resolve({ id: 1 })
  }
}

@Controller()
class Scan {
  @Handle(operation({ ...older, ...ofDevices, input: z.object(input) }))
  execute(given: Input<typeof older>): Promise<{ id: number }> {
    return Promise.resolve({ id: Object.keys(given).length })
  }
}

@Module({ controllers: [Create, Scan] })
class OlderService {}

describe('a process of version N that calls a service of N−1', () => {
  let directory: string
  let nats: Nats
  let connections: Connection[]
  let app: INestMicroservice
  let client: NatsClient

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-nats-'))
    nats = await startNats({ directory, users: [passwordUser('bearing', 'test')] })
    const url = nats.url.replace('//', '//bearing:test@')
    connections = [await connectNats({ url, name: 'test' }), await connectNats({ url, name: 'caller' })]
    const [served, calling] = connections as [Connection, Connection]
    app = await NestFactory.createMicroservice<MicroserviceOptions>(OlderService, {
      strategy: new NatsServer({
        connection: served,
        service: { name: 'test', id: 'one', version: '1.0.0', description: 'A test' },
        verifyClaims: () => Promise.reject(new Error('unreachable: without claims')),
        record: () => undefined,
        lost: () => undefined,
        newRequestId: () => 'made-here',
      }),
      logger: false,
    })
    await app.listen()
    client = new NatsClient(calling)
  })

  afterAll(async () => {
    await app.close()
    await Promise.all(connections.map((connection) => connection.drain()))
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('is understood as long as it sends what both know', async () => {
    expect(await client.call(newer, { description: 'x', within: [{ range: '192.0.2.0/24' }] })).toEqual({
      id: 1,
    })
  })

  it('is refused with the place of a member that only it knows, and nothing is done without that', async () => {
    const before = created
    await expect(
      client.call(newer, {
        description: 'x',
        expires_at: '2027-01-31T00:00:00Z',
        within: [{ range: '192.0.2.0/24', port: 1 }],
      }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        errors: [
          { pointer: '/within/0/port', detail: 'is not a known member' },
          { pointer: '/expires_at', detail: 'is not a known member' },
        ],
      },
    })
    expect(created).toBe(before)
  })

  it('is understood where devices call: what the service does not know is ignored', async () => {
    const scan = operation({ ...newer, ...ofDevices })
    expect(await client.call(scan, { description: 'x', expires_at: 'never' })).toEqual({ id: 2 })
  })
})
