import { randomUUID } from 'node:crypto'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { TestManagement } from '../../testing/test-management.js'
import { SweepUsage } from './sweep-usage.js'

const NOW = new Date('2001-06-30T12:00:00Z')

describe('the usage of a project', () => {
  const management = forSuite(() => TestManagement.connect())
  let projectId: string

  beforeAll(async () => {
    const { id, admin } = await management.newOrganization()
    const claims = await admin.claims()
    projectId = (await management.call(createProject, { organization_id: id, name: 'Used' }, claims)).id
  })

  const sweep = () =>
    new SweepUsage(
      management.database,
      new Clock(() => NOW.getTime()),
      createLogger('spec', 'silent'),
    ).sweep()

  it('is kept by day for 90 days, and as a sum after that', async () => {
    const { projectUsage } = management.database
    const of = (day: string, bytes: number, deletedBytes = 0) => ({
      ...{ projectId, day: new Date(day) },
      ...{ bytes: BigInt(bytes), deletedBytes: BigInt(deletedBytes) },
    })
    await projectUsage.createMany({
      data: [of('2001-01-01', 100), of('2001-02-01', 10, 105), of('2001-04-01', 7), of('2001-06-30', 1)],
    })
    for (let time = 0; time < 2; time++) {
      await sweep()
      const rows = await projectUsage.findMany({ where: { projectId }, orderBy: { day: 'asc' } })
      expect(
        rows.map((row) => `${row.day.toISOString().slice(0, 10)} ${String(row.bytes - row.deletedBytes)}`),
      ).toEqual(['1970-01-01 5', '2001-04-01 7', '2001-06-30 1'])
    }
  })

  it('and expired reservations of slugs are swept together', async () => {
    const { reservedSlug } = management.database
    const [expired, valid] = [randomUUID(), randomUUID()]
    const of = (slug: string, expiresAt: Date) => ({
      ...{ scopeId: projectId, ownerId: projectId },
      ...{ slug, expiresAt },
    })
    await reservedSlug.createMany({
      data: [of(expired, NOW), of(valid, new Date(NOW.getTime() + 1))],
    })
    await sweep()
    expect(await reservedSlug.findMany({ where: { ownerId: projectId } })).toMatchObject([{ slug: valid }])
  })
})
