import { randomUUID } from 'node:crypto'
import { messageId } from '@bearing/contracts/management/data/chunk-message'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { TooManyDevices, type DeviceMessage } from '../chunks/decode-message.js'
import { StoreMessages } from '../chunks/store-messages.js'
import { lockOrganizations } from '../../ground/locks.js'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { TestManagement } from '../../testing/test-management.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'

const LIMIT = 5

describe('the limits of an organization', () => {
  const management = forSuite(() => TestManagement.connect())
  let organizationId: string
  let projects: string[]

  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(length))
  const limits = new OrganizationLimits(LIMIT, LIMIT)
  const storeMessages = () =>
    new StoreMessages(
      management.database,
      clock,
      randomness,
      new EnqueueDeliveries(clock, randomness),
      limits,
      new DeviceDataFeed(management.connection),
      management.payloads,
    )

  beforeAll(async () => {
    ;({ id: organizationId } = await management.newOrganization())
    projects = [await newProject(), await newProject()]
  })

  async function newProject(): Promise<string> {
    const id = randomUUID()
    const columns = { slug: id, name: id, createdAt: new Date(), createdBy: id }
    await management.database.project.create({ data: { id, organizationId, ...columns } })
    return id
  }
  const message = (serial: string, projectId: string): DeviceMessage => ({
    ...{ organizationId, projectId, serial, id: messageId(randomUUID()), lengths: [1], facts: {} },
    ...{ body: Buffer.from('x'), streamStartedAt: new Date(0), sequence: 1, receivedAt: new Date() },
  })
  const countDevices = () => management.database.device.count({ where: { project: { organizationId } } })
  const counted = async () =>
    (await management.database.organization.findUniqueOrThrow({ where: { id: organizationId } })).deviceCount

  it('are never exceeded by devices that come to several projects at the same moment', async () => {
    const waves = Array.from({ length: 8 }, (_, wave) =>
      projects.flatMap((project) => [0, 1].map((n) => message(`W${String(wave)}-${String(n)}`, project))),
    )
    const leftOut = (await Promise.all(waves.map((wave) => storeMessages().execute(wave)))).flat()
    expect(await countDevices()).toBe(LIMIT)
    expect(await counted()).toBe(BigInt(LIMIT))
    expect(leftOut).toHaveLength(8 * 4 - LIMIT)
    for (const { reason } of leftOut) expect(reason).toBeInstanceOf(TooManyDevices)
  })

  it('do not affect a device that is known already', async () => {
    const known = await management.database.device.findFirstOrThrow({
      where: { project: { organizationId } },
    })
    expect(await storeMessages().execute([message(known.serial, known.projectId)])).toEqual([])
    expect(await management.database.chunk.count({ where: { deviceId: known.id } })).toBe(2)
  })

  it('make room again when a device is deleted', async () => {
    const { id } = await management.database.device.findFirstOrThrow({
      where: { project: { organizationId } },
    })
    await management.database.chunk.deleteMany({ where: { deviceId: id } })
    await management.database.device.delete({ where: { id } })
    expect(await counted()).toBe(BigInt(LIMIT - 1))
    expect(await storeMessages().execute([message('NEW', projects[0] ?? '')])).toEqual([])
    expect(await countDevices()).toBe(LIMIT)
  })

  it('cost known devices no lock on the organization', async () => {
    const known = await management.database.device.findFirstOrThrow({
      where: { project: { organizationId } },
    })
    let stored: unknown
    await management.database.transaction(async (transaction) => {
      await lockOrganizations(transaction, [organizationId])
      stored = await storeMessages().execute([message(known.serial, known.projectId)])
    })
    expect(stored).toEqual([])
  })

  it('name the resource, the limit and who can raise it', () => {
    for (const [resource, raised_by, refuse] of [
      ['projects', 'nobody', (count: number) => limits.checkProjects(count)],
      ['devices', 'operator', (count: number) => limits.checkDevices(count)],
    ] as const) {
      expect(() => refuse(LIMIT - 1)).not.toThrow()
      expect(() => refuse(LIMIT)).toThrow(
        expect.objectContaining({
          code: 'quota_exceeded',
          details: {
            quota: { resource, limit: LIMIT, used: LIMIT, scope: 'organization', raised_by },
          },
        }),
      )
    }
  })
})
