import { randomUUID } from 'node:crypto'
import { chunkId, messageId } from '@bearing/contracts/management/data/chunk-message'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { deleteChunks } from '../../erasure/delete-chunks.js'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { TestManagement } from '../../testing/test-management.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import { ListChunks } from '../chunks/list-chunks.js'
import { ReadChunk } from '../chunks/read-chunk.js'
import { StoreMessages } from '../chunks/store-messages.js'
import { CreateChunkDays } from './create-chunk-days.js'
import { SweepChunks } from './sweep-chunks.js'

const DAY_MS = 86_400_000
const SILENT = { info: () => undefined, warn: () => undefined } as never // all that is said

describe('partitions of chunks by day', () => {
  const management = forSuite(() => TestManagement.connect())
  let organizationId: string
  let projectId: string
  let sequence = 0

  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(length))

  beforeAll(async () => {
    ;({ id: organizationId } = await management.newOrganization())
    projectId = await newProject()
  })

  async function newProject(retentionDays?: number): Promise<string> {
    const id = randomUUID()
    const names = { slug: id, name: id, createdAt: new Date(), createdBy: id }
    await management.database.project.create({ data: { id, organizationId, ...names } })
    if (retentionDays !== undefined)
      await management.database.dataPolicy.create({
        data: { projectId: id, retentionDays, changedAt: new Date() },
      })
    return id
  }

  /** Days that no other specification uses. */
  const at = (day: number, ms = 0) => new Date((Math.floor(Date.now() / DAY_MS) + 1_000 + day) * DAY_MS + ms)

  async function store(serial: string, receivedAt: Date, id = messageIdAt(receivedAt), project = projectId) {
    const storing = new StoreMessages(
      management.database,
      clock,
      randomness,
      new EnqueueDeliveries(clock, randomness),
      new OrganizationLimits(1_000, 1_000_000),
      new DeviceDataFeed(management.connection),
      management.payloads,
    )
    await storing.execute([
      {
        ...{ organizationId, projectId: project, serial, id, lengths: [1, 2], facts: {}, receivedAt },
        ...{ body: Buffer.from('abc'), streamStartedAt: new Date(0), sequence: ++sequence },
      },
    ])
  }

  const messageIdAt = (date: Date) => messageId(v7({ msecs: date.getTime() }))
  const repeatable = () => messageId(randomUUID().replace(/^(.{14})./, '$18'))

  const scope = (serial: string) => ({
    organization_id: organizationId,
    project_id: projectId,
    device_serial: serial,
  })
  const list = (serial: string) =>
    new ListChunks(management.database).execute({ ...scope(serial), page: 1, per_page: 100 })
  const read = (serial: string, id: string) =>
    new ReadChunk(management.database, management.payloads, management.readings).execute(
      { ...scope(serial), chunk_id: id },
      { kind: 'service', name: 'test' },
    )
  const create = (now: Date) =>
    new CreateChunkDays(management.database, new Clock(() => now.getTime()), SILENT).createAll()
  const countIn = async (table: string) => {
    const [row] = await management.database.$queryRawUnsafe<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${table} WHERE project_id = $1::uuid`,
      projectId,
    )
    return row?.count
  }
  const partitionOf = (day: number) =>
    `device_chunks_${at(day).toISOString().slice(0, 10).replaceAll('-', '')}`

  /** Sweeps some projects as if it were another time. */
  async function sweep(now: Date, ...projects: string[]): Promise<number> {
    const { database } = management
    const dataPolicy = {
      findMany: () => database.dataPolicy.findMany({ where: { projectId: { in: projects } } }),
    } as unknown as typeof database.dataPolicy // of which it uses this alone
    const $queryRaw: typeof database.$queryRaw = (query, ...values: unknown[]) =>
      database.$queryRaw(query, ...values)
    return new SweepChunks({ dataPolicy, $queryRaw }, new Clock(() => now.getTime()), SILENT, 60_000).sweep()
  }

  async function storedBytesOf(project: string): Promise<number> {
    const { _sum: sum } = await management.database.projectUsage.aggregate({
      where: { projectId: project },
      _sum: { bytes: true, deletedBytes: true },
    })
    return Number(sum.bytes) - Number(sum.deletedBytes)
  }

  it('a chunk of a day without a partition is stored and moved, and is read the same before and after', async () => {
    const serial = randomUUID()
    const [known, repeated] = [messageIdAt(at(1)), repeatable()]
    await store(serial, at(1), known)
    await store(serial, at(2, 5), repeated)
    await store(serial, at(3), repeated)
    const before = await list(serial)
    expect(before.paging.total_count).toBe(4)
    expect(await countIn('device_chunks_default')).toBe(4)
    await create(at(1))
    expect(await countIn('device_chunks_default')).toBe(0)
    expect([await countIn(partitionOf(1)), await countIn(partitionOf(2))]).toEqual([2, 2])
    expect(await list(serial)).toEqual(before)
    for (const id of [known, repeated])
      expect(await read(serial, chunkId(id, 1))).toEqual({
        content: Buffer.from('bc').toString('base64'),
      })
    await expect(read(serial, chunkId(repeated, 2))).rejects.toMatchObject({ code: 'chunk_not_found' })
  })

  it('a chunk is read by its id although the clock of its gateway was wrong', async () => {
    const serial = randomUUID()
    const id = messageIdAt(at(-500))
    await store(serial, at(4), id)
    expect(await read(serial, chunkId(id, 0))).toEqual({ content: Buffer.from('a').toString('base64') })
  })

  it('deleting the chunks of a device finds them in all partitions, with its requests, and usage is exact', async () => {
    const [serial, kept] = [randomUUID(), randomUUID()]
    const before = await storedBytesOf(projectId)
    await store(kept, at(5))
    for (const day of [1, 4, 5, 300]) await store(serial, at(day), repeatable())
    expect(await deleteChunks(management.database, scope(serial))).toEqual({ chunks: 8, bytes: 12 })
    expect((await list(serial)).paging.total_count).toBe(0)
    expect((await list(kept)).paging.total_count).toBe(2)
    expect(await storedBytesOf(projectId)).toBe(before + 3)
    const where = { projectId, receivedAt: { gte: at(4) } }
    expect(await management.database.chunkRequest.count({ where })).toBe(0)
  })

  it('a request that a device sends again after it was deleted is stored', async () => {
    const serial = randomUUID()
    const id = repeatable()
    await store(serial, at(5), id)
    await deleteChunks(management.database, scope(serial))
    await store(serial, at(6), id)
    expect((await list(serial)).paging.total_count).toBe(2)
  })

  it('the last project whose retention passes a day has its partition dropped; those before it lose rows; usage is exact', async () => {
    const [short, long] = [await newProject(2), await newProject(5)]
    await create(at(20))
    for (const project of [short, long])
      for (const day of [20, 21]) await store(randomUUID(), at(day), repeatable(), project)
    expect(await sweep(at(23, -1), short, long)).toBe(2)
    expect([await storedBytesOf(short), await storedBytesOf(long)]).toEqual([3, 6])
    const exists = async (day: number) =>
      (
        await management.database.$queryRaw<
          unknown[]
        >`SELECT FROM chunk_days WHERE name = ${partitionOf(day)}`
      ).length === 1
    // An hour before all of day 20 is too old for both, nothing of it is deleted by row.
    expect(await sweep(at(26, -3_600_000), short, long)).toBe(2)
    expect([await exists(20), await storedBytesOf(long)]).toEqual([true, 6])
    await sweep(at(26), short, long)
    expect([await exists(20), await exists(21), await storedBytesOf(long)]).toEqual([false, true, 3])
    await sweep(at(27), short, long)
    expect([await exists(21), await storedBytesOf(short), await storedBytesOf(long)]).toEqual([false, 0, 0])
    const where = { projectId: { in: [short, long] } }
    expect(await management.database.chunkRequest.count({ where })).toBe(0)
    // A dead letter of that day that is replayed now.
    await store(randomUUID(), at(20), messageIdAt(at(20)), long)
    expect(await storedBytesOf(long)).toBe(3)
  })
})
