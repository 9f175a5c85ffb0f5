import { randomUUID } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { deleteOrganization, deleteProject } from '@bearing/contracts/management/tenancy/deletion'
import { renameOrganization } from '@bearing/contracts/management/tenancy/organization'
import { createProject, renameProject } from '@bearing/contracts/management/tenancy/project'
import type { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/ground/clock'
import type { DeadLetters } from '@bearing/service/store/dead-letters'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import type { SweepPayloads } from '../../storage/payloads/sweep-payloads.js'
import type { Storages } from '../../storage/storage.js'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { TestManagement } from '../../testing/test-management.js'
import type { ConfirmDeletion } from './confirm-deletion.js'
import { newProgress } from './deletion-row.js'
import { EraseOwnData } from './erase-own-data.js'
import { EraseTenant } from './erase-tenant.js'
import { startErasure } from './start-erasure.js'

const BY = { kind: 'service', name: 'management' } as const

describe('an erasure', () => {
  const management = forSuite(() => TestManagement.connect())

  it('does not start automatically before the end of the present deletion, whatever an earlier one said', async () => {
    const { id: organization_id, slug, admin } = await management.newOrganization()
    await management.call(deleteOrganization, { organization_id }, await admin.claims())
    const tenant = { organizationId: organization_id, projectId: null }
    const start = (now: Date, confirmed?: string) =>
      management.database.transaction((transaction) => startErasure(transaction, tenant, BY, now, confirmed))
    const { eraseAfter } = await management.database.deletion.findFirstOrThrow({ where: tenant })
    expect(await start(new Date(eraseAfter.getTime() - 1))).toBeUndefined()
    expect(await management.database.deletion.findFirst({ where: tenant })).toMatchObject({
      state: 'deleted',
    })
    expect(await start(new Date(), slug)).toMatchObject({ state: 'erasing' })
  })

  /** Returns a deletion whose erasure is under way, and what erases it, with what a turn uses of it. */
  async function erasing(
    answers: { readonly call?: () => Promise<unknown>; readonly own?: Partial<EraseOwnData> } = {},
  ) {
    const now = new Date()
    const row = await management.database.deletion.create({
      data: {
        ...{ id: randomUUID(), organizationId: randomUUID(), projectId: null, slug: null, name: null },
        ...{ state: 'erasing', deletedAt: now, stoppedAt: now, eraseAfter: now, erasingSince: now },
        parts: newProgress().map((part) => ({ ...part })),
      },
    })
    const nothing = () => Promise.resolve({ erased: 0, remaining: 0 })
    const erasure = new EraseTenant(
      management.database,
      { call: answers.call ?? nothing } as unknown as NatsClient,
      new Clock(Date.now),
      { confirm: () => Promise.resolve(row) } as unknown as ConfirmDeletion,
      {
        batch: nothing,
        ...answers.own,
      } as unknown as EraseOwnData,
      { keptMs: 0, settleMs: 0, leaseMs: 0 },
    )
    /** Returns the stored row after a turn; deletes it, so that no service continues. */
    const take = async () => {
      const saved = await management.database.deletion.findUniqueOrThrow({ where: { id: row.id } })
      await management.database.deletion.delete({ where: { id: row.id } })
      return saved
    }
    return { row, erasure, take }
  }

  it('waits for what cannot be erased yet, instead of asking again and again', async () => {
    let batches = 0
    const { row, erasure, take } = await erasing({
      own: {
        batch: () => Promise.resolve({ erased: 0, remaining: ++batches && 3 }),
      },
    })
    await erasure.turn(row, () => false)
    const saved = await take()
    expect(batches).toBe(1)
    expect(saved.nextAttemptAt?.getTime()).toBeGreaterThan(row.deletedAt.getTime() + 500)
    expect(saved.parts).toContainEqual(expect.objectContaining({ part: 'management', remaining: 3 }))
  })

  it('deletes objects that a client may still put to S3 when no client can any more', async () => {
    const { id: organization_id, admin } = await management.newOrganization()
    const claims = await admin.claims()
    const { id: projectId } = await management.call(createProject, { organization_id, name: 'P' }, claims)
    const nowMs = Date.now()
    let laterMs = 0
    const removed: string[] = []
    const own = new EraseOwnData(
      management.database,
      { named: () => ({ remove: (id: string) => Promise.resolve(removed.push(id)) }) } as unknown as Storages,
      { deleteSome: () => Promise.resolve({ erased: 0, remaining: 0 }) } as unknown as DeadLetters,
      new Clock(() => nowMs + laterMs),
      management.connection,
      new DeviceDataFeed(management.connection),
      { removeSome: () => Promise.resolve(0) } as unknown as SweepPayloads,
    )
    const ids = { announced: randomUUID(), received: randomUUID() }
    const object = { projectId, storage: 's3', createdAt: new Date(nowMs) }
    await management.database.storedObject.createMany({
      data: [
        { ...object, id: ids.announced },
        { ...object, id: ids.received, sha256: '0'.repeat(64), md5: '0'.repeat(32), size: 1n },
      ],
    })
    const tenant = { organizationId: organization_id, projectId }
    expect(await own.batch(tenant)).toMatchObject({ remaining: 1 })
    expect(removed).toEqual([ids.received])
    laterMs = 20 * 60_000
    expect(await own.batch(tenant)).toMatchObject({ remaining: 0 })
    expect(removed).toEqual([ids.received, ids.announced])
  })

  it('that fails shows the service and the code of the error, and not its text', async () => {
    const shown = async (error: Error) => {
      const { row, erasure, take } = await erasing({ call: () => Promise.reject(error) })
      await expect(erasure.turn(row, () => false)).rejects.toBe(error)
      return (await take()).parts
    }
    expect(await shown(new Error('relation "secret" at db.internal:5432'))).toContainEqual(
      expect.objectContaining({
        part: 'location',
        error: 'The location service could not erase a batch (internal). It is retried automatically.',
      }),
    )
    expect(await shown(new OperationError('service_unavailable', 'at db.internal'))).toContainEqual(
      expect.objectContaining({ error: expect.stringMatching(/\(service_unavailable\)/) as unknown }),
    )
  })

  it('does not end in a process that stops before the check that nothing is left', async () => {
    const { row, erasure, take } = await erasing()
    let questions = 0
    // Asked before each of the three parts, and then before each part of the check.
    await erasure.turn(row, () => ++questions > 4)
    expect((await take()).state).toBe('erasing')
  })

  it('finds the slug that was deleted: what is deleted cannot be renamed', async () => {
    const { id: organization_id, admin } = await management.newOrganization()
    const claims = await admin.claims()
    const { id: project_id, slug } = await management.call(
      createProject,
      { organization_id, name: 'Gone' },
      claims,
    )
    await management.call(deleteProject, { organization_id, project_slug: slug }, claims)
    const project = { organization_id, project_id, slug: 'other' }
    await expect(management.call(renameProject, project, claims)).rejects.toMatchObject({
      code: 'project_not_found',
    })
    // As if the claims were from before the deletion.
    await management.database.organization.update({
      where: { id: organization_id },
      data: { deletedAt: new Date() },
    })
    await expect(
      management.call(renameOrganization, { organization_id, slug: `other-${randomUUID()}` }, claims),
    ).rejects.toMatchObject({ code: 'organization_not_found' })
  })
})
