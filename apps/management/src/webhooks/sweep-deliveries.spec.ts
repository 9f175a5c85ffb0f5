import { randomBytes, randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { deleteOldRows } from '@bearing/service/store/sweep-old-rows'
import { planOf } from '@bearing/testing/plan-of'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { TestManagement } from '../testing/test-management.js'
import { OLD_DELIVERIES, SweepDeliveries } from './sweep-deliveries.js'

const management = forSuite(() => TestManagement.connect())

/** Makes a project with a webhook. */
async function newWebhook(): Promise<{ webhookId: string; projectId: string }> {
  const { id: organizationId } = await management.newOrganization()
  const [webhookId, projectId, createdAt] = [randomUUID(), randomUUID(), new Date()]
  await management.database.project.create({
    data: { id: projectId, organizationId, slug: projectId, name: 'x', createdAt, createdBy: projectId },
  })
  const sealed = { secretBox: randomBytes(8), keyId: 'test' }
  const url = 'https://receiver.example.com/'
  await management.database.webhook.create({
    data: { id: webhookId, organizationId, projectId, url, events: [], ...sealed, createdAt },
  })
  return { webhookId, projectId }
}

it('deliveries are deleted after 14 days', async () => {
  const webhook = await newWebhook()
  const nowMs = Date.now()
  const ageDays = [15, 14.001, 13.999, 0]
  const data = ageDays.map((days) => ({
    ...{ id: randomUUID(), ...webhook, eventId: randomUUID(), event: 'webhook.test' },
    ...{ state: 'delivered', createdAt: new Date(nowMs - days * DAY_MS) },
  }))
  const { webhookDelivery } = management.database
  await webhookDelivery.createMany({ data })
  const logger = createLogger('spec', 'silent')
  await new SweepDeliveries(management.database, new Clock(() => nowMs), logger).sweep()
  const left = await webhookDelivery.findMany({ where: webhook, orderBy: { createdAt: 'asc' } })
  expect(left.map(({ id }) => id)).toEqual(data.slice(2).map(({ id }) => id))
})

it('old deliveries are found and deleted through indexes', async () => {
  const plan = await planOf(testStack().databaseUrls.management, deleteOldRows(OLD_DELIVERIES))
  expect(plan).toContain('Index Scan using webhook_deliveries_pkey on webhook_deliveries gone')
  expect(plan).toContain('webhook_deliveries_created_at_idx')
  expect(plan).not.toContain('Seq Scan')
})
