import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  organizationTokenExpiring,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { setTenantState } from '@bearing/contracts/identity/members/tenant'
import type { EventData } from '@bearing/contracts/operation'
import { EventPublisher } from '@bearing/nats/event-publisher'
import { onEvent } from '@bearing/nats/events'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { Randomness } from '@bearing/service/ground/randomness'
import { Transactions } from '@bearing/service/store/transactions'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Database } from '../../ground/database.js'
import { type ExpiringToken } from '../../ground/rules/expiry-notice.js'
import { Plans } from '../../testing/plans.js'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'
import type { MailQueue } from '../../people/mails/mail-queue.js'
import type { Compose, MailRelay } from '../../people/mails/mail-relay.js'
import { ExpiryMails } from './expiry-mails.js'
import { ExpiryNotices } from './expiry-notices.js'

describe('a token that is about to expire', () => {
  let identity: TestIdentity
  let admin: TestAdmin
  let nowMs: number
  let replicas: ExpiryNotices[]
  const databases: Database[] = []
  const mailed: string[] = []
  let fails = false
  /** By the id of the event: an event may be published twice, and consumers recognize it by its id. */
  const received = new Map<string, EventData<typeof organizationTokenExpiring>>()

  beforeAll(async () => {
    identity = await TestIdentity.connect()
    const { connection } = identity
    onEvent(
      connection,
      organizationTokenExpiring,
      (event) => received.set(event.id, event),
      () => undefined,
    )
    const clock = new Clock(() => nowMs)
    const logger = createLogger('test', 'fatal')
    replicas = [1, 2, 3].map(() => {
      const randomness = new Randomness(randomUUID, () => new Uint8Array())
      const transactions = new Transactions(clock, randomness, new EventPublisher(connection), logger)
      const database = new Database(testStack().databaseUrls.identity, 2, transactions)
      databases.push(database)
      const mails = {
        add: (_: unknown, tokens: readonly ExpiringToken[]) => {
          if (fails) return Promise.reject(new Error('the process dies here'))
          mailed.push(...tokens.map(({ id }) => id))
          return Promise.resolve()
        },
      }
      return new ExpiryNotices(database, clock, mails as unknown as ExpiryMails, logger)
    })
    admin = await identity.newAdmin()
  })

  beforeEach(() => {
    nowMs = Date.now()
  })

  afterAll(async () => {
    for (const database of databases) await database.$disconnect()
    await identity.close()
  })

  const newToken = async (days: number, of = admin) => {
    const request = {
      organization_id: of.organizationId,
      description: 'CI',
      expires_at: new Date(nowMs + days * DAY_MS).toISOString(),
    }
    return identity.call(createOrganizationToken, request, of.claims)
  }
  /** Every process of identity looks, at the same moment, so many days from now. */
  const lookAfter = async (days: number) => {
    nowMs = Date.now() + days * DAY_MS
    await Promise.all(replicas.map((replica) => replica.notify()))
    await identity.connection.ping()
  }
  const daysLeftAnnounced = ({ id }: { id: string }) =>
    [...received.values()].flatMap((event) => (event.organization_token_id === id ? event.days_left : []))

  it('is announced once a week before, and once the day before, however many processes look', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => newToken(30)))
    await lookAfter(22)
    expect(tokens.flatMap(daysLeftAnnounced)).toEqual([])
    await lookAfter(23.5)
    await lookAfter(25)
    for (const token of tokens) expect(daysLeftAnnounced(token)).toEqual([7])
    await lookAfter(29.2)
    await lookAfter(29.9)
    for (const token of tokens) expect(daysLeftAnnounced(token)).toEqual([7, 1])
    expect(
      [...received.values()].find((event) => event.organization_token_id === tokens[0]?.id),
    ).toMatchObject({
      organization_id: admin.organizationId,
      expires_at: tokens[0]?.expires_at,
      replaced_by: null,
    })
  })

  it('is announced late if it could not be earlier, once, and not after its end', async () => {
    const [late, over] = [await newToken(30), await newToken(20)]
    await lookAfter(29.5)
    await lookAfter(29.6)
    expect(daysLeftAnnounced(late)).toEqual([1])
    expect(daysLeftAnnounced(over)).toEqual([])
  })

  it('gets only the notices that lie within its life', async () => {
    const [short, shortest] = [await newToken(3), await newToken(0.5)]
    await lookAfter(0)
    expect([daysLeftAnnounced(short), daysLeftAnnounced(shortest)]).toEqual([[], []])
    await lookAfter(2.5)
    expect([daysLeftAnnounced(short), daysLeftAnnounced(shortest)]).toEqual([[1], []])
  })

  it('is not announced if it was deleted', async () => {
    const { id } = await newToken(30)
    const { organizationId: organization_id } = admin
    await identity.call(deleteOrganizationToken, { organization_id, organization_token_id: id }, admin.claims)
    await lookAfter(24)
    expect(daysLeftAnnounced({ id })).toEqual([])
  })

  it('of a deleted organization is announced to nobody, and after its restoration once', async () => {
    const other = await identity.newAdmin()
    const token = await newToken(30, other)
    const set = (state: 'active' | 'stopped', version: number) =>
      identity.call(setTenantState, {
        ...{ organization_id: other.organizationId, project_id: null, state, version },
        ...{ deleted_at: new Date().toISOString(), erase_after: null },
      })
    await set('stopped', 1)
    await lookAfter(24)
    expect([daysLeftAnnounced(token), mailed.includes(token.id)]).toEqual([[], false])
    await set('active', 2)
    await lookAfter(24)
    expect([daysLeftAnnounced(token), mailed.includes(token.id)]).toEqual([[6], true])
  })

  it('of an organization that was deleted after its mail was queued is not mailed', async () => {
    const other = await identity.newAdmin()
    const token = await newToken(5, other)
    const composers: Compose[] = []
    const relay = { register: (_: string, compose: Compose) => composers.push(compose) }
    const [database] = databases
    if (!database) throw new Error('there are three')
    new ExpiryMails(database, new Clock(() => nowMs), {} as MailQueue, relay as unknown as MailRelay)
    const subject = [other.organizationId, other.id, token.id].join(' ')
    const mail = { id: randomUUID(), subject, createdAt: new Date(), address: null, attempts: 1 }
    const compose = () => composers[0]?.(mail)
    expect(await compose()).toMatchObject({ to: other.email })
    await identity.call(setTenantState, {
      ...{ organization_id: other.organizationId, project_id: null, state: 'stopped', version: 1 },
      ...{ deleted_at: new Date().toISOString(), erase_after: null },
    })
    expect(await compose()).toBeUndefined()
  })

  it('is mailed once for each notice, also if the transaction that claims it fails first', async () => {
    const token = await newToken(30)
    fails = true
    nowMs = Date.now() + 24 * DAY_MS
    await Promise.allSettled(replicas.map((replica) => replica.notify()))
    fails = false
    expect(daysLeftAnnounced(token)).toEqual([])
    await lookAfter(24)
    await lookAfter(24.5)
    expect(mailed.filter((id) => id === token.id)).toHaveLength(1)
    expect(daysLeftAnnounced(token)).toEqual([6])
    await lookAfter(29.5)
    expect(mailed.filter((id) => id === token.id)).toHaveLength(2)
  })

  it('is not mailed where it was rotated, and the event names its replacement', async () => {
    const { id } = await newToken(30)
    const { organizationId: organization_id } = admin
    const grace_seconds = 7 * 86_400
    const rotated = await identity.call(
      rotateOrganizationToken,
      { organization_id, organization_token_id: id, grace_seconds },
      admin.claims,
    )
    await lookAfter(6.5)
    expect(mailed).not.toContain(id)
    expect([...received.values()].find((event) => event.organization_token_id === id)).toMatchObject({
      replaced_by: rotated.id,
    })
  })

  it('is found without reading the others', async () => {
    const plans = await Plans.open()
    const plan = await plans.of(
      `SELECT id FROM organization_tokens
       WHERE deleted_at IS NULL AND expiry_notice_days IS NULL AND expires_at > now() AND expires_at <= now() + interval '7 days'`,
    )
    await plans.close()
    expect(plan).toContain('organization_tokens_expiry_notice')
  })
})
