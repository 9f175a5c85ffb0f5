import { randomUUID } from 'node:crypto'
import { messageId } from '@bearing/contracts/management/chunk-message'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { TestManagement } from '../../testing/test-management.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import type { DeviceMessage } from './decode-message.js'
import { StoreMessages } from './store-messages.js'

describe('data of a moved device', () => {
  let management: TestManagement
  let organizationId: string
  let from: string
  let to: string
  let deviceId: string

  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(length))
  const store = (sequence: number, streamStartedAt = new Date(1_000)) =>
    new StoreMessages(
      management.database,
      clock,
      randomness,
      new EnqueueDeliveries(clock, randomness),
      new OrganizationLimits(100, 100),
    ).execute([{ ...message(sequence), streamStartedAt }])

  const message = (sequence: number): DeviceMessage => ({
    ...{ organizationId, projectId: from, serial: 'D', id: messageId(randomUUID()), lengths: [1], facts: {} },
    ...{ body: Buffer.from('x'), streamStartedAt: new Date(1_000), sequence, receivedAt: new Date() },
  })

  beforeAll(async () => {
    management = await TestManagement.connect()
    ;({ id: organizationId } = await management.newOrganization())
  })

  afterAll(() => management.close())

  beforeEach(async () => {
    ;[from, to] = [await newProject(), await newProject()]
    deviceId = randomUUID()
    const data = { id: deviceId, projectId: to, serial: 'D', createdAt: new Date() }
    await management.database.device.create({ data })
    await management.database.deviceMove.create({
      data: {
        ...{ id: randomUUID(), organizationId, projectId: from, toProjectId: to, deviceId, serial: 'D' },
        ...{ streamStartedAt: new Date(1_000), sequence: 100, otherStreams: { 900: 7 } },
        ...{ movedAt: new Date(), finishedAt: new Date() },
      },
    })
  })

  async function newProject(): Promise<string> {
    const id = randomUUID()
    const columns = { slug: id, name: id, createdAt: new Date(), createdBy: id }
    await management.database.project.create({ data: { id, organizationId, ...columns } })
    return id
  }

  const chunks = (projectId: string) => management.database.chunk.count({ where: { projectId } })

  it('follows it if it was queued before the move', async () => {
    expect(await store(100)).toEqual([])
    expect([await chunks(from), await chunks(to)]).toEqual([0, 1])
    expect(await management.database.device.count({ where: { projectId: from } })).toBe(0)
  })

  it('creates a device in the former project if it was queued later', async () => {
    expect(await store(101)).toEqual([])
    expect([await chunks(from), await chunks(to)]).toEqual([1, 0])
  })

  it('follows it from another partition of the queue up to the end of that one, and not from a later stream', async () => {
    await store(7, new Date(900))
    await store(100, new Date(950))
    expect([await chunks(from), await chunks(to)]).toEqual([0, 2])
    await store(8, new Date(900))
    await store(1, new Date(1_001))
    expect([await chunks(from), await chunks(to)]).toEqual([2, 2])
  })

  it('stays deleted in another partition too, up to the end of that one', async () => {
    const deletion = { streamStartedAt: new Date(1_000), sequence: 50, deletedAt: new Date(0) }
    await management.database.deviceDeletion.create({
      data: { projectId: from, serial: 'D', ...deletion, otherStreams: { 900: 3 } },
    })
    await store(3, new Date(900))
    expect([await chunks(from), await chunks(to)]).toEqual([0, 0])
    await store(4, new Date(900))
    expect([await chunks(from), await chunks(to)]).toEqual([0, 1])
  })

  it('stays deleted if it belongs to a device that was deleted before the move', async () => {
    const deletion = { streamStartedAt: new Date(1_000), sequence: 50, deletedAt: new Date(0) }
    await management.database.deviceDeletion.create({ data: { projectId: from, serial: 'D', ...deletion } })
    await store(50)
    expect([await chunks(from), await chunks(to)]).toEqual([0, 0])
    await store(51)
    expect([await chunks(from), await chunks(to)]).toEqual([0, 1])
  })

  const moveOn = async (projectId: string, toProjectId: string) => {
    await management.database.device.update({ where: { id: deviceId }, data: { projectId: toProjectId } })
    await management.database.deviceMove.create({
      data: {
        ...{ id: randomUUID(), organizationId, projectId, toProjectId, deviceId, serial: 'D' },
        ...{ streamStartedAt: new Date(1_000), sequence: 200, movedAt: new Date(Date.now() + 1_000) },
        finishedAt: new Date(),
      },
    })
  }

  it('follows it through several moves', async () => {
    const last = await newProject()
    await moveOn(to, last)
    expect(await store(100)).toEqual([])
    expect(await Promise.all([from, to, last].map(chunks))).toEqual([0, 0, 1])
    expect(await management.database.device.count({ where: { projectId: to } })).toBe(0)
  })

  it('stays where it was sent if the device was moved back', async () => {
    await moveOn(to, from)
    expect(await store(100)).toEqual([])
    expect([await chunks(from), await chunks(to)]).toEqual([1, 0])
    expect(await management.database.device.count({ where: { projectId: to } })).toBe(0)
  })

  it('is stored although another device with the serial number was deleted there before the move', async () => {
    const deletion = { streamStartedAt: new Date(1_000), sequence: 90, deletedAt: new Date(0) }
    await management.database.deviceDeletion.create({ data: { projectId: to, serial: 'D', ...deletion } })
    await store(50)
    expect([await chunks(from), await chunks(to)]).toEqual([0, 1])
  })
})
