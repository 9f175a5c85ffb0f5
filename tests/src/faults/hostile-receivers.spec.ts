import { MAX_WEBHOOKS } from '@bearing/contracts/management/webhook'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'
import { Tarpit } from '../tools/tarpit.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering } from '../tools/webhook-receiver.js'

/** Time limit for the reply of a receiver, in milliseconds. */
const TIMEOUT_MS = 3_000
/** Time for which one has to refuse until it is paused, in seconds. */
const PAUSE_AFTER_S = 15
/** With as many webhooks as they may have: more than 200. */
const PROJECTS = 12

describe('receivers of webhooks that mean no good', () => {
  const stack = forSuite(() =>
    startStack({
      gateways: 1,
      services: ['identity', 'management'],
      environment: {
        management: {
          WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32`,
        },
      },
      constants: {
        management: {
          WEBHOOK_RETRY_DELAYS_S: Array.from({ length: 2 * PAUSE_AFTER_S }, () => 1),
          WEBHOOK_PAUSE_AFTER_S: PAUSE_AFTER_S,
          WEBHOOK_TIMEOUT_MS: TIMEOUT_MS,
        },
      },
    }),
  )
  const own = forSuite(() => newOrganization(stack))
  let project: TestProject
  const receivers: WebhookReceiver[] = []
  const at = () => ({ organization: own.slug, project: project.slug })
  const device = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, project)
  const create = (url: string) => own.token.client.call('createWebhook', { ...at(), url })
  const test = async (url: string) => {
    const { id: webhook_id } = await create(url)
    return own.token.client.call('testWebhook', { ...at(), webhook_id })
  }
  const show = (webhook_id: string) => own.token.client.call('showWebhook', { ...at(), webhook_id })

  beforeEach(async () => {
    project = await newProject(own)
  })

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  async function start(host?: string): Promise<WebhookReceiver> {
    const receiver = await WebhookReceiver.start(host)
    receivers.push(receiver)
    return receiver
  }

  it.each([
    'https://127.0.0.1/',
    'http://127.0.0.1:8080/',
    'https://0x7f000001/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[fe80::1]/',
    'http://8.8.8.8/',
    'https://user:password@example.com/',
    'https://example.com/#fragment',
    'ftp://example.com/',
    'javascript:alert(1)',
  ])('cannot be at %s', async (url) => {
    await expect(create(url)).rejects.toMatchObject({ code: 'invalid_input' })
    const receiver = await start()
    const { id: webhook_id } = await create(receiver.url)
    await expect(own.token.client.call('changeWebhook', { ...at(), webhook_id, url })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('are reported the same for a name that is not public as for one that does not exist; the metric distinguishes them', async () => {
    const [inside, nowhere] = [await test('https://localhost:9/'), await test('https://nowhere.invalid:9/')]
    const shown = ({ state, status, error }: typeof inside) => ({ state, status, error })
    expect(shown(inside)).toEqual(shown(nowhere))
    expect(shown(inside)).toEqual({ state: 'failed', status: null, error: 'unreachable' })
    expect(await stack.metrics('management')).toMatch(/outcome="not_allowed"/)
  })

  it('cannot be where a name leads that is not public, at the first attempt or any later one', async () => {
    const inside = await start('127.0.0.1')
    const url = `http://localhost:${String(inside.port)}/`
    const failed = { state: 'failed', status: null, error: 'unreachable' }
    expect(await test(url)).toMatchObject(failed)
    await device().send('x')
    const { data } = await own.token.client.call('listWebhooks', at())
    const webhook_id = data[0]?.id ?? ''
    await eventually(
      async () => {
        const { data: log } = await own.token.client.call('listWebhookDeliveries', { ...at(), webhook_id })
        expect(log[0]).toMatchObject({ event: 'device.first_seen', error: 'unreachable' })
        expect(log[0]?.attempts).toBeGreaterThanOrEqual(2)
      },
      { everyMs: 100 },
    )
    expect(inside.received).toEqual([])
  })

  it('cannot send us elsewhere: a redirect is a refusal', async () => {
    const [inside, receiver] = [await start('127.0.0.1'), await start()]
    for (const status of [301, 302, 307, 308]) {
      receiver.answer = answering(status, { location: inside.url })
      expect(await test(receiver.url)).toMatchObject({ state: 'failed', status, error: 'status' })
    }
    expect(inside.received).toEqual([])
    expect(receiver.received).toHaveLength(4)
  })

  it('cannot keep us: a silent reply is over in time, and a slow, endless or broken body does not matter', async () => {
    const receiver = await start()
    receiver.answer = () => undefined
    expect(await test(receiver.url)).toMatchObject({ error: 'timeout', status: null })
    receiver.answer = (reply) => {
      reply.writeHead(200)
      const drip = setInterval(() => reply.write('x'), 50)
      reply.on('close', () => clearInterval(drip))
    }
    const dripped = await test(receiver.url)
    expect(dripped).toMatchObject({ state: 'delivered', status: 200 })
    expect(dripped.duration_ms).toBeLessThan(TIMEOUT_MS)
    receiver.answer = (reply) => {
      reply.writeHead(200)
      const flood = () => {
        while (!reply.destroyed && reply.write(Buffer.alloc(65_536)));
      }
      reply.on('drain', flood)
      flood()
    }
    expect(await test(receiver.url)).toMatchObject({ state: 'delivered', status: 200 })
    receiver.answer = (reply) => {
      reply.writeHead(200, { 'content-length': '100' })
      reply.write('ok', () => reply.destroy())
    }
    expect(await test(receiver.url)).toMatchObject({ state: 'delivered', status: 200 })
    receiver.answer = (reply) => reply.destroy()
    expect(await test(receiver.url)).toMatchObject({ error: 'unreachable' })
  })

  it('do not hold up others, however much waits for them', async () => {
    const slow = await start()
    slow.answer = () => undefined
    await create(slow.url)
    const stuck = Array.from({ length: 40 }, device)
    for (const one of stuck) await one.send('x')
    await slow.got(4)
    const quick = await start()
    await create(quick.url)
    for (let index = 0; index < 5; index++) {
      await device().send('x')
      // Sooner than the slow one is paused.
      await quick.got(index + 1, PAUSE_AFTER_S * 800)
    }
    // Nor is the slow one asked more than once at a time, now that it is known to be.
    const [before, begun] = [slow.received.length, performance.now()]
    await new Promise((resolve) => setTimeout(resolve, 3 * TIMEOUT_MS))
    const took = performance.now() - begun
    expect(slow.received.length - before).toBeLessThanOrEqual(2 + took / TIMEOUT_MS)
  })

  it("of one organization hold up no other, although there are more of them than concurrent attempts: another's are delivered immediately", async () => {
    const other = await newOrganization(stack)
    const quick = await start()
    const { slug } = other.project
    await other.token.client.call('createWebhook', {
      organization: other.slug,
      project: slug,
      url: quick.url,
    })
    const toOther = () => new TestDevice(stack.gatewayUrls[0] ?? '', other, other.project).send('x')
    await toOther()
    await quick.got(1)
    const tarpit = await Tarpit.start(RECEIVER_ADDRESS)
    const projects = [project]
    while (projects.length < PROJECTS) projects.push(await newProject(own))
    for (const { slug } of projects) {
      const place = { organization: own.slug, project: slug, url: tarpit.url }
      await Promise.all(
        Array.from({ length: MAX_WEBHOOKS }, () => own.token.client.call('createWebhook', place)),
      )
    }
    for (const one of projects)
      for (let count = 0; count < 6; count++)
        await new TestDevice(stack.gatewayUrls[0] ?? '', own, one).send('x')
    await eventually(() => {
      expect(tarpit.accepted).toBeGreaterThanOrEqual(50)
    })
    for (let count = 2; count <= 4; count++) {
      await toOther()
      // Sooner than those that wait for nothing are paused, or have waited once more.
      await quick.got(count, 2 * TIMEOUT_MS)
    }
    await tarpit.stop()
  })

  it('that refuse for long are paused and show it; what waits comes when they are let continue', async () => {
    const receiver = await start()
    receiver.answer = answering(503)
    const { id: webhook_id } = await create(receiver.url)
    const one = device()
    await one.send('x')
    await receiver.got(1)
    await eventually(async () => {
      expect(await show(webhook_id)).toMatchObject({ state: 'failing', paused_reason: null })
    })
    await eventually(
      async () => {
        expect(await show(webhook_id)).toMatchObject({ state: 'paused', paused_reason: 'failing' })
      },
      { withinMs: 120_000, everyMs: 100 },
    )
    await eventually(async () => {
      const target = `webhook:${webhook_id}`
      const rows = await own.admin.client.call('listAuditEntries', { organization: own.slug, target })
      expect(rows.data.map(({ action }) => action)).toContain('webhook.paused')
    })
    receiver.answer = answering(200)
    const sofar = receiver.received.length
    const meanwhile = device()
    await meanwhile.send('x')
    await meanwhile.stored(1)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(receiver.received).toHaveLength(sofar)
    await own.token.client.call('changeWebhook', { ...at(), webhook_id, paused: false })
    const requests = await receiver.got(sofar + 1)
    expect(requests[sofar]?.json.data['device_serial']).toBe(one.serial)
    await eventually(async () => {
      expect(await show(webhook_id)).toMatchObject({
        state: 'active',
        paused_reason: null,
        failing_since: null,
      })
    })
  })

  it('that respond with 410 are paused immediately', async () => {
    const receiver = await start()
    receiver.answer = answering(410)
    const { id } = await create(receiver.url)
    await device().send('x')
    await eventually(async () => {
      expect(await show(id)).toMatchObject({ state: 'paused', paused_reason: 'gone' })
    })
    expect(receiver.received).toHaveLength(1)
  })

  it('are not more than a few for each project', async () => {
    const receiver = await start()
    for (let count = 0; count < MAX_WEBHOOKS; count++) await create(receiver.url)
    await expect(create(receiver.url)).rejects.toMatchObject({ code: 'too_many_webhooks' })
  })
})
