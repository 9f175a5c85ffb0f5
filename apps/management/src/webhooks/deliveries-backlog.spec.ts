import { randomBytes, randomUUID } from 'node:crypto'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import type { Transaction } from '../ground/database.js'
import { TestManagement } from '../testing/test-management.js'
import { deliveriesBacklog } from './deliveries-backlog.js'

/** Nothing of the tests that run beside this one is due at that time. */
const NOW = new Date('2001-01-01T00:00:00Z')
const before = (s: number) => new Date(NOW.getTime() - s * 1_000)

class Undone extends Error {}

describe('what waits for webhooks', () => {
  const management = forSuite(() => TestManagement.connect())

  const reported = (transaction: Transaction) =>
    Promise.all([
      deliveriesBacklog(transaction, NOW, 'working'),
      deliveriesBacklog(transaction, NOW, 'failing'),
    ])

  it('is what is due and not under way, apart for those that fail, and nothing of those that are paused', async () => {
    const organization = await management.newOrganization()
    const projectId = randomUUID()
    const of = { projectId, createdAt: before(900) }
    const webhook = (more: object) => ({
      ...{
        id: randomUUID(),
        organizationId: organization.id,
        url: 'https://receiver.example.com/',
        events: [],
      },
      ...{ secretBox: randomBytes(8), keyId: 'test', ...of, ...more },
    })
    const webhooks = [
      webhook({}),
      webhook({ failingSince: before(600) }),
      webhook({ pausedAt: before(600), pausedReason: 'by_user' }),
    ]
    const delivery = (webhookId: string, nextAttemptAt: Date | null) => ({
      ...{ id: randomUUID(), webhookId, eventId: randomUUID(), event: 'webhook.test', body: '{}', ...of },
      ...{ state: nextAttemptAt ? 'pending' : 'delivered', nextAttemptAt },
    })
    const [working = '', failing = '', paused = ''] = webhooks.map(({ id }) => id)
    const unseen = async (transaction: Transaction) => {
      // On a busy machine this process takes longer than a service may.
      await transaction.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 60000`
      expect(await reported(transaction)).toEqual(Array(2).fill({ entries: 0, since: null }))
      const named = { slug: projectId, name: 'x', createdBy: projectId, createdAt: NOW }
      await transaction.project.create({ data: { id: projectId, organizationId: organization.id, ...named } })
      await transaction.webhook.createMany({ data: webhooks })
      await transaction.webhookDelivery.createMany({
        data: [
          delivery(working, before(30)),
          delivery(working, before(10)),
          delivery(working, new Date(NOW.getTime() + 1_000)),
          delivery(working, null),
          delivery(paused, before(500)),
        ],
      })
      await transaction.$executeRaw`
        INSERT INTO webhook_deliveries (id, webhook_id, project_id, event_id, event, state, next_attempt_at, created_at)
        SELECT gen_random_uuid(), ${failing}::uuid, ${projectId}::uuid, gen_random_uuid(), 'webhook.test', 'pending',
          ${before(20)}::timestamptz, ${NOW}::timestamptz FROM generate_series(1, 1500)`
      expect(await reported(transaction)).toEqual([
        { entries: 2, since: before(30) },
        // Of one webhook no more are counted.
        { entries: 1_000, since: before(20) },
      ])
      throw new Undone()
    }
    const undone = management.database.transaction(unseen, { timeout: 60_000 })
    await expect(undone).rejects.toThrow(Undone)
  })
})
