import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream'
import { connectNats, type Connection } from '../connection.js'
import { MessageStore } from './message-store.js'
import { StoredStream } from './stored-stream.js'
import { makeWorkConsumer } from './work-consumer.js'
import { WorkQueue } from './work-queue.js'

const STREAM = { name: 'WORK', subject: 'work', queue: true }
const WORKER = 'management'

const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await sleep(20)
}

describe('WorkQueue', () => {
  let directory: string
  let nats: Nats
  let connection: Connection

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-work-queue-'))
    const cache = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
    nats = await startNats({ directory, users: [passwordUser('bearing', 'test')], cache })
    connection = await connectNats({ url: nats.url.replace('nats://', 'nats://bearing:test@'), name: WORKER })
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('acknowledges what is done while the rest of its batch fails, and brings only the rest again', async () => {
    const manager = await jetstreamManager(connection.raw)
    const { name } = STREAM
    await manager.streams.add({ name, subjects: ['work.>'], retention: RetentionPolicy.Workqueue })
    await makeWorkConsumer(manager, { worker: WORKER, stream: name })
    const client = jetstream(connection.raw)
    for (let sent = 0; sent < 6; sent++)
      await client.publish('work.one', String(sent), { msgID: String(sent) })
    const left = async () => (await manager.streams.info(name)).state.messages
    const handed: number[][] = []
    let mayPass = false
    const queue = new WorkQueue(
      connection,
      STREAM,
      WORKER,
      (batch, _postpone, done) => {
        handed.push(batch.map(({ sequence }) => sequence))
        done(batch.filter(({ sequence }) => sequence !== 3))
        const fails = batch.some(({ sequence }) => sequence === 3) && !mayPass
        return fails ? Promise.reject(new Error('there is no room')) : Promise.resolve()
      },
      () => undefined,
    )
    queue.start()
    while ((await left()) > 1) await sleep(20)
    mayPass = true
    while ((await left()) > 0) await sleep(20)
    await queue.stop()
    const all = handed.flat()
    expect([1, 2, 4, 5, 6].map((sequence) => all.filter((one) => one === sequence).length)).toEqual([
      1, 1, 1, 1, 1,
    ])
    expect(all.filter((one) => one === 3).length).toBeGreaterThan(1)
  })

  it('hands out each message of a bundle, and acknowledges the bundle when all of them are done', async () => {
    const manager = await jetstreamManager(connection.raw)
    const name = 'BUNDLES'
    await manager.streams.add({ name, subjects: ['bundles.>'], retention: RetentionPolicy.Workqueue })
    await makeWorkConsumer(manager, { worker: WORKER, stream: name })
    const store = new MessageStore(connection, true)
    const serials = ['a', 'b', 'c']
    await Promise.all(
      serials.map((serial) =>
        store.store({
          ...{ subject: `bundles.project.${serial}`, id: `id-${serial}`, body: Buffer.from(`of ${serial}`) },
          headers: { Kind: serial },
        }),
      ),
    )
    const state = async () => (await manager.streams.info(name)).state
    expect((await state()).messages).toBe(1)
    const handed: unknown[][] = []
    let mayPass = false
    const queue = new WorkQueue(
      connection,
      { name, subject: 'bundles', queue: true },
      WORKER,
      (batch, _postpone, done) => {
        handed.push(
          batch.map(({ subject, id, body, header, sequence }) => [
            ...[subject, id, header('Nats-Msg-Id'), Buffer.from(body).toString(), header('Kind'), sequence],
          ]),
        )
        if (mayPass) return Promise.resolve()
        done(batch.filter(({ id }) => id !== 'id-b'))
        return Promise.reject(new Error('there is no room'))
      },
      () => undefined,
    )
    queue.start()
    await until(() => Promise.resolve(handed.length >= 2))
    // Two of three are done.
    expect((await state()).messages).toBe(1)
    mayPass = true
    await until(async () => (await state()).messages === 0)
    await queue.stop()
    const row = (serial: string) => [
      ...[`bundles.project.${serial}`, `id-${serial}`, `id-${serial}`, `of ${serial}`, serial, 1],
    ]
    expect(handed[0]).toEqual(serials.map(row))
    for (const later of handed.slice(1)) expect(later).toEqual([row('b')])
  })

  it('discards messages that JetStream copied into its stream, and hands out the messages after them', async () => {
    const manager = await jetstreamManager(connection.raw)
    const name = 'FORGED_WORK'
    await manager.streams.add({ name, subjects: ['forged.>'], retention: RetentionPolicy.Workqueue })
    await makeWorkConsumer(manager, { worker: WORKER, stream: name })
    await manager.streams.add({ name: 'OTHER', subjects: ['other.>'], allow_direct: true })
    await makeWorkConsumer(manager, { worker: WORKER, stream: 'OTHER' })
    const { raw } = connection
    const info = async () => (await manager.streams.info(name)).state
    // JetStream sends its acknowledgement, a delivered message and a stored message to the reply subject.
    raw.publish('other.one', 'forged', { reply: 'forged.one' })
    await until(async () => (await info()).last_seq === 1)
    for (const msgID of ['two', 'three']) await jetstream(raw).publish('other.one', 'forged', { msgID })
    raw.publish(`$JS.API.CONSUMER.MSG.NEXT.OTHER.${WORKER}`, '{"batch":2}', { reply: 'forged.one' })
    raw.publish('$JS.API.DIRECT.GET.OTHER', '{"seq":3}', { reply: 'forged.one' })
    await until(async () => (await info()).last_seq >= 3)
    await jetstream(raw).publish('forged.one', 'genuine', { msgID: 'genuine' })
    const handed: string[] = []
    const failures: string[] = []
    const queue = new WorkQueue(
      connection,
      { name, subject: 'forged', queue: true },
      WORKER,
      (batch) => {
        handed.push(...batch.map(({ body }) => Buffer.from(body).toString()))
        return Promise.resolve()
      },
      (error) => failures.push(String(error)),
    )
    queue.start()
    await until(async () => (await info()).messages === 0)
    await queue.stop()
    expect(handed).toEqual(['genuine'])
    expect(failures.length).toBeGreaterThanOrEqual(3)
  })

  it('does not return messages that JetStream copied into a stream of dead letters', async () => {
    const manager = await jetstreamManager(connection.raw)
    const name = 'LETTERS'
    await manager.streams.add({ name, subjects: ['letters.>'] })
    await manager.streams.add({ name: 'SOURCE', subjects: ['source.>'], allow_direct: true })
    const client = jetstream(connection.raw)
    await client.publish('source.one', 'forged', { msgID: 'forged' })
    connection.raw.publish('$JS.API.DIRECT.GET.SOURCE', '{"seq":1}', { reply: 'letters.one' })
    await until(async () => (await manager.streams.info(name)).state.last_seq === 1)
    await client.publish('letters.one', 'genuine', { msgID: 'genuine' })
    const letters = new StoredStream(connection, { name, subject: 'letters', queue: false })
    expect(await letters.from(1)).toMatchObject({ number: 2, id: 'genuine' })
    expect(await letters.from(3)).toBeNull()
  })
})
