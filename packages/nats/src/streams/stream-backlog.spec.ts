import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream'
import { connectNats, type Connection } from '../connection.js'
import { streamBacklog } from './stream-backlog.js'
import { makeWorkConsumer } from './work-consumer.js'

const STREAM = { name: 'WORK', subject: 'work', queue: true }
const WORKER = 'management'

describe('what waits in a stream', () => {
  let directory: string
  let nats: Nats
  let connection: Connection

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-stream-backlog-'))
    const cache = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
    nats = await startNats({ directory, users: [passwordUser('bearing', 'test')], cache })
    connection = await connectNats({ url: nats.url.replace('nats://', 'nats://bearing:test@'), name: WORKER })
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('is nothing, then all that was not acknowledged since the first of it came, then nothing again', async () => {
    await expect(streamBacklog(connection, STREAM)).rejects.toThrow('stream not found')
    const manager = await jetstreamManager(connection.raw)
    const { name } = STREAM
    await manager.streams.add({ name, subjects: ['work.>'], retention: RetentionPolicy.Workqueue })
    await makeWorkConsumer(manager, { worker: WORKER, stream: name })
    expect(await streamBacklog(connection, STREAM)).toEqual({ entries: 0, since: null })
    const client = jetstream(connection.raw)
    for (const body of ['a', 'b', 'c']) await client.publish('work.one', body)
    const consumer = await client.consumers.get(name, WORKER)
    await (await consumer.next())?.ackAck()
    const second = await consumer.next()
    expect(await streamBacklog(connection, STREAM)).toEqual({ entries: 2, since: second?.time })
    await second?.ackAck()
    await (await consumer.next())?.ackAck()
    expect(await streamBacklog(connection, STREAM)).toEqual({ entries: 0, since: null })
  })
})
