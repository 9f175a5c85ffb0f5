import { randomBytes, randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { Clock } from '@bearing/service/ground/clock'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import type { Transaction } from '../ground/database.js'
import { TestManagement } from '../testing/test-management.js'
import type { Attempt } from './attempt-limits.js'
import { DueDeliveries } from './due-deliveries.js'

/** Webhooks without due deliveries. */
const QUIET = 300

class Undone extends Error {}

describe('due deliveries', () => {
  const management = forSuite(() => TestManagement.connect())
  const organization = forSuite(() => management.newOrganization())

  /** Runs work in a transaction that is rolled back. */
  async function unseen(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    const undone = management.database.transaction(
      async (transaction) => {
        // On a busy machine thousands of rows take longer than services may take.
        await transaction.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 60000`
        await work(transaction)
        throw new Undone()
      },
      { timeout: 60_000 },
    )
    await expect(undone).rejects.toThrow(Undone)
  }

  const webhook = (projectId: string) => ({
    id: randomUUID(),
    organizationId: randomUUID(),
    projectId,
    url: 'https://receiver.example.com/',
    events: [],
    secretBox: randomBytes(8),
    keyId: 'test',
    createdAt: new Date(),
  })

  const delivery = (webhookId: string, projectId: string, nextAttemptAt: Date | null) => ({
    id: randomUUID(),
    webhookId,
    projectId,
    eventId: randomUUID(),
    event: 'webhook.test',
    body: '{}',
    state: nextAttemptAt ? 'pending' : 'delivered',
    nextAttemptAt,
    createdAt: new Date(),
  })

  async function newWebhooks(
    transaction: Transaction,
    count: number,
    like: { organizationId?: string; failingSince?: Date | null } = {},
  ): Promise<[string, ...string[]]> {
    const projectId = randomUUID()
    const { id: organizationId } = organization
    const named = { slug: projectId, name: 'x', createdAt: new Date(), createdBy: projectId }
    await transaction.project.create({ data: { id: projectId, organizationId, ...named } })
    const webhooks = Array.from({ length: count }, () => ({ ...webhook(projectId), ...like }))
    await transaction.webhook.createMany({ data: webhooks })
    const [first = '', ...others] = webhooks.map(({ id }) => id)
    return [first, ...others]
  }

  const take = (transaction: Transaction, running: readonly Attempt[] = []) =>
    new DueDeliveries(transaction, new Clock(Date.now), 30_000).take(running)
  /** Earlier than any delivery of tests that run at the same time. */
  const longDue = (afterMs: number) => new Date(Date.now() - DAY_MS + afterMs)

  it('are found with one index lookup if nothing is due, however many webhooks there are', async () => {
    await unseen(async (transaction) => {
      const later = new Date(Date.now() + 3_600_000)
      const quiet = await newWebhooks(transaction, QUIET)
      await transaction.webhookDelivery.createMany({
        data: quiet.flatMap((id) => [delivery(id, id, null), delivery(id, id, later)]),
      })
      await transaction.webhookDelivery.updateMany({
        where: { nextAttemptAt: { lte: new Date() } },
        data: { nextAttemptAt: later },
      })
      // Test tables are so small that reading them whole is cheaper.
      await transaction.$executeRaw`SET LOCAL enable_seqscan = off`
      const before = await indexScans(transaction)
      expect(await take(transaction)).toEqual([])
      expect((await indexScans(transaction)) - before).toBe(1)
    })
  })

  it.each(['has a backlog', 'is paused', 'is busy', 'is failing'])(
    'of other webhooks are not delayed by one webhook that %s, with thousands that are longest due',
    async (which) => {
      await unseen(async (transaction) => {
        const [many, ...others] = await newWebhooks(transaction, 4)
        const since = (kind: string) => (which === kind ? new Date() : null)
        const [failingSince, pausedAt] = [since('is failing'), since('is paused')] as const
        await transaction.webhook.update({
          where: { id: many },
          data: { failingSince, pausedAt, pausedReason: pausedAt && 'by_user' },
        })
        const deliveries = [
          ...Array.from({ length: 3_000 }, (_, n) => delivery(many, many, longDue(n))),
          ...others.flatMap((id, n) =>
            Array.from({ length: 6 }, () => delivery(id, id, longDue(60_000 - 1_000 * n))),
          ),
        ]
        await transaction.webhookDelivery.createMany({ data: deliveries })
        const busy = { webhookId: many, organizationId: randomUUID(), failing: false }
        const taken = await take(transaction, which === 'is busy' ? [busy, busy, busy, busy] : [])
        const count = (id: string) => taken.filter(({ webhookId }) => webhookId === id).length
        expect(count(many)).toBe({ 'has a backlog': 4, 'is failing': 1 }[which] ?? 0)
        expect(others.map(count)).toEqual([4, 4, 4])
        if (which === 'has a backlog')
          expect((await take(transaction, taken)).map(({ webhookId }) => webhookId)).not.toContain(many)
      })
    },
  )

  it.each(['failing', 'working'])(
    'of other organizations are not delayed by one organization with a backlog of hundreds of %s webhooks',
    async (kind) => {
      await unseen(async (transaction) => {
        const greedy: string = randomUUID()
        const failingSince = kind === 'failing' ? new Date() : null
        const many = await newWebhooks(transaction, 240, { organizationId: greedy, failingSince })
        const [working] = await newWebhooks(transaction, 1)
        const [failing] = await newWebhooks(transaction, 1, { failingSince: new Date() })
        await transaction.webhookDelivery.createMany({
          data: [
            ...many.flatMap((id) => Array.from({ length: 12 }, (_, n) => delivery(id, id, longDue(n)))),
            ...[working, failing].map((id) => delivery(id, id, longDue(60_000))),
          ],
        })
        const running = await take(transaction)
        const webhooks = running.map(({ webhookId }) => webhookId)
        expect(webhooks).toEqual(expect.arrayContaining([working, failing]))
        for (let taken = running; taken.length > 0; running.push(...taken))
          taken = await take(transaction, running)
        const held = running.filter(({ organizationId }) => organizationId === greedy)
        expect(held).toHaveLength(kind === 'failing' ? 25 : 50)
      })
    },
  )

  /** Index scans of the deliveries in this transaction; a sequential scan counts as a thousand. */
  async function indexScans(transaction: Transaction): Promise<number> {
    const [row] = await transaction.$queryRaw<{ scans: bigint }[]>`
      SELECT idx_scan + seq_scan * 1000 AS scans FROM pg_stat_xact_user_tables
      WHERE schemaname = 'management' AND relname = 'webhook_deliveries'`
    return Number(row?.scans ?? 0)
  }
})
