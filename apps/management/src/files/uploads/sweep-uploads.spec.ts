import { randomBytes, randomUUID } from 'node:crypto'
import { ObjectStore } from '@bearing/nats/object-store'
import { Clock } from '@bearing/service/ground/clock'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { JetStreamStorage } from '../../storage/jetstream-storage.js'
import { Storages } from '../../storage/storage.js'
import { TestManagement } from '../../testing/test-management.js'
import { SweepUploads } from './sweep-uploads.js'

const HOUR_MS = 3_600_000
const SILENT = { warn: () => undefined } as never // all that is said

describe('the sweeper of uploads', () => {
  // Of its own, and without management, which sweeps too. Identity makes the store.
  const stack = stackForSuite({ services: ['identity'], gateways: 0 })
  const management = forSuite(() => TestManagement.connect(stack))

  async function newObject(hours: number, more: { complete?: boolean; leaving?: boolean; storage?: string }) {
    const { complete = false, leaving = false, storage = 'jetstream' } = more
    const createdAt = new Date(Date.now() - hours * HOUR_MS)
    const object = { id: randomUUID(), projectId: randomUUID(), storage, createdAt, leaving, parts: [] }
    const sha256 = complete ? randomBytes(32).toString('hex') : null
    await management.database.storedObject.create({ data: { ...object, sha256 } })
    return object.id
  }

  async function rowsOf(ids: readonly string[]): Promise<string[]> {
    const where = { id: { in: [...ids] } }
    const found = await management.database.storedObject.findMany({ where, select: { id: true } })
    return found.map(({ id }) => id).sort()
  }

  function sweep(): Promise<void> {
    const storage = new JetStreamStorage(new ObjectStore(management.connection))
    const options = { retentionMs: 24 * HOUR_MS, intervalMs: 1_000 }
    const storages = new Storages(storage, [storage])
    return new SweepUploads(management.database, storages, new Clock(Date.now), SILENT, options).sweep()
  }

  it('deletes everything in one run, and an unavailable storage delays nothing else', async () => {
    const stuck = await newObject(50, { storage: 's3' })
    const gone: string[] = []
    for (let i = 0; i < 230; i++) gone.push(await newObject(40 - i / 100, {}))
    await expect(sweep()).rejects.toThrow('objects are left in s3')
    expect(await rowsOf([stuck, ...gone])).toEqual([stuck])
    await management.database.storedObject.deleteMany({ where: { id: stuck } })
  })

  it('takes bytes of a PUT that broke off, and of a file that is deleted, before those that may still be committed', async () => {
    const gone = [await newObject(3, {}), await newObject(0, { complete: true, leaving: true })]
    const left = [
      await newObject(1.5, {}),
      await newObject(3, { complete: true }),
      // There a client may have put it without our knowing.
      await newObject(3, { storage: 's3' }),
    ]
    await sweep()
    expect(await rowsOf([...gone, ...left])).toEqual([...left].sort())
    await management.database.storedObject.deleteMany({ where: { id: { in: left } } })
  })
})
