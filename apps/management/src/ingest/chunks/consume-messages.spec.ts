import { randomUUID } from 'node:crypto'
import { CHUNK_HEADERS, chunkSubject, messageId } from '@bearing/contracts/management/data/chunk-message'
import { DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import type { QueuedMessage } from '@bearing/nats/work-queue'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { Randomness } from '@bearing/service/ground/randomness'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { Database } from '../../ground/database.js'
import { deadLettersOf } from '../dead-letters/dead-letter.js'
import { TestManagement } from '../../testing/test-management.js'
import { StoreDeadLetter } from '../dead-letters/store-dead-letter.js'
import { ConsumeMessages } from './consume-messages.js'
import { StoreMessages } from './store-messages.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'

const STREAM = new Date('2026-01-01T00:00:00Z')
const clock = new Clock(Date.now)
const randomness = new Randomness(v7, (length) => new Uint8Array(length))
const SILENT = { error: () => undefined } as never // all that is said of dead letters

describe('consuming what devices have sent', () => {
  const management = forSuite(() => TestManagement.connect())
  let organizationId: string
  let projectId: string

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

  const addressOf = (serial: string, project = projectId) => ({ organizationId, projectId: project, serial })

  const consumeInto = (database: Database, deadLetters = management.connection) =>
    new ConsumeMessages(
      new StoreMessages(
        database,
        clock,
        randomness,
        new EnqueueDeliveries(clock, randomness),
        new OrganizationLimits(1_000, 1_000_000),
        new DeviceDataFeed(management.connection),
        management.payloads,
      ),
      new StoreDeadLetter(database, deadLetters, SILENT),
    )

  function queued(serial: string, body: string, project = projectId, lengths = [body.length]): QueuedMessage {
    const headers: Record<string, string> = { [CHUNK_HEADERS.lengths]: lengths.join(',') }
    return {
      subject: chunkSubject(addressOf(serial, project)),
      header: (name) => headers[name],
      id: messageId(randomUUID()),
      body: Buffer.from(body),
      streamStartedAt: STREAM,
      sequence: 1,
      receivedAt: new Date(),
      deliveries: 1,
    }
  }

  const lettersOf = (serial: string, project = projectId) =>
    new DeadLetters(management.connection, DEAD_LETTER_STREAM).count(
      deadLettersOf(organizationId, project, serial),
    )

  const countOf = async (serial: string) =>
    Number((await management.database.device.findFirst({ where: { serial } }))?.chunkCount ?? -1)

  /** The database as it is when it is not as it should be. */
  function withOptions(options: string): string {
    const url = new URL(testStack().databaseUrls.management)
    url.searchParams.set('options', options)
    return url.href
  }

  it.each([
    [
      'is read-only (25006)',
      () => withOptions('-c search_path=management -c default_transaction_read_only=on'),
    ],
    ['has not been migrated yet (42P01)', () => withOptions('-c search_path=nothing_is_here')],
    [
      'takes another role in (42501)',
      () => {
        const url = new URL(testStack().databaseUrls.identity)
        url.searchParams.set('options', '-c search_path=management')
        return url.href
      },
    ],
  ])('where the database %s, nothing becomes a dead letter: all of it waits', async (_, url) => {
    const serial = randomUUID()
    const batch = [queued(serial, 'x'), queued(serial, 'y')]
    const database = new Database(url(), 1)
    try {
      await expect(consumeInto(database).execute(batch)).rejects.toThrow()
    } finally {
      await database.$disconnect()
    }
    expect(await lettersOf(serial)).toBe(0)
    await consumeInto(management.database).execute(batch)
    expect(await countOf(serial)).toBe(2)
  })

  it('what can never be stored does not become a dead letter of a device that was deleted since', async () => {
    const serial = randomUUID()
    const place = { projectId, serial, streamStartedAt: STREAM, deletedAt: new Date() }
    const unreadable = (sequence: number) => ({ ...queued(serial, 'xyz', projectId, [1]), sequence })
    await management.database.deviceDeletion.create({ data: { ...place, sequence: 7 } })
    await consumeInto(management.database).execute([unreadable(6), unreadable(7)])
    expect(await lettersOf(serial)).toBe(0)
    await consumeInto(management.database).execute([unreadable(8)])
    expect(await lettersOf(serial)).toBe(1)
  })

  it('requests with more chunks than a transaction can store in time are stored in several', async () => {
    const serial = randomUUID()
    const batch = Array.from({ length: 12 }, () =>
      queued(serial, 'x'.repeat(1_000), projectId, Array<number>(1_000).fill(1)),
    )
    // Again where the database of a busy machine takes too long: what is stored stays, as it was stored.
    await eventually(() => consumeInto(management.database).execute(batch), { withinMs: 120_000 })
    expect(await countOf(serial)).toBe(12_000)
    const rows = await management.database.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM device_chunks chunk JOIN devices ON devices.id = device_id WHERE serial = ${serial} GROUP BY chunk.xmin`
    expect(rows.map(({ count }) => Number(count)).sort((a, b) => a - b)).toEqual(Array(6).fill(2_000))
  })

  it('a message that takes too long holds up nothing beside it, and becomes a dead letter only when it did often', async () => {
    const [good, slow] = [randomUUID(), randomUUID()]
    await consumeInto(management.database).execute([queued(slow, 'first')])
    const url = new URL(testStack().databaseUrls.management)
    url.searchParams.set('statement_timeout', '700')
    url.searchParams.set('idle_in_transaction_session_timeout', '0')
    const [database, other] = [new Database(url.href, 1), new Database(url.href, 1)]
    const consume = consumeInto(database)
    const batch = [queued(good, 'x'), queued(slow, 'y'), queued(good, 'z')]
    const failures: unknown[] = []
    await other.transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT id FROM devices WHERE serial = ${slow} FOR UPDATE`
        await expect(consume.execute(batch)).rejects.toThrow()
        expect(await countOf(good)).toBe(2)
        expect(await lettersOf(slow)).toBe(0)
        for (let done = false; !done;)
          done = await consume.execute(batch).then(
            () => true,
            (error: unknown) => failures.push(error) > 100,
          )
      },
      { timeout: 100_000 },
    )
    await Promise.all([database.$disconnect(), other.$disconnect()])
    expect(failures).toHaveLength(18)
    expect(await lettersOf(slow)).toBe(1)
    expect(await countOf(good)).toBe(2)
  })

  it('a message that times out while no other is there to be stored is stored once the database is faster', async () => {
    const serial = randomUUID()
    await consumeInto(management.database).execute([queued(serial, 'first')])
    const url = new URL(testStack().databaseUrls.management)
    url.searchParams.set('statement_timeout', '500')
    url.searchParams.set('idle_in_transaction_session_timeout', '0')
    const [database, other] = [new Database(url.href, 1), new Database(url.href, 1)]
    const consume = consumeInto(database)
    const batch = [queued(serial, 'y')]
    await other.transaction(
      async (transaction) => {
        await transaction.$queryRaw`SELECT id FROM devices WHERE serial = ${serial} FOR UPDATE`
        for (let attempt = 0; attempt < 25; attempt++) await expect(consume.execute(batch)).rejects.toThrow()
      },
      { timeout: 100_000 },
    )
    await eventually(() => consume.execute(batch))
    await Promise.all([database.$disconnect(), other.$disconnect()])
    expect(await lettersOf(serial)).toBe(0)
    expect(await countOf(serial)).toBe(2)
  })

  it('a message that the database refuses becomes a dead letter, alone', async () => {
    const [good, bad, elsewhere] = [randomUUID(), randomUUID(), randomUUID()]
    const batch = [queued(good, 'x'), queued(bad, 'y', elsewhere), queued(good, 'z')]
    await consumeInto(management.database).execute(batch)
    expect(await countOf(good)).toBe(2)
    expect(await lettersOf(bad, elsewhere)).toBe(1)
    expect(await lettersOf(good)).toBe(0)
  })

  it('what is stored is done, and makes room, where no dead letter can be written: only what should become one comes again', async () => {
    const [good, bad, elsewhere] = [randomUUID(), randomUUID(), randomUUID()]
    const only = await newProject()
    await management.database.dataPolicy.create({
      data: { projectId: only, knownDevicesOnly: true, changedAt: new Date() },
    })
    const batch = [
      queued(bad, 'refused', elsewhere),
      queued(good, 'x'),
      queued(bad, 'unknown', only),
      queued(bad, 'unreadable', projectId, [1]),
      queued(good, 'z'),
    ]
    const gone = await connectNats({ url: testStack().natsUrl, name: 'test' })
    await gone.drain()
    const done: QueuedMessage[] = []
    const note = (messages: readonly QueuedMessage[]) => done.push(...messages)
    await expect(consumeInto(management.database, gone).execute(batch, note)).rejects.toThrow()
    expect(done).toEqual([batch[1], batch[4]])
    await consumeInto(management.database).execute(
      batch.filter((message) => !done.includes(message)),
      note,
    )
    expect(done).toHaveLength(batch.length)
    expect(new Set(done)).toEqual(new Set(batch))
    expect(await countOf(good)).toBe(2)
    for (const project of [elsewhere, only, projectId]) expect(await lettersOf(bad, project)).toBe(1)
  })

  it('where only known devices may send, a deleted one does not come back by what it sends: that becomes a dead letter', async () => {
    const only = await newProject()
    const [known, deleted] = [randomUUID(), randomUUID()]
    const consume = consumeInto(management.database)
    await consume.execute([queued(known, 'before', only), queued(deleted, 'before', only)])
    await management.database.dataPolicy.create({
      data: { projectId: only, knownDevicesOnly: true, changedAt: new Date() },
    })
    await management.database.chunk.deleteMany({ where: { device: { serial: deleted } } })
    await management.database.device.deleteMany({ where: { serial: deleted } })
    await consume.execute([queued(deleted, 'x', only), queued(known, 'y', only)])
    expect(await countOf(known)).toBe(2)
    expect(await countOf(deleted)).toBe(-1)
    expect(await lettersOf(deleted, only)).toBe(1)
    expect(await lettersOf(known, only)).toBe(0)
  })
})
