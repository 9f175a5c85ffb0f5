import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { DiscardPolicy, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { withinCall } from '../calls/call-context.js'
import { connectNats, type Connection } from '../connection.js'
import { MessageStore } from './message-store.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const FEW = 3

describe('MessageStore', () => {
  let directory: string
  let nats: Nats
  let connection: Connection
  let manager: JetStreamManager
  let store: MessageStore

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-message-store-'))
    nats = await startNats({ directory, users: [passwordUser('bearing', 'test')], cache: CACHE })
    connection = await connectNats({
      url: nats.url.replace('nats://', 'nats://bearing:test@'),
      name: 'gateway',
    })
    manager = await jetstreamManager(connection.raw)
    await manager.streams.add({ name: 'ALL', subjects: ['all.>'] })
    await manager.streams.add({
      name: 'FULL',
      subjects: ['full.>'],
      max_msgs: FEW,
      discard: DiscardPolicy.New,
    })
    store = new MessageStore(connection)
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const message = (subject: string, id: string) => ({
    subject,
    id,
    body: Buffer.from(id),
    headers: { Kind: 'test' },
  })
  const storedIn = async (stream: string) => (await manager.streams.info(stream)).state.messages

  it('stores messages of the same turn in the order in which they came', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => `turn-${String(i)}`)
    await Promise.all(ids.map((id) => store.store(message('all.turn', id))))
    const first = await manager.streams.getMessage('ALL', { seq: 1 })
    expect(first?.header.get('Kind')).toBe('test')
    const bodies = await Promise.all(
      ids.map(async (_, i) => (await manager.streams.getMessage('ALL', { seq: i + 1 }))?.string()),
    )
    expect(bodies).toEqual(ids)
  })

  it('stores messages of one turn as one if it may, and returns the sequence of that to each', async () => {
    const before = await storedIn('ALL')
    const bundling = new MessageStore(connection, true)
    const subjects = ['all.a.one', 'all.a.two', 'all.b.one', 'all.a.one', 'all.a.three']
    const sequences = await Promise.all(
      subjects.map((subject, number) => bundling.store(message(subject, `bundled-${String(number)}`))),
    )
    // The second message of a subject has a later sequence than the first.
    expect(sequences.map((sequence) => sequence - (sequences[0] ?? 0))).toEqual([0, 0, 1, 2, 2])
    expect(await storedIn('ALL')).toBe(before + 3)
  })

  it('says of none of them that it is stored if all of them together are refused', async () => {
    const bundling = new MessageStore(connection, true)
    const refused = ['nowhere.a.one', 'nowhere.a.two'].map((subject) =>
      bundling.store(message(subject, subject)),
    )
    const outcomes = await Promise.allSettled(refused)
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } })
    expect(outcomes).toHaveLength(2)
  })

  it('stores one that comes again only once, and says that it is stored', async () => {
    const before = await storedIn('ALL')
    await store.store(message('all.again', 'again'))
    await store.store(message('all.again', 'again'))
    expect(await storedIn('ALL')).toBe(before + 1)
  })

  it('does not say so of what a full stream refuses, and of nothing else that leaves with it', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: FEW + 2 }, (_, i) => store.store(message('full.turn', `full-${String(i)}`))),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: FEW }, () => 'fulfilled'),
      'rejected',
      'rejected',
    ])
    for (const outcome of outcomes.slice(FEW))
      expect(outcome).toMatchObject({ reason: { code: 'service_unavailable', details: { retry_after: 5 } } })
    expect(await storedIn('FULL')).toBe(FEW)
  })

  it('does not say so where no stream listens', async () => {
    await expect(store.store(message('nowhere.at.all', 'none'))).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  })

  it('does not say so where somebody else answers', async () => {
    const answers = ['', 'no JSON', '{}', '{"stream":"","seq":1}', '{"stream":"ALL","seq":0}', '[]']
    const left = [...answers]
    const subscription = connection.raw.subscribe('other', {
      callback: (_error, asked) => void asked.respond(left.shift()),
    })
    await connection.raw.flush()
    for (const answer of answers)
      await expect(store.store(message('other', `other-${answer}`))).rejects.toMatchObject({
        code: 'service_unavailable',
      })
    expect(left).toEqual([])
    subscription.unsubscribe()
  })

  it('reports that the outcome is unknown while its caller still waits', async () => {
    const silent = connection.raw.subscribe('slow', { callback: () => undefined })
    await connection.raw.flush()
    const call = { requestId: 'of a caller', deadlineMs: Date.now() + 2_000 }
    const outcome = withinCall(call, () => store.store(message('slow', 'slow'))).catch(
      (error: unknown) => error,
    )
    // Timers of one process end in their order, however busy the machine is.
    expect(await Promise.race([outcome, sleep(4_000)])).toMatchObject({ code: 'service_unavailable' })
    silent.unsubscribe()
  })

  it('reports immediately that the outcome is unknown if NATS is lost before it answers', async () => {
    const received = Promise.withResolvers<undefined>()
    const silent = connection.raw.subscribe('silent', {
      callback: () => {
        received.resolve(undefined)
      },
    })
    await connection.raw.flush()
    const waiting = store.store(message('silent', 'lost'))
    // And not `deadline_exceeded`, as when its five seconds are over.
    const cause = expect.objectContaining({ code: 'service_unavailable' }) as unknown
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'service_unavailable', cause })
    await received.promise
    await nats.kill()
    await outcome
    await expect(store.store(message('all.down', 'down'))).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    silent.unsubscribe()
  })
})
