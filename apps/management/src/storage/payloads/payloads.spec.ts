import { randomBytes, randomUUID } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { chunkId, messageId } from '@bearing/contracts/management/data/chunk-message'
import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/ground/clock'
import { systemRandomness } from '@bearing/service/ground/randomness'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { deleteChunks } from '../../erasure/delete-chunks.js'
import { DataHorizon } from '../../feed/data-horizon.js'
import { DataReader, START } from '../../feed/data-reader.js'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { ReadChunk } from '../../ingest/chunks/read-chunk.js'
import { StoreMessages } from '../../ingest/chunks/store-messages.js'
import { SweepChunks } from '../../ingest/data-policy/sweep-chunks.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { TestManagement } from '../../testing/test-management.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import { Storages, type Storage } from '../storage.js'
import { ChunkPayloads } from './chunk-payloads.js'
import { SweepPayloads } from './sweep-payloads.js'

const SILENT = { info: () => undefined, warn: () => undefined } as never // all that is said
/** Enough to become an object. */
const SIZE = 10_000

describe('payloads of chunks in objects', () => {
  const objects = new Map<string, Uint8Array>()
  let isDown = false
  let nowMs = Date.now()
  const clock = new Clock(() => nowMs)
  const randomness = systemRandomness()
  const double = {
    name: 's3',
    storesPayloads: true,
    write: (id: string, bytes: Uint8Array) => {
      if (isDown)
        return Promise.reject(new OperationError('service_unavailable', 'Down.', { retry_after: 1 }))
      objects.set(id, bytes)
      return Promise.resolve()
    },
    readRange: (id: string, from: number, length: number) =>
      isDown
        ? Promise.reject(new OperationError('service_unavailable', 'Down.', { retry_after: 1 }))
        : Promise.resolve(objects.get(id)?.slice(from, from + length)),
    remove: (id: string) => Promise.resolve(void objects.delete(id)),
  }
  const storage = double as unknown as Storage
  const storages = new Storages(storage, [storage])
  const management = forSuite(() => TestManagement.connect())
  let payloads: ChunkPayloads
  let organizationId: string
  let projectId: string
  let sequence = 0

  beforeAll(async () => {
    ;({ id: organizationId } = await management.newOrganization())
  })

  beforeEach(async () => {
    isDown = false
    nowMs = Date.now()
    payloads = new ChunkPayloads(management.database, storages, clock, randomness, SILENT)
    projectId = randomUUID()
    const names = { slug: projectId, name: projectId, createdAt: new Date(), createdBy: projectId }
    await management.database.project.create({ data: { id: projectId, organizationId, ...names } })
  })

  const newMessage = (size = SIZE, receivedAt = clock.now()) => {
    const body = randomBytes(size)
    const [serial, id] = [randomUUID(), messageId(v7({ msecs: receivedAt.getTime() }))]
    const place = { streamStartedAt: new Date(0), sequence: ++sequence, receivedAt }
    return { organizationId, projectId, serial, id, lengths: [1, size - 1], facts: {}, body, ...place }
  }
  type Message = ReturnType<typeof newMessage>
  const store = (messages: readonly Message[], into = payloads) =>
    new StoreMessages(
      management.database,
      clock,
      randomness,
      new EnqueueDeliveries(clock, randomness),
      new OrganizationLimits(1_000, 1_000_000),
      new DeviceDataFeed(management.connection),
      into,
    ).execute(messages)
  const read = async (message: Message, part = 1) => {
    const scope = { organization_id: organizationId, project_id: projectId, device_serial: message.serial }
    const chunk_id = chunkId(message.id, part)
    const reader = new ReadChunk(management.database, payloads, management.readings)
    const { content } = await reader.execute({ ...scope, chunk_id }, { kind: 'service', name: 'test' })
    return Buffer.from(content, 'base64')
  }
  const contentOf = ({ body }: Message, part = 1) => (part === 0 ? body.subarray(0, 1) : body.subarray(1))
  const rows = () =>
    management.database.chunk.findMany({
      where: { projectId },
      orderBy: [{ sequence: 'asc' }, { part: 'asc' }],
    })
  const objectRows = () => management.database.chunkObject.findMany({ where: { projectId } })
  const sweep = () => new SweepPayloads(management.database, storages, clock, SILENT).sweep()
  const erase = ({ serial }: Message) =>
    deleteChunks(management.database, {
      organization_id: organizationId,
      project_id: projectId,
      device_serial: serial,
    })

  it('are one object for the messages of a project that are stored together, and read from there', async () => {
    const both = [newMessage(), newMessage()] as const
    await store(both)
    const stored = await rows()
    expect(stored.map(({ data, size }) => [data, size])).toEqual(
      [1, SIZE - 1, 1, SIZE - 1].map((n) => [null, n]),
    )
    expect(stored.map(({ objectOffset }) => objectOffset)).toEqual([0, 1, SIZE, SIZE + 1])
    expect(new Set(stored.map(({ objectId }) => objectId)).size).toBe(1)
    for (const message of both)
      for (const part of [0, 1]) expect(await read(message, part)).toEqual(contentOf(message, part))
    const reader = new DataReader(management.database, new DataHorizon(management.database), payloads)
    // Whatever writes in the same Postgres meanwhile holds the horizon up.
    await eventually(async () => {
      const { items } = await reader.read({ projectId, kinds: ['chunk'], payloads: 'inline' }, START)
      expect(items.map((item) => item.kind === 'chunk' && item.data)).toEqual(
        both.flatMap((message) => [0, 1].map((part) => contentOf(message, part).toString('base64'))),
      )
    })
  })

  it('stay in their rows if a project has less than 16 KiB of them', async () => {
    const message = newMessage()
    await store([message])
    expect((await rows()).map(({ objectId }) => objectId)).toEqual([null, null])
    expect(await read(message)).toEqual(contentOf(message))
  })

  it('stay in their rows while the storage does not respond, and for 30 s after that', async () => {
    isDown = true
    const first = [newMessage(), newMessage()] as const
    await store(first)
    isDown = false
    const second = [newMessage(), newMessage()] as const
    await store(second)
    nowMs += 31_000
    const third = [newMessage(), newMessage()] as const
    await store(third)
    const stored = await rows()
    expect(stored.map(({ objectId }) => objectId !== null)).toEqual([
      ...Array.from({ length: 8 }, () => false),
      ...Array.from({ length: 4 }, () => true),
    ])
    for (const message of [...first, ...second, ...third])
      expect(await read(message)).toEqual(contentOf(message))
  })

  it('cannot be read while the storage does not respond', async () => {
    const both = [newMessage(), newMessage()] as const
    await store(both)
    isDown = true
    await expect(read(both[0])).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  it('are overwritten with zeros when their device is erased, and those of other devices stay', async () => {
    const [erased, kept] = [newMessage(), newMessage()] as const
    await store([erased, kept])
    const objectId = (await rows())[0]?.objectId
    expect(await erase(erased)).toEqual({ chunks: 2, bytes: SIZE })
    await sweep()
    const bytes = objects.get(objectId ?? '')
    expect(bytes?.slice(0, SIZE).every((byte) => byte === 0)).toBe(true)
    expect(await read(kept)).toEqual(contentOf(kept))
    await erase(kept)
    await sweep()
    expect([objects.has(objectId ?? ''), await objectRows()]).toEqual([false, []])
  })

  it('are overwritten again if another process may have written them back', async () => {
    const [first, second, kept] = [newMessage(), newMessage(), newMessage()] as const
    await store([first, second, kept])
    const objectId = (await rows())[0]?.objectId
    const whole = objects.get(objectId ?? '') ?? new Uint8Array()
    await erase(first)
    const slow = {
      ...double,
      readRange: async (id: string, from: number, length: number) => {
        const bytes = await storage.readRange(id, from, length)
        // It stands still for longer than its lease, while the rest happens.
        if (nowMs < Date.now() + 100_000) {
          nowMs += 200_000
          await erase(second)
          await sweep()
          return bytes
        }
        return bytes
      },
    } as unknown as Storage
    await new SweepPayloads(management.database, new Storages(slow, [slow]), clock, SILENT).sweep()
    expect(
      objects
        .get(objectId ?? '')
        ?.slice(0, 2 * SIZE)
        .every((byte) => byte === 0),
    ).toBe(true)
    expect(Buffer.from(objects.get(objectId ?? '') ?? []).subarray(2 * SIZE)).toEqual(
      Buffer.from(whole.slice(2 * SIZE)),
    )
  })

  it('are deleted after the retention of their project, and not before', async () => {
    const old = [newMessage(), newMessage()] as const
    await store(old)
    nowMs += 1.5 * DAY_MS
    const young = [newMessage(), newMessage()] as const
    await store(young)
    await management.database.dataPolicy.create({
      data: { projectId, retentionDays: 1, changedAt: new Date() },
    })
    const chunks = new SweepChunks(management.database, clock, SILENT, 60_000)
    nowMs += 1_000
    await chunks.sweep()
    await sweep()
    await expect(read(old[0])).rejects.toMatchObject({ code: 'chunk_not_found' })
    expect(await read(young[0])).toEqual(contentOf(young[0]))
    expect((await objectRows()).length).toBe(1)
  })

  it('are deleted an hour after a process has written them and died before its chunks were stored', async () => {
    const both = [newMessage(), newMessage()] as const
    const places = await payloads.write(both)
    const { objectId } = places.get(both[0]) ?? { objectId: '' }
    await sweep()
    expect(objects.has(objectId)).toBe(true)
    nowMs += 3_601_000
    await sweep()
    expect([objects.has(objectId), await objectRows()]).toEqual([false, []])
  })

  it('go into the rows if their object was deleted before the chunks were stored', async () => {
    const both = [newMessage(), newMessage()] as const
    const late = {
      write: async (messages: readonly Message[]) => {
        const places = await payloads.write(messages)
        nowMs += 3_601_000
        await sweep()
        return places
      },
      claim: payloads.claim.bind(payloads),
    } as unknown as ChunkPayloads
    await store(both, late)
    expect((await rows()).map(({ objectId }) => objectId)).toEqual([null, null, null, null])
    expect(await read(both[1])).toEqual(contentOf(both[1]))
  })

  it('of chunks that were stored before leave no object behind', async () => {
    const both = [newMessage(), newMessage()] as const
    await store(both)
    const objectId = (await rows())[0]?.objectId
    await store(both)
    nowMs += 3_601_000
    await sweep()
    expect((await objectRows()).map(({ id }) => id)).toEqual([objectId])
    expect(await read(both[1])).toEqual(contentOf(both[1]))
  })
})
