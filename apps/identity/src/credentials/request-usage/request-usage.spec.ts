import { randomUUID } from 'node:crypto'
import { recordRequestUsage } from '@bearing/contracts/identity/credentials/request-usage'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'
import { SweepRequestUsage } from './sweep-request-usage.js'

const NOW = new Date('2001-06-30T12:00:00Z')

describe('counts of requests', () => {
  const identity = forSuite(() => TestIdentity.connect())

  const count = (organization_id: string) => ({
    ...{ organization_id, credential_id: randomUUID(), kind: 'project_key' as const },
    ...{ day: '2001-06-30', requests: 1, last_used_at: NOW.toISOString() },
  })

  it('are deleted after 90 days, and ids of reports after a day', async () => {
    const { requestUsage, requestUsageReport } = identity.database
    const organizationId = randomUUID()
    const of = (day: string) => ({
      ...{ organizationId, day: new Date(day), kind: 'project_key', credentialId: randomUUID() },
      ...{ requests: 1n, lastUsedAt: NOW },
    })
    await requestUsage.createMany({ data: [of('2001-03-31'), of('2001-04-01'), of('2001-06-30')] })
    const reports = [randomUUID(), randomUUID()] as const
    await requestUsageReport.createMany({
      data: [
        { id: reports[0], at: new Date('2001-06-29T11:59:59Z') },
        { id: reports[1], at: new Date('2001-06-29T12:00:01Z') },
      ],
    })
    await new SweepRequestUsage(
      identity.database,
      new Clock(() => NOW.getTime()),
      createLogger('spec', 'silent'),
    ).sweep()
    const left = await requestUsage.findMany({ where: { organizationId }, orderBy: { day: 'asc' } })
    expect(left.map(({ day }) => day.toISOString().slice(0, 10))).toEqual(['2001-04-01', '2001-06-30'])
    expect(await requestUsageReport.findMany({ where: { id: { in: [...reports] } } })).toMatchObject([
      { id: reports[1] },
    ])
  })

  it('of an erased organization are discarded, and those of others in the same report are not', async () => {
    const [erased, other] = [randomUUID(), randomUUID()]
    await identity.database.tenantState.create({
      data: { organizationId: erased, projectId: WHOLE_ORGANIZATION, state: 'erasing', version: 1n },
    })
    await identity.call(recordRequestUsage, {
      report_id: randomUUID(),
      counts: [count(erased), count(other)],
    })
    const rows = await identity.database.requestUsage.findMany({
      where: { organizationId: { in: [erased, other] } },
    })
    expect(rows.map(({ organizationId }) => organizationId)).toEqual([other])
  })
})
