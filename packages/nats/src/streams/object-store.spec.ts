import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectNats, type Connection } from '../connection.js'
import { ObjectStore } from './object-store.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')

describe('ObjectStore', () => {
  let directory: string
  let nats: Nats
  let connection: Connection
  let store: ObjectStore

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-object-store-'))
    nats = await startNats({ directory, users: [passwordUser('bearing', 'test')], cache: CACHE })
    const url = nats.url.replace('nats://', 'nats://bearing:test@')
    connection = await connectNats({ url, name: 'management' })
    store = new ObjectStore(connection)
  })

  afterAll(async () => {
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const facts = { size: 1, chunks: 1, sha256: '00' }

  // To clients it is the same as a stream whose cluster elects a leader: no server subscribes to it.
  it.each<[string, () => Promise<unknown>]>([
    ['appends', () => store.append('object', Buffer.from('x'), 0)],
    ['completes', () => store.complete('object', facts, 1)],
    ['reads', () => store.read('object', 1)],
  ])('%s nothing, and says that it is unavailable, while no server has its stream', async (_, act) => {
    await expect(act()).rejects.toMatchObject({ code: 'service_unavailable' })
  })
})
