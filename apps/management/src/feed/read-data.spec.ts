import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DATA_KINDS, type DataItem } from '@bearing/contracts/management/data/data-item'
import { Clock } from '@bearing/service/ground/clock'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import pg from 'pg'
import { v7 } from 'uuid'
import { TestManagement } from '../testing/test-management.js'
import { DataHorizon } from './data-horizon.js'
import { DataReader } from './data-reader.js'
import { ReadData } from './read-data.js'

const clock = new Clock(Date.now)
const DEVICES = 3

/** A transaction that stores data of a device and takes its time. */
interface Write {
  readonly do: 'write'
  readonly device: number
  readonly kind: (typeof DATA_KINDS)[number]
  readonly count: number
  readonly afterMs: number
  readonly holdMs: number
  readonly commits: boolean
}
const write = fc.record<Write>({
  do: fc.constant('write' as const),
  device: fc.nat(DEVICES - 1),
  kind: fc.constantFrom(...DATA_KINDS),
  count: fc.integer({ min: 1, max: 4 }),
  afterMs: fc.nat(20),
  holdMs: fc.nat(40),
  commits: fc.boolean(),
})
const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('read' as const), pauseMs: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const) }) },
)

const BY = { kind: 'service', name: 'test' } as const

describe('what the devices of a project have sent', () => {
  let management: TestManagement
  let writers: pg.Pool
  let organizationId: string
  const newReader = () =>
    new ReadData(
      new DataReader(management.database, new DataHorizon(management.database), management.payloads),
      management.readings,
      clock,
    )

  beforeAll(async () => {
    management = await TestManagement.connect()
    ;({ id: organizationId } = await management.newOrganization())
    writers = new pg.Pool({
      connectionString: testStack().databaseUrls.management,
      options: '-c search_path=management',
      max: 8,
    })
  })
  afterAll(async () => {
    await writers.end()
    await management.close()
  })

  /** Makes a project with devices. */
  async function newProject(): Promise<{ projectId: string; devices: string[] }> {
    const projectId = randomUUID()
    const names = { slug: projectId, name: projectId, createdAt: new Date(), createdBy: projectId }
    await management.database.project.create({ data: { id: projectId, organizationId, ...names } })
    const devices = Array.from({ length: DEVICES }, () => randomUUID())
    await management.database.device.createMany({
      data: devices.map((id) => ({ id, projectId, serial: id, createdAt: new Date() })),
    })
    return { projectId, devices }
  }

  /** Stores data as the services do: the device is locked first. Returns the ids in order, if it commits. */
  async function store(projectId: string, device: string, { kind, count, ...how }: Write): Promise<string[]> {
    await sleep(how.afterMs)
    const client = await writers.connect()
    let isDone = false
    try {
      await client.query('BEGIN')
      await client.query('SELECT FROM devices WHERE id = $1 FOR NO KEY UPDATE', [device])
      const ids = Array.from({ length: count }, () => v7())
      for (const id of ids)
        if (kind === 'chunk')
          await client.query(
            `INSERT INTO device_chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
             VALUES ($1, $2, $3, now(), 1, 0, now(), 2, 'ab')`,
            [id, device, projectId],
          )
        else {
          const object = randomUUID()
          await client.query(
            `INSERT INTO stored_objects (id, project_id, storage, parts, size, created_at) VALUES ($1, $2, 's3', '{}', 2, now())`,
            [object, projectId],
          )
          await client.query(
            `INSERT INTO files (id, organization_id, project_id, kind, object_id, device_serial, attributes, meaning, created_at)
             VALUES ($1, $2, $3, 'coredump', $4, $5, '{}', $1::uuid::text, now())`,
            [id, organizationId, projectId, object, device],
          )
        }
      await sleep(how.holdMs)
      await client.query(how.commits ? 'COMMIT' : 'ROLLBACK')
      isDone = true
      return how.commits ? ids : []
    } finally {
      client.release(!isDone)
    }
  }

  it('comes once each, in the order of each device, however writes, reads, deletions and restarts interleave', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { projectId, devices } = await newProject()
        let reader = newReader()
        let after: string | undefined
        const seen: DataItem[] = []
        const read = async () => {
          const scope = { organization_id: organizationId, project_id: projectId }
          const { data } = await reader.execute({ ...scope, after, payloads: 'inline' }, BY)
          seen.push(...data)
          after = seen.at(-1)?.cursor
          return data.length
        }
        const deleted = new Set<string>()
        const writing: Promise<string[]>[] = []
        const order = new Map(devices.map((device) => [device, [] as string[]]))
        for (const one of steps)
          if (one.do === 'write') {
            const device = devices[one.device] ?? ''
            writing.push(
              store(projectId, device, one).then((ids) => {
                order.get(device)?.push(...ids)
                return ids
              }),
            )
          } else if (one.do === 'read') {
            await sleep(one.pauseMs)
            await read()
          } else if (one.do === 'restart') reader = newReader()
          else {
            const { rows } = await writers.query<{ id: string }>(
              'DELETE FROM device_chunks WHERE id IN (SELECT id FROM device_chunks WHERE project_id = $1 LIMIT 1) RETURNING id',
              [projectId],
            )
            for (const { id } of rows) deleted.add(id)
          }
        const committed = (await Promise.all(writing)).flat()
        const missing = () =>
          committed.filter((id) => !deleted.has(id) && !seen.some((item) => item.id === id))
        // Transactions of other tests hold the horizon back as well.
        await eventually(async () => {
          while ((await read()) > 0);
          expect(missing()).toEqual([])
        })
        const ids = seen.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.filter((id) => !committed.includes(id))).toEqual([])
        for (const [device, stored] of order) {
          const sent = seen.filter(({ device_serial }) => device_serial === device).map(({ id }) => id)
          expect(sent).toEqual(stored.filter((id) => sent.includes(id)))
        }
      }),
      { numRuns: 25 },
    )
  })

  it('waits for transactions that began to store before, and shows nothing of later ones meanwhile', async () => {
    const { projectId, devices } = await newProject()
    const [slow = '', quick = ''] = devices
    const reader = newReader()
    const scope = { organization_id: organizationId, project_id: projectId }
    const one: Write = {
      do: 'write',
      device: 0,
      kind: 'chunk',
      count: 1,
      afterMs: 0,
      holdMs: 1_000,
      commits: true,
    }
    const first = store(projectId, slow, one)
    await sleep(300)
    const [second] = await store(projectId, quick, { ...one, holdMs: 0 })
    expect((await reader.execute({ ...scope, payloads: 'inline' }, BY)).data).toEqual([])
    const [id] = await first
    const data = await eventually(async () => {
      const found = (await reader.execute({ ...scope, payloads: 'none' }, BY)).data
      expect(found.map((item) => item.id)).toEqual([id, second])
      return found
    })
    expect(data[0]).toMatchObject({ kind: 'chunk', device_serial: slow, size: 2, data: null })
  })

  it('is read on from a part that its size has ended, without a gap between chunks and files', async () => {
    const { projectId, devices } = await newProject()
    const [device = ''] = devices
    const one: Write = {
      do: 'write',
      device: 0,
      kind: 'file',
      count: 3,
      afterMs: 0,
      holdMs: 0,
      commits: true,
    }
    const scope = { organization_id: organizationId, project_id: projectId }
    const expected = await store(projectId, device, one)
    const { rows } = await writers.query<{ id: string }>(
      `INSERT INTO device_chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
       SELECT gen_random_uuid(), $1, $2, now(), 1, 0, now(), length(data), data
       FROM (SELECT convert_to(repeat('x', (n % 3) * 40000), 'utf8') AS data FROM generate_series(1, 1500) n) AS sent
       RETURNING id`,
      [device, projectId],
    )
    expected.push(...rows.map(({ id }) => id), ...(await store(projectId, device, one)))
    const found: string[] = []
    const reader = newReader()
    await eventually(async () => {
      const { data } = await reader.execute({ ...scope, payloads: 'none', kinds: 'file' }, BY)
      expect(data).toHaveLength(6)
    })
    let cursor: string | undefined
    let parts = 0
    do {
      const { data, next } = await reader.execute({ ...scope, cursor, payloads: 'inline' }, BY)
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(1_000_000)
      found.push(...data.map(({ id }) => id))
      cursor = next ?? undefined
      parts++
    } while (cursor !== undefined)
    expect(found).toEqual(expected)
    expect(parts).toBeGreaterThan(50)
  })
})
