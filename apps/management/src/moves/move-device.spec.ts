import { registerDevice } from '@bearing/contracts/management/device'
import { moveDevice } from '@bearing/contracts/management/device-move'
import { createProject } from '@bearing/contracts/management/project'
import { eventually } from '@bearing/testing/eventually'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { lockOrganizations } from '../ground/locks.js'
import { TestManagement } from '../testing/test-management.js'

describe('moving a device', () => {
  let management: TestManagement

  beforeAll(async () => {
    management = await TestManagement.connect()
  })

  afterAll(() => management.close())

  it('is refused if the other project is deleted meanwhile: its data would be erased', async () => {
    const { id: organization_id, admin } = await management.newOrganization()
    const claims = await admin.claims()
    const create = (name: string) => management.call(createProject, { organization_id, name }, claims)
    const [from, to] = [await create('From'), await create('To')]
    const device = { organization_id, project_id: from.id, device_serial: 'UNIT-7' }
    await management.call(registerDevice, device, claims)
    let moved: Promise<unknown> = Promise.resolve()
    await management.database.transaction(async (transaction) => {
      await lockOrganizations(transaction, [organization_id])
      moved = management.call(moveDevice, { ...device, to_project: to.slug }, claims)
      moved.catch(() => undefined)
      // It has read the project and waits for the organization.
      await eventually(async () => {
        const [waiting] = await management.database.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM pg_locks
          WHERE NOT granted AND locktype IN ('transactionid', 'tuple')`
        expect(waiting?.count).toBeGreaterThan(0)
      })
      await transaction.project.update({ where: { id: to.id }, data: { deletedAt: new Date() } })
    })
    await expect(moved).rejects.toMatchObject({ code: 'project_not_found' })
    const where = { projectId: from.id, serial: 'UNIT-7' }
    expect(await management.database.device.count({ where })).toBe(1)
  })
})
