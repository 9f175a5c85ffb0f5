import { randomBytes, randomUUID } from 'node:crypto'
import { ObjectStore } from '@bearing/nats/object-store'
import { Clock } from '@bearing/service/clock'
import { eventually } from '@bearing/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { JetStreamStorage } from '../storage/jetstream-storage.js'
import { Storages } from '../storage/storage.js'
import { TestManagement } from '../testing/test-management.js'
import { UploadSweeper } from './sweep-uploads.js'

const HOUR_MS = 3_600_000
const SILENT = { warn: () => undefined } as never // all that the sweeper says

describe('the sweeper of uploads', () => {
  let management: TestManagement

  beforeAll(async () => {
    management = await TestManagement.connect()
  })

  afterAll(() => management.close())

  async function newObject(hours: number, more: { complete?: boolean; leaving?: boolean; storage?: string }) {
    const { complete = false, leaving = false, storage = 'jetstream' } = more
    const createdAt = new Date(Date.now() - hours * HOUR_MS)
    const object = { id: randomUUID(), projectId: randomUUID(), storage, createdAt, leaving, parts: [] }
    const sha256 = complete ? randomBytes(32).toString('hex') : null
    await management.database.storedObject.create({ data: { ...object, sha256 } })
    return object.id
  }

  it('takes bytes of a PUT that broke off, and of a file that is deleted, before those that may still be committed', async () => {
    const gone = [await newObject(3, {}), await newObject(0, { complete: true, leaving: true })]
    const left = [
      await newObject(1.5, {}),
      await newObject(3, { complete: true }),
      // There a client may have put it without our knowing.
      await newObject(3, { storage: 's3' }),
    ]
    const storage = new JetStreamStorage(new ObjectStore(management.connection))
    const sweeper = new UploadSweeper(
      management.database,
      new Storages(storage, [storage]),
      new Clock(Date.now),
      SILENT,
      { keptMs: 24 * HOUR_MS, intervalMs: 50 },
    )
    sweeper.start()
    const rows = async () => {
      const where = { id: { in: [...gone, ...left] } }
      const found = await management.database.storedObject.findMany({ where, select: { id: true } })
      return found.map(({ id }) => id).sort()
    }
    await eventually(async () => expect(await rows()).toEqual([...left].sort()), {
      withinMs: 10_000,
      everyMs: 50,
    })
    await sweeper.stop()
    await management.database.storedObject.deleteMany({ where: { id: { in: left } } })
  })
})
