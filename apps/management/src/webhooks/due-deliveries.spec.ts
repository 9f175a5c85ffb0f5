import { randomBytes, randomUUID } from 'node:crypto'
import { Clock } from '@bearing/service/clock'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Transaction } from '../ground/database.js'
import { TestManagement } from '../testing/test-management.js'
import { freeSlots, type FreeSlots } from './attempt-limits.js'
import { DueDeliveries, type DueDelivery } from './due-deliveries.js'

/** Webhooks with nothing to tell now. */
const QUIET = 300
const DAY_MS = 24 * 3_600_000

/** Slots for so many, whoever they are of. */
const free = (limit: number): FreeSlots => {
  const slots = { limit, ofOne: limit, held: new Map<string, number>() }
  return { working: slots, failing: slots }
}

class Undone extends Error {}

describe('looking for what is due', () => {
  let management: TestManagement
  let organization: Awaited<ReturnType<TestManagement['newOrganization']>>

  beforeAll(async () => {
    management = await TestManagement.connect()
    organization = await management.newOrganization()
  })

  afterAll(() => management.close())

  /** Does something in a transaction that nobody else sees anything of. */
  async function unseen(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    const undone = management.database.transaction(
      async (transaction) => {
        // Thousands of rows take this process longer than a service may take, where others use the machine.
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

  /** A project with webhooks, in a transaction. */
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

  it('costs what there is to tell, however many webhooks wait for later, and finds it for each', async () => {
    await unseen(async (transaction) => {
      const due = new Date(Date.now() - 1_000)
      const later = new Date(Date.now() + 3_600_000)
      const [first, second = '', ...quiet] = await newWebhooks(transaction, QUIET + 2)
      const deliveries = [
        ...quiet.flatMap((id) => [delivery(id, id, null), delivery(id, id, later)]),
        ...Array.from({ length: 9 }, () => delivery(first, first, due)),
        delivery(second, second, due),
      ]
      await transaction.webhookDelivery.createMany({ data: deliveries })
      // Tables of tests are so small that reading all of them is cheap.
      await transaction.$executeRaw`SET LOCAL enable_seqscan = off`
      const before = await looks(transaction)
      const taken = await new DueDeliveries(transaction, new Clock(Date.now), 30_000).take(freeSlots([]), [])
      const cost = (await looks(transaction)) - before
      const ours = taken.filter(({ id }) => id === first || id === second).map(({ id }) => id)
      // Of one webhook no more than it takes at once.
      expect(ours.sort()).toEqual([first, first, first, first, second].sort())
      expect(taken.some(({ id }) => quiet.includes(id))).toBe(false)
      expect(cost).toBeLessThan(QUIET / 3)
    })
  })

  it.each(['that tells much', 'that is paused', 'that is busy', 'that fails'])(
    'one webhook %s, and has thousands that are the longest due, hides no other',
    async (which) => {
      await unseen(async (transaction) => {
        const [many, ...others] = await newWebhooks(transaction, 4)
        const since = (ending: string) => (which.endsWith(ending) ? new Date() : null)
        const [failingSince, pausedAt] = [since('fails'), since('paused')] as const
        await transaction.webhook.update({ where: { id: many }, data: { failingSince, pausedAt } })
        // Longer due than any delivery of the tests that run beside this one.
        const at = (afterMs: number) => new Date(Date.now() - DAY_MS + afterMs)
        const deliveries = [
          ...Array.from({ length: 3_000 }, (_, n) => delivery(many, many, at(n))),
          ...others.flatMap((id, n) =>
            Array.from({ length: 6 }, () => delivery(id, id, at(60_000 - 1_000 * (n + 1)))),
          ),
        ]
        await transaction.webhookDelivery.createMany({ data: deliveries })
        const busy = which.endsWith('busy') ? [many] : []
        const ofMany = { much: 4, paused: 0, busy: 0, fails: 1 }[which.split(' ').at(-1) ?? ''] ?? 0
        const take = async (limit: number) => {
          const taken = await new DueDeliveries(transaction, new Clock(Date.now), 30_000).take(
            free(limit),
            busy,
          )
          return [many, ...others].map((id) => taken.filter((one) => one.id === id).length)
        }
        // Those that are the longest due come first, after those that work.
        const isLast = which.endsWith('fails')
        expect(await take(isLast ? 5 : ofMany + 5)).toEqual([isLast ? 0 : ofMany, 0, 1, 4])
        expect(await take(200)).toEqual([ofMany, 4, 4, 2])
      })
    },
  )

  it.each(['is dead', 'is alive'])(
    'the backlog of one organization hides nothing of others, what has just failed there included, where it %s',
    async (how) => {
      await unseen(async (transaction) => {
        const [greedy, failingSince] = [randomUUID() as string, how === 'is dead' ? new Date() : null]
        const many = await newWebhooks(transaction, 240, { organizationId: greedy, failingSince })
        const [works] = await newWebhooks(transaction, 1)
        const [blip] = await newWebhooks(transaction, 1, { failingSince: new Date() })
        // Longer due than any delivery of the tests that run beside this one.
        const at = (afterMs: number) => new Date(Date.now() - DAY_MS + afterMs)
        await transaction.webhookDelivery.createMany({
          data: [
            ...many.flatMap((id) => Array.from({ length: 12 }, (_, n) => delivery(id, id, at(n)))),
            ...[works, blip].map((id) => delivery(id, id, at(60_000))),
          ],
        })
        const deliveries = new DueDeliveries(transaction, new Clock(Date.now), 30_000)
        const underWay: DueDelivery[] = []
        const begin = async () => {
          const taken = await deliveries.take(freeSlots(underWay), [])
          underWay.push(...taken)
          return taken.map(({ id }) => id)
        }
        const first = await begin()
        expect(first).toEqual(expect.arrayContaining([works, blip]))
        while ((await begin()).length > 0);
        const held = underWay.filter(({ organizationId }) => organizationId === greedy)
        expect(held).toHaveLength(failingSince ? 25 : 50)
      })
    },
  )

  /** Looks into indices of the deliveries, and passes over all of them, in this transaction. */
  async function looks(transaction: Transaction): Promise<number> {
    const [row] = await transaction.$queryRaw<{ looks: bigint }[]>`
      SELECT idx_scan + seq_scan * 1000 AS looks FROM pg_stat_xact_user_tables
      WHERE schemaname = 'management' AND relname = 'webhook_deliveries'`
    return Number(row?.looks ?? 0)
  }
})
