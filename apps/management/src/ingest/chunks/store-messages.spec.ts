import { randomUUID } from 'node:crypto'
import { chunkId, messageId } from '@bearing/contracts/management/data/chunk-message'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { PostgresProxy } from '@bearing/testing/postgres-proxy'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { Database } from '../../ground/database.js'
import { SweepChunks } from '../data-policy/sweep-chunks.js'
import { TestManagement } from '../../testing/test-management.js'
import type { DeviceMessage } from './decode-message.js'
import { StoreMessages } from './store-messages.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'

const STREAM = new Date('2026-01-01T00:00:00Z')
const SILENT = { info: () => undefined, warn: () => undefined } as never // all that is said

describe('what devices have sent', () => {
  const management = forSuite(() => TestManagement.connect())
  let projectId: string
  let organizationId: string

  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(length))
  const storeIn = (database: Database) =>
    new StoreMessages(
      database,
      clock,
      randomness,
      new EnqueueDeliveries(clock, randomness),
      new OrganizationLimits(1_000, 1_000_000),
      new DeviceDataFeed(management.connection),
      management.payloads,
    )
  const store = (messages: readonly DeviceMessage[]) => storeIn(management.database).execute(messages)

  beforeAll(async () => {
    ;({ id: organizationId } = await management.newOrganization())
    projectId = await newProject()
  })

  async function newProject(): Promise<string> {
    const id = randomUUID()
    const names = { slug: id, name: id, createdAt: new Date(), createdBy: id }
    await management.database.project.create({ data: { id, organizationId, ...names } })
    return id
  }

  function message(serial: string, sequence: number, chunks: string[]): DeviceMessage {
    return {
      organizationId,
      projectId,
      serial,
      id: messageId(randomUUID()),
      lengths: chunks.map(({ length }) => length),
      facts: {},
      body: Buffer.from(chunks.join('')),
      streamStartedAt: STREAM,
      sequence,
      receivedAt: new Date(Date.UTC(2026, 0, 2) + sequence * 1_000),
    }
  }

  /** Returns the stored chunks of a device, in order, with their number and bytes. */
  async function storedOf(
    serial: string,
  ): Promise<{ chunks: string[]; count: number; bytes: number } | null> {
    const device = await management.database.device.findUnique({
      where: { projectId_serial: { projectId, serial } },
      include: {
        chunks: { orderBy: [{ streamStartedAt: 'asc' }, { sequence: 'asc' }, { part: 'asc' }] },
      },
    })
    return (
      device && {
        chunks: device.chunks.map(({ data }) => Buffer.from(data ?? []).toString()),
        count: Number(device.chunkCount),
        bytes: Number(device.chunkBytes),
      }
    )
  }

  it('is stored in the order of the stream, whichever batch comes first', async () => {
    const serial = randomUUID()
    await store([message(serial, 3, ['e']), message(serial, 2, ['c', 'd'])])
    await store([message(serial, 1, ['a', 'b'])])
    expect(await storedOf(serial)).toEqual({ chunks: ['a', 'b', 'c', 'd', 'e'], count: 5, bytes: 5 })
    const device = await management.database.device.findFirstOrThrow({ where: { serial } })
    expect(device.firstSeenAt).toEqual(new Date('2026-01-02T00:00:01Z'))
    expect(device.lastSeenAt).toEqual(new Date('2026-01-02T00:00:03Z'))
  })

  it('a message that is redelivered, alone, beside others or to two processes concurrently, is stored and counted once', async () => {
    const serial = randomUUID()
    const first = message(serial, 1, ['abc', 'de'])
    const second = message(serial, 2, ['f'])
    await Promise.all([store([first, second]), store([second, first]), store([first, first])])
    await store([first])
    expect(await storedOf(serial)).toEqual({ chunks: ['abc', 'de', 'f'], count: 3, bytes: 6 })
    const ids = await management.database.chunk.findMany({
      where: { device: { serial } },
      select: { id: true },
    })
    expect(ids.map(({ id }) => id).sort()).toEqual(
      [chunkId(first.id, 0), chunkId(first.id, 1), chunkId(second.id, 0)].sort(),
    )
  })

  it('what a device says of itself stands as it said last, and what it leaves out stays', async () => {
    const serial = randomUUID()
    await store([{ ...message(serial, 2, ['x']), facts: { hardware_version: 'new', software_type: 'main' } }])
    await store([{ ...message(serial, 3, ['y']), facts: { software_version: '2' } }])
    await store([{ ...message(serial, 1, ['w']), facts: { hardware_version: 'old', software_version: '1' } }])
    expect(await management.database.device.findFirstOrThrow({ where: { serial } })).toMatchObject({
      hardwareVersion: 'new',
      softwareType: 'main',
      softwareVersion: '2',
    })
  })

  it('what a registered device says of itself when it first sends counts more than what was said when it was registered', async () => {
    const serial = randomUUID()
    const described = { hardwareVersion: 'registered', softwareType: 'main' }
    await management.database.device.create({
      data: { id: v7(), projectId, serial, createdAt: new Date(), registeredAt: new Date(), ...described },
    })
    await store([{ ...message(serial, 1, ['x']), facts: { hardware_version: 'said' } }])
    expect(await management.database.device.findFirstOrThrow({ where: { serial } })).toMatchObject({
      hardwareVersion: 'said',
      softwareType: 'main',
    })
  })

  it('bytes count for the day on which they came, however late they are stored', async () => {
    const serial = randomUUID()
    const of = { projectId: await newProject(), serial }
    const at = (day: string) => ({ ...of, receivedAt: new Date(`${day}T23:59:59Z`) })
    await store([
      { ...message(serial, 1, ['abc']), ...at('2026-01-02') },
      { ...message(serial, 2, ['d', 'e']), ...at('2026-01-02') },
      { ...message(serial, 3, ['f']), ...at('2026-01-03') },
    ])
    const days = await management.database.projectUsage.findMany({
      where: { projectId: of.projectId },
      orderBy: { day: 'asc' },
    })
    expect(
      days.map((one) => `${one.day.toISOString().slice(0, 10)} ${String(one.bytes)} ${String(one.chunks)}`),
    ).toEqual(['2026-01-02 5 3', '2026-01-03 1 1'])
  })

  it('processes that store for the same devices concurrently do not deadlock', async () => {
    const serials = Array.from({ length: 10 }, () => randomUUID())
    const batch = (sequence: number) => serials.map((serial) => message(serial, sequence, ['x']))
    await Promise.all(Array.from({ length: 8 }, (_, i) => store(i % 2 === 0 ? batch(i) : batch(i).reverse())))
    for (const serial of serials) expect(await storedOf(serial)).toMatchObject({ count: 8 })
  })

  it('a process that dies at any statement has stored all of a batch or nothing, and the next one stores it once', async () => {
    const proxy = await PostgresProxy.start(testStack().databaseUrls.management)
    try {
      const outcomes = new Set<string>()
      for (let statement = 1; statement <= 22; statement++)
        for (const cut of ['before', 'after'] as const) {
          const serial = randomUUID()
          const batch = [message(serial, 1, ['abc']), message(serial, 2, ['de', 'f'])]
          const database = new Database(proxy.url, 1)
          proxy.cutAt(statement, cut)
          const died = await storeIn(database)
            .execute(batch)
            .then(
              () => false,
              () => true,
            )
          await database.$disconnect()
          const found = await storedOf(serial)
          outcomes.add(`${died ? 'died' : 'lived'}, ${String(found?.count ?? 0)} stored`)
          expect([0, 3]).toContain(found?.count ?? 0)
          await store(batch)
          expect(await storedOf(serial)).toEqual({ chunks: ['abc', 'de', 'f'], count: 3, bytes: 6 })
        }
      expect([...outcomes]).toEqual(expect.arrayContaining(['died, 0 stored', 'lived, 3 stored']))
    } finally {
      await proxy.stop()
    }
  })

  it('what was on its way when its device was deleted does not bring it back; what comes later is a new device', async () => {
    const serial = randomUUID()
    const place = { projectId, serial }
    await management.database.deviceDeletion.create({
      data: { ...place, streamStartedAt: STREAM, sequence: 10n, deletedAt: new Date() },
    })
    await store([message(serial, 9, ['x']), message(serial, 10, ['y'])])
    expect(await storedOf(serial)).toBeNull()
    await store([message(serial, 10, ['y']), message(serial, 11, ['z'])])
    expect(await storedOf(serial)).toMatchObject({ chunks: ['z'] })
    const later = new Date(STREAM.getTime() + 1)
    await store([{ ...message(serial, 1, ['of another stream']), streamStartedAt: later }])
    expect(await storedOf(serial)).toMatchObject({ chunks: ['z', 'of another stream'] })
  })

  it('the deletion of a device covers every partition of the queue up to its own end', async () => {
    const serial = randomUUID()
    const [earlier, lost, later] = [-5, -3, 1].map((ms) => new Date(STREAM.getTime() + ms))
    await management.database.deviceDeletion.create({
      data: {
        ...{ projectId, serial, streamStartedAt: STREAM, sequence: 10n, deletedAt: new Date() },
        otherStreams: { [String(earlier?.getTime())]: 500 },
      },
    })
    const from = (streamStartedAt: Date | undefined, sequence: number) => ({
      ...message(serial, sequence, [`${String(streamStartedAt?.getTime())} ${String(sequence)}`]),
      streamStartedAt: streamStartedAt ?? STREAM,
    })
    await store([from(STREAM, 10), from(earlier, 500), from(lost, 999)])
    expect(await storedOf(serial)).toBeNull()
    const kept = [from(earlier, 501), from(STREAM, 11), from(later, 1)]
    await store(kept)
    expect(await storedOf(serial)).toMatchObject({ chunks: kept.map(({ body }) => String(body)) })
  })

  it('chunks are deleted when they are as old as their project keeps them, and no others', async () => {
    const [serial, kept] = [randomUUID(), randomUUID()]
    await store([message(kept, 1, ['of a project that keeps all'])])
    const of = { projectId: await newProject(), serial }
    const now = new Date()
    const old = {
      ...message(serial, 1, ['old']),
      ...of,
      receivedAt: new Date(now.getTime() - 49 * 3_600_000),
    }
    await store([old, { ...message(serial, 2, ['young']), ...of, receivedAt: now }])
    await management.database.dataPolicy.create({
      data: { projectId: of.projectId, retentionDays: 2, changedAt: now },
    })
    await new SweepChunks(management.database, clock, SILENT, 60_000).sweep()
    const left = await management.database.chunk.findMany({ where: { device: { serial } } })
    expect(left.map(({ data }) => Buffer.from(data ?? []).toString())).toEqual(['young'])
    expect(await storedOf(kept)).toMatchObject({ chunks: ['of a project that keeps all'] })
  })

  it('that is too old goes in rounds: no project waits for another one', async () => {
    const projects = await Promise.all([newProject(), newProject()])
    const old = new Date(Date.now() - 3 * 24 * 3600 * 1_000)
    const messages = projects.flatMap((project, index) =>
      [1, 2, 3].map((n) => ({
        ...message(`rounds-${String(index)}-${project.slice(0, 8)}`, 9_000 + index * 10 + n, [
          `chunk ${String(n)}`,
        ]),
        projectId: project,
        receivedAt: old,
      })),
    )
    await store(messages)
    for (const project of projects)
      await management.database.dataPolicy.create({
        data: { projectId: project, retentionDays: 2, changedAt: new Date() },
      })
    const left = () =>
      Promise.all(
        projects.map((project) => management.database.chunk.count({ where: { projectId: project } })),
      )
    let batches = 0
    const { dataPolicy } = management.database
    const sweeper: SweepChunks = new SweepChunks(
      {
        dataPolicy,
        $queryRaw: (query, ...values: unknown[]) => {
          if (projects.includes(String(values[0])) && ++batches === 2) void sweeper.stop()
          return management.database.$queryRaw(query, ...values)
        },
      },
      clock,
      SILENT,
      60_000,
      1,
    )
    await sweeper.sweep()
    expect(await left()).toEqual([2, 2])
    // And once it is not stopped it takes all that there is, however many batches that are.
    await new SweepChunks(management.database, clock, SILENT, 60_000, 1).sweep()
    expect(await left()).toEqual([0, 0])
    for (const projectId of projects) expect(await storedBytesOf(projectId)).toBe(0)
  })

  /** The sum that the usage of an organization shows. */
  async function storedBytesOf(projectId: string): Promise<number> {
    const { _sum: sum } = await management.database.projectUsage.aggregate({
      where: { projectId },
      _sum: { bytes: true, deletedBytes: true },
    })
    return Number(sum.bytes ?? 0) - Number(sum.deletedBytes ?? 0)
  }
})
