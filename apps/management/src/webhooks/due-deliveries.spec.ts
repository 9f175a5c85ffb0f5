import { randomBytes, randomUUID } from 'node:crypto'
import { Clock } from '@bearing/service/clock'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Transaction } from '../database.js'
import { TestManagement } from '../testing/test-management.js'
import { DueDeliveries } from './due-deliveries.js'

/** Webhooks with nothing to tell. */
const QUIET = 300

class Undone extends Error {}

describe('looking for what is due', () => {
  let management: TestManagement

  beforeAll(async () => {
    management = await TestManagement.connect()
  })

  afterAll(() => management.close())

  /** Does something in a transaction that nobody else sees anything of. */
  async function unseen(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    const undone = management.database.$transaction(
      async (transaction) => {
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

  it('costs what there is to tell, however many webhooks there are that have nothing, and finds it for each', async () => {
    const projectId = randomUUID()
    const { id: organizationId } = await management.newOrganization()
    await unseen(async (transaction) => {
      await transaction.project.create({
        data: {
          id: projectId,
          organizationId,
          slug: projectId,
          name: 'x',
          createdAt: new Date(),
          createdBy: projectId,
        },
      })
      const webhooks = Array.from({ length: QUIET + 3 }, () => webhook(projectId))
      await transaction.webhook.createMany({ data: webhooks })
      const due = new Date(Date.now() - 1_000)
      const [first, second, later, ...quiet] = webhooks.map(({ id }) => id)
      const deliveries = [
        ...quiet.map((id) => delivery(id, projectId, null)),
        ...Array.from({ length: 9 }, () => delivery(first ?? '', projectId, due)),
        delivery(second ?? '', projectId, due),
        delivery(later ?? '', projectId, new Date(Date.now() + 3_600_000)),
      ]
      await transaction.webhookDelivery.createMany({ data: deliveries })
      // Tables of tests are so small that reading all of them is cheap.
      await transaction.$executeRaw`SET LOCAL enable_seqscan = off`
      const before = await looks(transaction)
      const taken = await new DueDeliveries(transaction, new Clock(Date.now), 30_000).take(200, [])
      const cost = (await looks(transaction)) - before
      const ours = taken.filter(({ id }) => id === first || id === second).map(({ id }) => id)
      // Of one webhook no more than it takes at once.
      expect(ours.sort()).toEqual([first, first, first, first, second].sort())
      expect(taken.some(({ id }) => id === later)).toBe(false)
      expect(cost).toBeLessThan(QUIET / 3)
    })
  })

  /** Looks into indices of the deliveries, and passes over all of them, in this transaction. */
  async function looks(transaction: Transaction): Promise<number> {
    const [row] = await transaction.$queryRaw<{ looks: bigint }[]>`
      SELECT idx_scan + seq_scan * 1000 AS looks FROM pg_stat_xact_user_tables
      WHERE schemaname = 'management' AND relname = 'webhook_deliveries'`
    return Number(row?.looks ?? 0)
  }
})
