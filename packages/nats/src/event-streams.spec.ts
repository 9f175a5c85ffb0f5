import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WORK_STREAMS } from '@bearing/contracts/streams'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstreamManager } from '@nats-io/jetstream'
import { connectNats, type Connection } from './connection.js'
import { keepEventStreams, type StreamOptions } from './event-streams.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '.bearing', 'nats-server')
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
    for (const { name } of WORK_STREAMS)
      days[name] = (await manager.streams.info(name)).config.max_age / DAY_NS
    return days
  }

  it('lose nothing that waits by itself; what was put aside goes after thirty days, or as long as is set', async () => {
    const queues = { CHUNKS: 0, OBSERVATIONS: 0, DEVICE_LOCATIONS: 0 }
    expect(await daysKept()).toEqual({ ...queues, DEAD_LETTERS: 30, REJECTED_OBSERVATIONS: 30 })
    // A stream that is there already, from a time with another setting or none.
    const changed = { ...queues, DEAD_LETTERS: 7, REJECTED_OBSERVATIONS: 7 }
    expect(await daysKept({ putAsideDays: 7 })).toEqual(changed)
  })
})
