import { connectTo } from '@bearing/testing/connect-to'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { Browser } from '../tools/browser.js'
import { send, type Reply } from '../tools/http.js'
import { prepare, put, type UploadTarget } from '../tools/uploading.js'
import { WebhookReceiver } from '../tools/webhook-receiver.js'

/** Long enough for due deliveries to be sent, in milliseconds. */
const QUIET_MS = 2_000
const SCAN = {
  accessPoints: [
    { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
    { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
  ],
}

describe.each(['organization', 'project'] as const)('deleting: %s', (what) => {
  const code = `${what}_deleted`
  const stack = namedStack('small-limits')
  const database = forSuite(() => connectTo(stack.databaseUrls.management))
  let own: TestOrganization
  const gateways = () => stack.gatewayUrls
  const scope = () => ({ organization: own.slug, project_slug: own.project.slug })

  beforeEach(async () => {
    own = await newOrganization(stack)
  })

  const remove = () =>
    what === 'organization'
      ? own.admin.client.call('deleteOrganization', { organization: own.slug })
      : own.admin.client.call('deleteProject', scope())
  const restore = () =>
    what === 'organization'
      ? own.admin.client.call('restoreOrganization', { organization: own.slug })
      : own.admin.client.call('restoreProject', scope())
  const erase = () =>
    what === 'organization'
      ? own.admin.client.call('eraseOrganization', { organization: own.slug, slug: own.slug })
      : own.admin.client.call('eraseProject', { ...scope(), slug: own.project.slug })
  const project = () => `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`

  /** Waits until every gateway answers so: within the bound of revocations, whatever it has cached. */
  const everywhere = (ask: (gateway: string) => Promise<Reply>, expected: object) =>
    eventually(
      async () => {
        for (const gateway of gateways()) expect(await ask(gateway)).toMatchObject(expected)
      },
      { withinMs: 5_000 },
    )

  it('stops signed upload addresses, also in the middle of an upload, and a restoration lets them work again', async () => {
    const target: UploadTarget = {
      gateway: gateways()[0] ?? '',
      project: project(),
      credential: { kind: 'project_key', key: own.project.key },
    }
    const [before, under, after] = [await prepare(target), await prepare(target), await prepare(target)]
    expect(await put(before, randomBytes(1_000))).toMatchObject({ status: 200 })
    let finish: () => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(randomBytes(200_000))
        finish = () => {
          controller.enqueue(randomBytes(200_000))
          controller.close()
        }
      },
    })
    const uploading = fetch(under.upload_url, { method: 'PUT', body, duplex: 'half' })
    await eventually(async () => {
      const { rows } = await database.query(
        'SELECT FROM stored_objects WHERE project_id = $1 AND sha256 IS NULL',
        [own.project.id],
      )
      expect(rows).toHaveLength(1)
    })
    await remove()
    finish()
    const cut = await uploading
    expect([cut.status, ((await cut.json()) as { code: string }).code]).toEqual([503, code])
    for (const upload of [before, after]) {
      const refused = await put(upload, randomBytes(1_000))
      expect(refused).toMatchObject({ status: 503, retryAfter: '3600' })
      expect(JSON.parse(refused.text)).toMatchObject({ code })
    }
    await restore()
    expect(await put(after, randomBytes(1_000))).toMatchObject({ status: 200 })
  })

  it('holds queued webhooks, sends them after a restoration, and none after the erasure has started', async () => {
    const receiver = await WebhookReceiver.start()
    // Busy at first, so that deliveries wait for their next attempt.
    let status = 503
    receiver.answer = (reply) => void reply.writeHead(status).end()
    const at = { organization: own.slug, project: own.project.slug }
    await own.token.client.call('createWebhook', { ...at, url: receiver.url })
    const chunk = () =>
      send(gateways()[0] ?? '', 'POST', `/api/v0/chunks/DEVICE-${randomUUID()}`, {
        headers: { 'service-project-key': own.project.key, 'content-type': 'application/octet-stream' },
        body: 'chunk',
      })
    expect((await chunk()).status).toBe(202)
    await receiver.got(1)
    await remove()
    status = 204
    // An attempt may have begun before the deletion.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const sent = receiver.received.length
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    expect(receiver.received).toHaveLength(sent)
    await restore()
    await receiver.got(sent + 1)
    await eventually(async () => expect((await chunk()).status).toBe(202))
    await receiver.got(sent + 2)
    status = 503
    await chunk()
    await receiver.got(sent + 3)
    await remove()
    await erase()
    status = 204
    await new Promise((resolve) => setTimeout(resolve, 500))
    const last = receiver.received.length
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    expect(receiver.received).toHaveLength(last)
    await receiver.stop()
    await eventually(
      async () => {
        const { rows } = await database.query('SELECT FROM webhook_deliveries WHERE project_id = $1', [
          own.project.id,
        ])
        expect(rows).toEqual([])
      },
      { withinMs: 60_000 },
    )
  })

  it('reserves the slug when it is erased, against everybody', async () => {
    const other = await newOrganization(stack)
    await remove()
    await erase()
    await eventually(
      async () => {
        const { rows } = await database.query(
          `SELECT FROM deletions WHERE organization_id = $1 AND state = 'erased'`,
          [own.id],
        )
        expect(rows).toHaveLength(1)
      },
      { withinMs: 60_000 },
    )
    const taken =
      what === 'organization'
        ? other.admin.client.call('createOrganization', { name: 'Another', slug: own.slug })
        : own.admin.client.call('createProject', {
            ...{ organization: own.slug, name: 'Another', slug: own.project.slug },
          })
    await expect(taken).rejects.toMatchObject({ code: 'slug_reserved' })
  })

  it('stops legacy tokens at every gateway, and a restoration lets them work again', async () => {
    const other = await newProject(own)
    const [everywhereToken, boundToken] = [randomUUID(), randomUUID()]
    const sha256 = (token: string) => createHash('sha256').update(token).digest('hex')
    await own.admin.client.call('importLegacyTokens', {
      ...{ organization: own.slug, sunset_at: '2099-01-01T00:00:00Z' },
      tokens: [
        { sha256: sha256(everywhereToken) },
        { sha256: sha256(boundToken), project_id: own.project.id },
      ],
    })
    const locate = (token: string, slug: string) => (gateway: string) =>
      send(gateway, 'POST', `/v1/organizations/${own.slug}/projects/${slug}/location/wifi`, {
        credential: { kind: 'legacy_token', token },
        body: SCAN,
      })
    /** The scan has no known access points: an allowed caller receives that error. */
    const allowed = { status: 404, json: { code: 'location_not_found' } }
    for (const token of [everywhereToken, boundToken])
      await everywhere(locate(token, own.project.slug), allowed)
    await everywhere(locate(everywhereToken, other.slug), allowed)
    await remove()
    // Trackers retry after 503. For a token of other projects too, a deleted project does not exist.
    const stopped = { status: 503, json: { code } }
    await everywhere(locate(boundToken, own.project.slug), stopped)
    await everywhere(
      locate(everywhereToken, own.project.slug),
      what === 'organization' ? stopped : { status: 404, json: { code: 'project_not_found' } },
    )
    await everywhere(locate(everywhereToken, other.slug), what === 'organization' ? stopped : allowed)
    await restore()
    for (const token of [everywhereToken, boundToken])
      await everywhere(locate(token, own.project.slug), allowed)
  })

  it('stops browser sessions for it at every gateway, and leaves them what else they open', async () => {
    const second = await newOrganization(stack)
    const browser = await Browser.signIn(gateways()[0] ?? '', own.admin)
    const ask = (path: string) => (gateway: string) =>
      send(gateway, 'GET', path, { headers: { cookie: browser.cookie } })
    await everywhere(ask(project()), { status: 200 })
    await remove()
    await everywhere(
      ask(project()),
      what === 'organization'
        ? { status: 403, json: { code } }
        : { status: 404, json: { code: 'project_not_found' } },
    )
    await everywhere(ask('/auth/me'), { status: 200 })
    await everywhere(ask(`/api/v0/organizations/${second.slug}/projects`), {
      json: { code: 'organization_not_found' },
    })
    await restore()
    await everywhere(ask(project()), { status: 200 })
  })
})
