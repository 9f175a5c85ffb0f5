import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHUNK_STREAM, workStreams } from '@bearing/contracts/nats/streams'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connectNats, type Connection } from '../connection.js'
import { chunkStreams } from './chunk-partitions.js'
import { keepEventStreams, type StreamOptions } from './event-streams.js'
import { StoredStream } from './stored-stream.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const DAY_NS = 24 * 3600 * 1e9

describe('the streams of work', () => {
  let directory: string
  let nats: Nats
  let connection: Connection

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-streams-'))
    nats = await startNats({ directory, cache: CACHE, users: [passwordUser('anybody', 'test')] })
    connection = await connectNats({ url: nats.url.replace('//', '//anybody:test@'), name: 'anybody' })
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  /** After how many days each stream lets go of a message; 0: never. */
  async function daysKept(options?: StreamOptions): Promise<Record<string, number>> {
    const failures: unknown[] = []
    await keepEventStreams(connection, (error) => failures.push(error), options)
    expect(failures).toEqual([])
    const manager = await jetstreamManager(connection.raw)
    const days: Record<string, number> = {}
    for (const { name } of workStreams(1))
      days[name] = (await manager.streams.info(name)).config.max_age / DAY_NS
    return days
  }

  it('keep waiting messages without limit; a feed keeps a day, and dead letters expire after 30 days, or as configured', async () => {
    const queues = { CHUNKS: 0, OBSERVATIONS: 0, DEVICE_LOCATIONS: 0, TOKEN_NOTICES: 0, DEVICE_DATA: 1 }
    expect(await daysKept()).toEqual({ ...queues, DEAD_LETTERS: 30, REJECTED_OBSERVATIONS: 30 })
    // A stream that is there already, from a time with another setting or none.
    const changed = { ...queues, DEAD_LETTERS: 7, REJECTED_OBSERVATIONS: 7 }
    expect(await daysKept({ deadLetterDays: 7 })).toEqual(changed)
  })

  it('each get a limit, those that exist too, and the limits together fit into what NATS may store', async () => {
    const problems: string[] = []
    const storeBytes = 4 * 1024 ** 3
    const warn = (problem: string) => problems.push(problem)
    await daysKept()
    await daysKept({ storeBytes, warn })
    const manager = await jetstreamManager(connection.raw)
    const limits = new Map<string, number>()
    for await (const { config } of manager.streams.list()) limits.set(config.name, config.max_bytes)
    expect(limits.size).toBeGreaterThan(workStreams(1).length + 1)
    for (const bytes of limits.values()) expect(bytes).toBeGreaterThan(0)
    expect([...limits.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(storeBytes)
    expect(problems).toEqual([])
    // Another size of the store, smaller and larger.
    for (const [factor, bytes] of [[0.5, storeBytes / 2] as const, [2, storeBytes * 2] as const]) {
      await daysKept({ storeBytes: bytes, warn })
      const { config } = await manager.streams.info('CHUNKS')
      expect(config.max_bytes).toBe(Math.floor(Number(limits.get('CHUNKS')) * factor))
    }
    expect(problems).toEqual([])
  })

  it('are made, with a warning, if NATS may store less than their limits together', async () => {
    const problems: string[] = []
    const warn = (problem: string) => problems.push(problem)
    // NATS itself was started with 20GB.
    await daysKept({ storeBytes: 40 * 1024 ** 3, warn })
    expect(problems.join('\n')).toMatch(/NATS has no room for the \d+ bytes of the stream OBJ_files\./)
    problems.length = 0
    await daysKept({ storeBytes: 4 * 1024 ** 3, warn })
    expect(problems).toEqual([])
  })

  it('divide the queue of chunks: the number of partitions grows and never shrinks', async () => {
    const partitions = async () => (await chunkStreams(connection)).map(({ name }) => name)
    const problems: string[] = []
    const options = { storeBytes: 4 * 1024 ** 3, warn: (problem: string) => problems.push(problem) }
    const manager = await jetstreamManager(connection.raw)
    const { config: before } = await manager.streams.info('CHUNKS')
    expect(await partitions()).toEqual(['CHUNKS'])
    await daysKept({ ...options, chunkPartitions: 3 })
    expect(await partitions()).toEqual(['CHUNKS', 'CHUNKS_1', 'CHUNKS_2'])
    for (const name of await partitions()) {
      const { config } = await manager.streams.info(name)
      expect(config).toMatchObject({ retention: 'workqueue', discard: 'new', max_age: 0 })
      expect(config.max_bytes).toBe(Math.floor(before.max_bytes / 3))
      expect((await manager.consumers.info(name, 'management')).config.ack_policy).toBe('explicit')
    }
    expect(problems).toEqual([])
    // An identity with the former setting, such as one that is replaced at this moment.
    await daysKept({ ...options, chunkPartitions: 1 })
    expect(await partitions()).toEqual(['CHUNKS', 'CHUNKS_1', 'CHUNKS_2'])
    expect(problems).toEqual([
      'The queue of chunks has 3 partitions, and CHUNK_PARTITIONS is 1: the number can only grow.',
    ])
  })

  it('keep the time from which their sequences count, although NATS loses it after an update', async () => {
    const start = async () => (await new StoredStream(connection, CHUNK_STREAM).end()).startedAt.toISOString()
    const restart = async () => {
      await nats.kill()
      nats = await startNats({
        directory,
        cache: CACHE,
        port: nats.port,
        users: [passwordUser('anybody', 'test')],
      })
      for (;;)
        try {
          await connection.ping()
          return
        } catch {
          await sleep(100)
        }
    }
    await daysKept()
    const before = await start()
    await restart()
    await daysKept({ storeBytes: 3 * 1024 ** 3 })
    await restart()
    expect(await start()).toBe(before)
  })

  it('warn if a stream stores more than its limit', async () => {
    const problems: string[] = []
    for (let part = 0; part < 20; part++)
      await jetstream(connection.raw).publish('$O.files.C.test', new Uint8Array(1024 * 1024))
    await daysKept({
      storeBytes: 16 * 1024 ** 2,
      chunkPartitions: 3,
      warn: (problem) => problems.push(problem),
    })
    expect(problems).toEqual([expect.stringContaining('The stream OBJ_files stores')])
    const { state } = await (await jetstreamManager(connection.raw)).streams.info('OBJ_files')
    expect(state.messages).toBe(20)
  })
})
