import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'
import { send } from '../tools/http.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering, isSignedWith } from '../tools/webhook-receiver.js'

interface Item {
  readonly id: string
  readonly device_serial: string
  readonly data: string | null
}

describe('a webhook for what devices send', () => {
  const stack = stackForSuite({
    gateways: 1,
    environment: { management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32` } },
    constants: {
      management: { WEBHOOK_RETRY_DELAYS_S: [1, 1], WEBHOOK_PAUSE_AFTER_S: 60, WEBHOOK_TIMEOUT_MS: 5_000 },
    },
  })
  const own = forSuite(() => newOrganization(stack))
  let project: TestProject
  let receiver: WebhookReceiver
  const at = () => ({ organization: own.slug, project: project.slug })
  const device = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, project)
  const create = () =>
    own.token.client.call('createWebhook', { ...at(), url: receiver.url, events: ['device.data_stored'] })
  const items = () => receiver.received.flatMap(({ json }) => json.data['items'] as Item[]) // as the docs say
  const contents = (all: readonly Item[]) =>
    all.map(({ data }) => Buffer.from(data ?? '', 'base64').toString())

  beforeEach(async () => {
    project = await newProject(own)
    receiver = await WebhookReceiver.start()
  })
  afterEach(() => receiver.stop())

  it('receives chunks of all devices in order, signed, and nothing from before it was created', async () => {
    const [one, other] = [device(), device()]
    await one.send('before')
    await one.stored(1)
    const { id, secret } = await create()
    for (const [sender, text] of [
      [one, 'a'],
      [other, 'b'],
      [one, 'c'],
    ] as const) {
      const count = items().length
      await sender.send(text)
      await eventually(() => expect(items().length).toBeGreaterThan(count))
    }
    expect(contents(items())).toEqual(['a', 'b', 'c'])
    expect(items().map(({ device_serial }) => device_serial)).toEqual([one.serial, other.serial, one.serial])
    for (const request of receiver.received) expect(isSignedWith(request, secret)).toBe(true)
    const { points } = await own.token.client.call('showWebhookUsage', { ...at(), webhook_id: id })
    expect(points.at(-1)?.delivered).toBe(receiver.received.length)
  })

  it('receives each item at least once and in order, although its receiver and every process of management end meanwhile', async () => {
    await create()
    const one = device()
    let answers = 0
    receiver.answer = (reply, received) => {
      answering(++answers % 3 === 0 ? 204 : 503)(reply, received)
    }
    const sent = Array.from({ length: 60 }, (_, index) => `chunk ${String(index)}`)
    for (const [index, text] of sent.entries()) {
      await eventually(async () => expect((await one.send(text)).status).toBe(202), { withinMs: 30_000 })
      if (index % 20 !== 10) continue
      await stack.part('management').kill()
      await stack.part('management').start()
    }
    await eventually(() => expect(new Set(contents(items()))).toEqual(new Set(sent)), { withinMs: 90_000 })
    const stored: Item[] = []
    for await (const item of own.token.client.stream('readData', at())) stored.push(item as Item) // they are chunks
    expect([...new Set(items().map((item) => item.id))]).toEqual(stored.map((item) => item.id))
  })

  it('loses nothing while it is paused, and sends nothing that was deleted meanwhile', async () => {
    const { id: webhook_id } = await create()
    const { client } = own.token
    await client.call('changeWebhook', { ...at(), webhook_id, paused: true })
    const [kept, deleted] = [device(), device()]
    await kept.send('kept')
    await deleted.send('deleted')
    await Promise.all([kept.stored(1), deleted.stored(1)])
    receiver.answer = answering(503)
    await client.call('changeWebhook', { ...at(), webhook_id, paused: false })
    await receiver.got(1)
    await client.call('deleteDevice', deleted.address)
    receiver.received.length = 0
    receiver.answer = answering(204)
    await eventually(() => expect(contents(items())).toEqual(['kept']))
  })

  it('sends nothing that was queued to another URL after the webhook has dropped the event', async () => {
    const { id: webhook_id } = await create()
    receiver.answer = answering(503)
    await device().send('secret')
    await receiver.got(1)
    const elsewhere = await WebhookReceiver.start()
    const change = (more: object) => own.token.client.call('changeWebhook', { ...at(), webhook_id, ...more })
    await change({ events: ['device.first_seen'] })
    await change({ url: elsewhere.url })
    await device().send('new')
    await elsewhere.got(1)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(new Set(elsewhere.received.map(({ json }) => json.type))).toEqual(new Set(['device.first_seen']))
    await elsewhere.stop()
  })

  it('is created, redirected and asked for data only by those who may read the data', async () => {
    const { id: webhook_id } = await create()
    const path = `/api/v0/organizations/${own.slug}/projects/${project.slug}/webhooks`
    const { token } = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'no data',
      permissions: ['webhook:manage', 'webhook:read'],
    })
    const call = (method: string, to: string, body: object) =>
      send(stack.gatewayUrls[0] ?? '', method, to, {
        credential: { kind: 'organization_token', token },
        body,
      })
    const events = ['device.data_stored']
    const { url } = receiver
    expect(await call('POST', path, { url, events })).toMatchObject({ status: 403 })
    expect(await call('PUT', `${path}/${webhook_id}`, { url: `${url}/elsewhere` })).toMatchObject({
      status: 403,
    })
    const other = await call('POST', path, { url })
    expect(other).toMatchObject({ status: 201 })
    const { id } = other.json?.data as { id: string }
    expect(await call('PUT', `${path}/${id}`, { events })).toMatchObject({ status: 403 })
    expect(await call('PUT', `${path}/${webhook_id}`, { paused: true })).toMatchObject({ status: 200 })
  })
})
