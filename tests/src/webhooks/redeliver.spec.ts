import { randomUUID } from 'node:crypto'
import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { TestDevice, newSerial } from '../tools/device-data.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering, isSignedWith } from '../tools/webhook-receiver.js'

const LONG_AGO = '2026-01-01T00:00:00.000Z'

describe('redelivery', () => {
  const stack = stackForSuite({
    oneProcess: true,
    environment: { management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32` } },
    constants: { management: { WEBHOOK_RETRY_DELAYS_S: [1], WEBHOOK_PAUSE_AFTER_S: 600 } },
  })
  const own = forSuite(() => newOrganization(stack))
  let project: TestProject
  let receiver: WebhookReceiver
  const at = () => ({ organization: own.slug, project: project.slug })
  const send = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, project).send('x')
  const create = (more: object = {}) =>
    own.token.client.call('createWebhook', { ...at(), url: receiver.url, ...more })
  const redeliver = (webhook_id: string, chosen: object) =>
    own.token.client.call('redeliverWebhook', { ...at(), webhook_id, ...chosen })
  const log = async (webhook_id: string) =>
    (await own.token.client.call('listWebhookDeliveries', { ...at(), webhook_id })).data
  const inState = (webhook_id: string, state: string, count: number) =>
    eventually(
      async () => {
        const found = (await log(webhook_id)).filter((delivery) => delivery.state === state)
        expect(found).toHaveLength(count)
        return found
      },
      { withinMs: 30_000, everyMs: 100 },
    )
  const idsOf = (requests: WebhookReceiver['received']) =>
    requests.map(({ headers }) => headers['webhook-id']).sort()

  beforeEach(async () => {
    project = await newProject(own)
    receiver = await WebhookReceiver.start()
  })

  afterEach(() => receiver.stop())

  /** Creates a webhook of which so many deliveries have failed. */
  async function failing(count: number, more: object = {}) {
    const webhook = await create(more)
    receiver.answer = answering(500)
    for (let sent = 0; sent < count; sent++) await send()
    const failed = await inState(webhook.id, 'failed', count)
    return { ...webhook, failed }
  }

  it('sends one failed delivery again: same id and body, a new time, signed with the current secret, and retried like a new one', async () => {
    const { id, secret, failed } = await failing(2)
    const [chosen] = failed
    const first = receiver.received.find(({ headers }) => headers['webhook-id'] === chosen?.id)
    const rotated = await own.token.client.call('rotateWebhook', {
      ...at(),
      webhook_id: id,
      grace_seconds: 0,
    })
    const before = receiver.received.length
    receiver.answer = (reply) => {
      reply.writeHead(receiver.received.length === before + 1 ? 503 : 204).end()
    }
    expect(await redeliver(id, { delivery_id: chosen?.id })).toEqual({
      ...{ redelivered: 1, unavailable: 0, has_more: false },
    })
    await inState(id, 'delivered', 1)
    const again = receiver.received.slice(before)
    expect(again).toHaveLength(2)
    for (const request of again) {
      expect(request.headers['webhook-id']).toBe(chosen?.id)
      expect(request.body).toBe(first?.body)
      expect(request.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
      expect(isSignedWith(request, rotated.secret)).toBe(true)
      expect(isSignedWith(request, secret)).toBe(false)
    }
    const [delivered] = await inState(id, 'delivered', 1)
    expect(delivered).toMatchObject({ id: chosen?.id, attempts: 2, status: 204, error: null })
    await inState(id, 'failed', 1)
  })

  it('since a time sends all that have failed since, and none that failed before, was delivered, is pending, or is of another webhook', async () => {
    const other = await create()
    const { id, failed } = await failing(3)
    await inState(other.id, 'failed', 3)
    receiver.answer = answering(204)
    await send()
    await inState(id, 'delivered', 1)
    await inState(other.id, 'delivered', 1)
    const [early = '', ...late] = failed.map((delivery) => delivery.id)
    await query('UPDATE webhook_deliveries SET last_attempt_at = $2 WHERE id = $1', [early, LONG_AGO])
    const before = receiver.received.length
    const since = failed.map(({ last_attempt_at }) => last_attempt_at ?? '').sort()[0]
    expect(await redeliver(id, { since })).toEqual({ redelivered: 2, unavailable: 0, has_more: false })
    await inState(id, 'delivered', 3)
    // Nothing is left to do, and nothing is done twice.
    expect(await redeliver(id, { since })).toEqual({ redelivered: 0, unavailable: 0, has_more: false })
    expect(idsOf(receiver.received.slice(before))).toEqual(late.sort())
    expect((await log(id)).find((delivery) => delivery.id === early)).toMatchObject({ state: 'failed' })
    await inState(other.id, 'failed', 3)
  })

  it('touches nothing of another organization, project or webhook, whichever id is named', async () => {
    const { id, failed } = await failing(1)
    const [delivery] = failed
    const [other, sibling, neighbor] = await Promise.all([
      newOrganization(stack),
      newProject(own),
      create({ events: ['coredump.uploaded'] }),
    ])
    const theirs = { organization: other.slug, project: other.project.slug }
    const foreign = await other.token.client.call('createWebhook', { ...theirs, url: receiver.url })
    const before = receiver.received.length
    const chosen = { delivery_id: delivery?.id }
    const notFound = { code: 'webhook_not_found' }
    await expect(
      other.token.client.call('redeliverWebhook', { ...theirs, webhook_id: id, ...chosen }),
    ).rejects.toMatchObject(notFound)
    await expect(
      own.token.client.call('redeliverWebhook', {
        ...{ organization: own.slug, project: sibling.slug, webhook_id: id, since: LONG_AGO },
      }),
    ).rejects.toMatchObject(notFound)
    const noDelivery = { code: 'delivery_not_found', status: 404 }
    await expect(
      other.token.client.call('redeliverWebhook', { ...theirs, webhook_id: foreign.id, ...chosen }),
    ).rejects.toMatchObject(noDelivery)
    await expect(redeliver(neighbor.id, chosen)).rejects.toMatchObject(noDelivery)
    expect(
      await other.token.client.call('redeliverWebhook', {
        ...{ ...theirs, webhook_id: foreign.id, since: LONG_AGO },
      }),
    ).toEqual({ redelivered: 0, unavailable: 0, has_more: false })
    await inState(id, 'failed', 1)
    expect(receiver.received).toHaveLength(before)
  })

  it('is refused with the reason for deliveries that are pending, were delivered, or whose content is gone; since a time counts the last', async () => {
    const { id, failed } = await failing(1)
    const [gone] = failed
    await query('UPDATE webhook_deliveries SET body = NULL WHERE id = $1', [gone?.id])
    const test = await own.token.client.call('testWebhook', { ...at(), webhook_id: id })
    receiver.answer = answering(204)
    await send()
    const [delivered] = await inState(id, 'delivered', 1)
    receiver.answer = () => undefined // it never answers
    await send()
    const [pending] = await inState(id, 'pending', 1)
    for (const [delivery, why] of [
      [gone, /content .* no longer stored/],
      [test, /content .* no longer stored/],
      [delivered, /accepted/],
      [pending, /pending/],
    ] as const)
      await expect(redeliver(id, { delivery_id: delivery?.id })).rejects.toMatchObject({
        ...{ code: 'delivery_unavailable', status: 409, message: expect.stringMatching(why) },
      })
    // A test is no event: nobody misses it.
    expect(await redeliver(id, { since: LONG_AGO })).toEqual({
      ...{ redelivered: 0, unavailable: 1, has_more: false },
    })
  })

  it('names either a delivery or a time, and nothing else', async () => {
    const { id } = await create()
    const wrong = { code: 'invalid_input', status: 400 }
    for (const chosen of [{}, { since: LONG_AGO, delivery_id: id }, { since: LONG_AGO, delivery: id }])
      await expect(redeliver(id, chosen)).rejects.toMatchObject(wrong)
  })

  it('keeps the content of a failed event until it is delivered, and of a failed position not at all', async () => {
    const { id } = await failing(1, { events: ['device.first_seen', 'device.location_resolved'] })
    const location = await connectNats({
      url: stack.natsUrl.replace(/\/\/.*@/, '//'),
      nkeySeed: stack.nkeySeeds.location,
      name: 'location',
    })
    try {
      const event = randomUUID()
      await new MessageStore(location).store({
        subject: `${DEVICE_LOCATION_STREAM.subject}.${own.id}.${project.id}`,
        id: event,
        headers: {},
        body: Buffer.from(
          JSON.stringify({
            ...{ id: event, organization_id: own.id, project_id: project.id, device_serial: newSerial() },
            ...{ lat: 48.1, lon: 11.5, uncertainty: 30, confidence: 68, fulfilled_with: 'WIFI' },
            resolved_at: '2026-01-01T00:00:00.000Z',
          }),
        ),
      })
    } finally {
      await location.drain()
    }
    await inState(id, 'failed', 2)
    const stored = () =>
      query('SELECT event FROM webhook_deliveries WHERE webhook_id = $1 AND body IS NOT NULL', [id])
    expect(await stored()).toEqual([{ event: 'device.first_seen' }])
    receiver.answer = answering(204)
    expect(await redeliver(id, { since: LONG_AGO })).toMatchObject({ redelivered: 1, unavailable: 1 })
    await inState(id, 'delivered', 1)
    expect(await stored()).toEqual([])
  })

  it('of a paused webhook waits until it is resumed', async () => {
    const { id } = await failing(1)
    await own.token.client.call('changeWebhook', { ...at(), webhook_id: id, paused: true })
    receiver.answer = answering(204)
    expect(await redeliver(id, { since: LONG_AGO })).toMatchObject({ redelivered: 1 })
    await inState(id, 'pending', 1)
    await own.token.client.call('changeWebhook', { ...at(), webhook_id: id, paused: false })
    await inState(id, 'delivered', 1)
  })

  it('is in the audit log with what was asked for and how many it were, if there were any', async () => {
    const { id } = await failing(1)
    await redeliver(id, { since: LONG_AGO })
    await redeliver(id, { since: '2100-01-01T00:00:00.000Z' })
    const rows = await query('SELECT details FROM audit_log WHERE target = $1 AND action = $2', [
      ...[`webhook:${id}`, 'webhook.redelivered'],
    ])
    expect(rows).toEqual([
      { details: { project_id: project.id, delivery_id: null, since: LONG_AGO, redelivered: 1 } },
    ])
  })

  async function query(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    await using client = await connectTo(stack.databaseUrls.management)
    const { rows } = await client.query<Record<string, unknown>>(sql, values)
    return rows
  }
})
