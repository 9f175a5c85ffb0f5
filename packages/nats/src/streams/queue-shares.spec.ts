import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHUNK_STREAM } from '@bearing/contracts/nats/streams'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connectNats, type Connection } from '../connection.js'
import { keepEventStreams } from './event-streams.js'
import { MessageStore } from './message-store.js'
import { QueueShares } from './queue-shares.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const MIB = 1024 * 1024
/** A fifth is for the queue of chunks. */
const STORE_BYTES = 50 * MIB
const QUEUE_BYTES = STORE_BYTES / 5
const BODY = new Uint8Array(64 * 1024)

describe('the share of an owner of a queue', () => {
  let directory: string
  let nats: Nats
  let connection: Connection
  let now = 0
  let messages = 0

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-shares-'))
    nats = await startNats({ directory, cache: CACHE, users: [passwordUser('anybody', 'test')] })
    connection = await connectNats({ url: nats.url.replace('//', '//anybody:test@'), name: 'anybody' })
    await keepEventStreams(connection, () => undefined, { storeBytes: STORE_BYTES })
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const newProcess = () => new QueueShares(connection, new MessageStore(connection), CHUNK_STREAM, () => now)
  const store = (shares: QueueShares, owner: string) =>
    shares.add(owner, {
      subject: `${CHUNK_STREAM.subject}.${owner}`,
      id: `message-${String(++messages)}`,
      body: BODY,
      headers: {},
    })
  /** Long enough for another look, which is answered before the next message is stored. */
  const later = async (shares: readonly QueueShares[], owner: string) => {
    now += 3_000
    for (const each of shares) await store(each, owner).catch(() => undefined)
    await connection.raw.flush()
  }
  const streams = async () => (await jetstreamManager(connection.raw)).streams
  const waiting = async () => (await (await streams()).info(CHUNK_STREAM.name)).state.bytes

  it.each([1, 2])(
    'is what is free: through %s processes, one owner leaves room for others',
    async (count) => {
      await (await streams()).purge(CHUNK_STREAM.name)
      const processes = Array.from({ length: count }, newProcess)
      for (let round = 0; round < 400; round++) {
        if (round % 20 === 0) await later(processes, 'flooding')
        for (const each of processes) await store(each, 'flooding').catch(() => undefined)
      }
      for (const each of processes)
        await expect(store(each, 'flooding')).rejects.toMatchObject({ code: 'overloaded' })
      const most = (QUEUE_BYTES * count) / (count + 1)
      expect(await waiting()).toBeGreaterThan(most * 0.8)
      // Between two looks at the queue a process does not know what others store.
      expect(await waiting()).toBeLessThan(most + QUEUE_BYTES * 0.2)
      for (const each of processes) await store(each, 'other')
    },
  )

  it('is free again after its messages have left the queue', async () => {
    await (await streams()).purge(CHUNK_STREAM.name)
    const shares = newProcess()
    await later([shares], 'flooding')
    await expect(
      (async () => {
        for (;;) await store(shares, 'flooding')
      })(),
    ).rejects.toMatchObject({ code: 'overloaded' })
    await (await streams()).purge(CHUNK_STREAM.name)
    await later([shares], 'other')
    for (let message = 0; message < 50; message++) await store(shares, 'flooding')
  })
})
