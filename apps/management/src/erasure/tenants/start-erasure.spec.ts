import { randomUUID } from 'node:crypto'
import { deleteOrganization, deleteProject } from '@bearing/contracts/management/deletion'
import { renameOrganization } from '@bearing/contracts/management/organization'
import { createProject, renameProject } from '@bearing/contracts/management/project'
import type { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/clock'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestManagement } from '../../testing/test-management.js'
import type { ConfirmDeletion } from './confirm-deletion.js'
import { newProgress } from './deletion-row.js'
import type { EraseOwnData } from './erase-own-data.js'
import { EraseTenant } from './erase-tenant.js'
import { startErasure } from './start-erasure.js'

const BY = { kind: 'service', name: 'management' } as const

describe('an erasure', () => {
  let management: TestManagement

  beforeAll(async () => {
    management = await TestManagement.connect()
  })

  afterAll(() => management.close())

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

  it('waits for what cannot be erased yet, instead of asking again and again', async () => {
    const deletedAt = new Date()
    const row = await management.database.deletion.create({
      data: {
        ...{ id: randomUUID(), organizationId: randomUUID(), projectId: null, slug: null, name: null },
        ...{
          state: 'erasing',
          deletedAt,
          stoppedAt: deletedAt,
          eraseAfter: deletedAt,
          erasingSince: deletedAt,
        },
        parts: newProgress().map((part) => ({ ...part })),
      },
    })
    let batches = 0
    let isMoving = true
    const erasure = new EraseTenant(
      management.database,
      // Only what a turn uses.
      { call: () => Promise.resolve({ erased: 0, remaining: 0 }) } as unknown as NatsClient,
      new Clock(Date.now),
      { confirm: () => Promise.resolve(row) } as unknown as ConfirmDeletion,
      {
        hasUnfinishedMoves: () => Promise.resolve(isMoving),
        batch: () => Promise.resolve({ erased: 0, remaining: ++batches && 3 }),
      } as unknown as EraseOwnData,
      { keptMs: 0, settleMs: 0, leaseMs: 0 },
    )
    await erasure.turn(row, () => false)
    expect(batches).toBe(0) // a device is still being moved out of it, with its data
    isMoving = false
    await erasure.turn(row, () => false)
    const saved = await management.database.deletion.findUniqueOrThrow({ where: { id: row.id } })
    await management.database.deletion.delete({ where: { id: row.id } })
    expect(batches).toBe(1)
    expect(saved.nextAttemptAt?.getTime()).toBeGreaterThan(deletedAt.getTime() + 500)
    expect(saved.parts).toContainEqual(expect.objectContaining({ part: 'management', remaining: 3 }))
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
