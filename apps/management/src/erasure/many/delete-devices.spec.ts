import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { declareAttribute } from '@bearing/contracts/management/devices/device-attribute'
import { listDevices } from '@bearing/contracts/management/devices/device'
import {
  deleteDevices,
  previewDeviceDeletion,
  showDeviceDeletion,
  stopDeviceDeletion,
} from '@bearing/contracts/management/devices/device-deletion'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import type { Operation, Output, Request } from '@bearing/contracts/operation'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { TestManagement, type TestUser } from '../../testing/test-management.js'

describe('deleting all devices that match a filter', () => {
  const management = forSuite(() => TestManagement.connect())
  let admin: TestUser
  let scope: { organization_id: string; project_id: string }

  beforeEach(async () => {
    const organization = await management.newOrganization()
    admin = organization.admin
    const input = { organization_id: organization.id, name: 'x' }
    const { id } = await management.call(createProject, input, await admin.claims())
    scope = { organization_id: organization.id, project_id: id }
    await create('OLD', 70, 400)
    await create('NEW', 5, 1)
    await create('FRESH', 5, undefined)
  })

  /** Creates devices, last seen so many days ago, or never. */
  async function create(prefix: string, count: number, days: number | undefined): Promise<void> {
    const lastSeenAt = days === undefined ? null : new Date(Date.now() - days * DAY_MS)
    const data = Array.from({ length: count }, (_, n) => ({
      ...{ id: randomUUID(), projectId: scope.project_id, serial: `${prefix}-${String(n).padStart(3, '0')}` },
      ...{ lastSeenAt, firstSeenAt: lastSeenAt, createdAt: new Date() },
    }))
    await management.database.device.createMany({ data })
  }

  async function call<O extends Operation>(operation: O, input: object): Promise<Output<O>> {
    // The rest of the input is that of the test.
    return management.call(operation, { ...scope, ...input } as Request<O>, await admin.claims())
  }

  const ended = (deletion_id: string) =>
    eventually(
      async () => {
        const deletion = await call(showDeviceDeletion, { deletion_id })
        expect(deletion.state).not.toBe('running')
        return deletion
      },
      { withinMs: 60_000 },
    )

  const left = async () => (await call(listDevices, {})).data.map(({ device_serial }) => device_serial)

  it('deletes those of the preview and no others, and neither devices that were never seen', async () => {
    const preview = await call(previewDeviceDeletion, { silent_for: '365d' })
    expect(preview.count).toBe(70)
    expect(preview.devices).toHaveLength(20)
    const begun = await call(deleteDevices, { silent_for: '365d', token: preview.token })
    expect(await ended(begun.id)).toMatchObject({ state: 'done', total: 70, deleted: 70 })
    expect((await left()).filter((serial) => serial.startsWith('OLD'))).toEqual([])
    expect(await left()).toHaveLength(10)
    const rows = await management.database.auditEntry.findMany({
      where: {
        organizationId: scope.organization_id,
        action: { in: ['device.deleted', 'devices.deletion_finished'] },
      },
    })
    expect(rows).toHaveLength(71)
    expect(new Set(rows.map(({ actorUserId }) => actorUserId))).toEqual(new Set([admin.id]))
  })

  it('deletes nothing if more devices match than the preview counted', async () => {
    const { token } = await call(previewDeviceDeletion, { silent_for: '365d' })
    await create('LATE', 1, 500)
    await expect(call(deleteDevices, { silent_for: '365d', token })).rejects.toMatchObject({
      code: 'selection_changed',
    })
    expect(await left()).toHaveLength(81)
  })

  it('refuses the token of another filter, and a filter of everything', async () => {
    const { token } = await call(previewDeviceDeletion, { silent_for: '365d' })
    await expect(call(deleteDevices, { silent_for: '12h', token })).rejects.toMatchObject({
      code: 'selection_changed',
    })
    await expect(call(previewDeviceDeletion, {})).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(call(deleteDevices, { q: 'OLD-', token: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('continues after a process ended in the middle, and spares devices that have come back', async () => {
    const { token, count } = await call(previewDeviceDeletion, { silent_for: '365d' })
    await management.database.device.updateMany({
      where: { projectId: scope.project_id, serial: { in: ['OLD-000', 'OLD-069'] } },
      data: { lastSeenAt: new Date() },
    })
    const { id, total } = await call(deleteDevices, { silent_for: '365d', token })
    expect([count, total]).toEqual([70, 68])
    await ended(id)
    await create('MORE', 3, 500)
    await management.database.device.updateMany({
      where: { projectId: scope.project_id, serial: { startsWith: 'MORE-' } },
      data: { createdAt: new Date(Date.now() - DAY_MS) },
    })
    // As a process leaves it that is killed: nobody has finished it, and its lease has expired.
    await management.database.deviceBulkDeletion.update({
      where: { id },
      data: { state: 'running', finishedAt: null, leasedUntil: new Date(0) },
    })
    expect(await ended(id)).toMatchObject({ state: 'done' })
    const serials = await left()
    expect(serials.filter((serial) => serial.startsWith('MORE'))).toEqual([])
    expect(serials).toEqual(expect.arrayContaining(['OLD-000', 'OLD-069']))
  })

  it('is stopped by a request, and is not in reach of another project', async () => {
    const { token } = await call(previewDeviceDeletion, { q: 'NEW-' })
    const { id } = await call(deleteDevices, { q: 'NEW-', token })
    await ended(id)
    await management.database.deviceBulkDeletion.update({
      where: { id },
      data: { state: 'running', finishedAt: null, leasedUntil: new Date(Date.now() + DAY_MS) },
    })
    expect(await call(stopDeviceDeletion, { deletion_id: id })).toMatchObject({ state: 'stopped' })
    expect(await call(stopDeviceDeletion, { deletion_id: id })).toMatchObject({ state: 'stopped' })
    const other = await management.newOrganization()
    const input = { organization_id: other.id, project_id: scope.project_id, deletion_id: id }
    await expect(
      management.call(showDeviceDeletion, input, await other.admin.claims()),
    ).rejects.toMatchObject({ code: 'deletion_not_found' })
  })

  it('spares devices that are created after it has begun, such as deleted ones that send again', async () => {
    await management.database.device.updateMany({
      where: { projectId: scope.project_id, serial: 'NEW-000' },
      data: { createdAt: new Date(Date.now() + DAY_MS) },
    })
    const { token } = await call(previewDeviceDeletion, { q: 'NEW-' })
    const { id } = await call(deleteDevices, { q: 'NEW-', token })
    expect(await ended(id)).toMatchObject({ state: 'done', total: 5, deleted: 4 })
    expect(await left()).toContain('NEW-000')
  })

  it('stops, and holds up no other, if the attribute of its filter has another type by now', async () => {
    const { project_id: projectId, organization_id: organizationId } = scope
    await call(declareAttribute, { attribute: 'level', type: 'number' })
    const data = {
      organizationId,
      projectId,
      total: 1,
      state: 'running',
      requestId: '',
      createdAt: new Date(),
    }
    const [bad, good] = [v7(), v7()]
    const actor = { kind: 'user', user_id: admin.id }
    for (const [id, filter] of [
      [bad, { attribute: 'level', attribute_is: 'high' }],
      [good, { q: 'NEW-' }],
    ] as const)
      await management.database.deviceBulkDeletion.create({ data: { ...data, id, filter, actor } })
    const { token } = await call(previewDeviceDeletion, { q: 'FRESH-' })
    await call(deleteDevices, { q: 'FRESH-', token })
    expect(await ended(good)).toMatchObject({ state: 'done', deleted: 5 })
    expect(await ended(bad)).toMatchObject({ state: 'stopped', deleted: 0 })
  })
})
