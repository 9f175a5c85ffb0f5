import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHUNK_STREAMS, MAX_CHUNK_PARTITIONS } from '@bearing/contracts/nats/streams'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connectNats, type Connection } from '../connection.js'
import { chunkStreams } from './chunk-partitions.js'
import { keepEventStreams } from './event-streams.js'
import { MessageStore } from './message-store.js'
import { WorkQueue, type QueuedMessage } from './work-queue.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
/** Addresses of this machine, since servers of a cluster listen for each other on one port. */
const HOSTS = ['127.0.19.1', '127.0.19.2', '127.0.19.3']

describe('partitions of the queue of chunks on three servers', () => {
  let directory: string
  let servers: Nats[]
  let connection: Connection

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-partitions-'))
    servers = await Promise.all(
      HOSTS.map((host, number) =>
        startNats({
          ...{ directory: join(directory, String(number)), cache: CACHE, host },
          users: [passwordUser('anybody', 'test')],
          cluster: { serverName: `n${String(number)}`, hosts: HOSTS },
        }),
      ),
    )
    const url = servers.map((server) => server.url.replace('//', '//anybody:test@')).join(',')
    connection = await connectNats({ url, name: 'anybody' })
    // The cluster elects its leader first.
    await keepEventStreams(connection, () => undefined, {
      replicas: 3,
      chunkPartitions: MAX_CHUNK_PARTITIONS,
    })
    await settled(async () => {
      expect(await chunkStreams(connection)).toHaveLength(MAX_CHUNK_PARTITIONS)
    })
  }, 120_000)

  afterAll(async () => {
    await connection.drain()
    await Promise.all(servers.map((server) => server.stop()))
    await rm(directory, { recursive: true, force: true })
  })

  async function leaders(): Promise<string[]> {
    const manager = await jetstreamManager(connection.raw)
    const infos = await Promise.all(CHUNK_STREAMS.map(({ name }) => manager.streams.info(name)))
    return infos.map(({ cluster }) => cluster?.leader ?? '')
  }

  it('hand out bundles whole, whichever server has the consumer and whichever the worker is connected to', async () => {
    const store = new MessageStore(connection, true)
    const project = `${randomUUID()}.${randomUUID()}`
    for (const stream of CHUNK_STREAMS) {
      const subjects = ['a', 'b', 'c'].map((device) => `${stream.subject}.${project}.${device}`)
      const sequences = await Promise.all(
        subjects.map((subject) =>
          store.store({ subject, id: randomUUID(), body: Buffer.from(subject), headers: {} }),
        ),
      )
      expect(new Set(sequences).size).toBe(1)
      const handled: string[] = []
      const failures: unknown[] = []
      const take = (batch: readonly QueuedMessage[]) => {
        handled.push(...batch.map(({ subject }) => subject))
        return Promise.resolve()
      }
      const queue = new WorkQueue(connection, stream, 'management', take, (error) => failures.push(error))
      queue.start()
      await settled(() => {
        expect(handled.toSorted()).toEqual(subjects)
        return Promise.resolve()
      })
      await queue.stop()
      expect(failures).toEqual([])
    }
  }, 120_000)

  it('have their leaders on several of them, and accept messages without the one that was killed', async () => {
    let before: string[] = []
    await settled(async () => {
      before = await leaders()
      expect(before).not.toContain('')
    })
    expect(new Set(before).size).toBeGreaterThan(1)
    // Not the server of this connection, or every partition would have to wait for the next one.
    const lost = before.find((leader) => leader !== connection.raw.info?.server_name) ?? ''
    const store = new MessageStore(connection)
    const send = (subject: string) =>
      store.store({ subject: `${subject}.x`, id: randomUUID(), body: new Uint8Array(10), headers: {} })
    await servers[Number(lost.slice(1))]?.kill()
    const partitions = CHUNK_STREAMS.map(({ subject }, number) => ({ subject, leader: before[number] }))
    await Promise.all(partitions.filter(({ leader }) => leader !== lost).map(({ subject }) => send(subject)))
    // The others elect a new leader first, and until the cluster has one nobody says who that is.
    await settled(async () => {
      await Promise.all(partitions.map(({ subject }) => send(subject)))
      expect(await leaders()).not.toContain(lost)
    })
  }, 120_000)
})

/** Tries until it succeeds, for a minute. */
async function settled(attempt: () => Promise<void>): Promise<void> {
  for (let left = 300; ; left--) {
    try {
      await attempt()
      return
    } catch (error) {
      if (left === 0) throw error
      await sleep(200)
    }
  }
}
