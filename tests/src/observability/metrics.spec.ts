import { connectTo } from '@bearing/testing/connect-to'
import { randomUUID } from 'node:crypto'
import { CHUNK_HEADERS, chunkSubject, messageId } from '@bearing/contracts/management/data/chunk-message'
import { DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/data/dead-letter'
import { dataPolicyChanged } from '@bearing/contracts/management/data/data-policy'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { RECEIVER_ADDRESS, WebhookReceiver } from '../tools/webhook-receiver.js'

const PATIENCE = { withinMs: 60_000, everyMs: 500 }
/** URL at which no process listens. */
const NOWHERE = 'http://127.0.0.1:1'

describe('the metrics of a process', () => {
  const mails = forSuite(() => MailServer.start())
  const stack = forSuite(() =>
    startStack({
      gateways: 1,
      environment: {
        identity: { SMTP_URL: mails.url },
        management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32` },
      },
    }),
  )
  const own = forSuite(() => newOrganization(stack))
  const database = forSuite(() => connectTo(stack.adminDatabaseUrl))

  const scope = () => ({ organization: own.slug, project: own.project.slug })
  const invite = () =>
    own.admin.client.call('createInvitation', {
      ...{ organization: own.slug, email: `${randomUUID()}@example.com`, role: 'member' },
    })

  /** The value of one line, once it is as wanted. */
  async function once(service: string, line: string, wanted: (value: number) => boolean): Promise<void> {
    await eventually(async () => {
      const found = (await stack.metrics(service)).split('\n').find((one) => one.startsWith(`${line} `))
      const value = found === undefined ? undefined : Number(found.slice(line.length))
      if (value === undefined || !wanted(value)) throw new Error(`${line} is ${String(value)}`)
    }, PATIENCE)
  }
  const waits = async (service: string, queue: string, entries: number) => {
    await once(service, `bearing_queue_entries{queue="${queue}"}`, (value) => value === entries)
    const age = (value: number) => (entries > 0 ? value > 0 : value === 0)
    await once(service, `bearing_queue_oldest_age_seconds{queue="${queue}"}`, age)
  }
  const asked = (service: string, to: string, outcome: string) =>
    once(
      service,
      `bearing_outgoing_call_duration_seconds_count{to="${to}",outcome="${outcome}"}`,
      (value) => value > 0,
    )

  it('show the backlog of streams, for as long as it does', async () => {
    for (const queue of ['chunks', 'device-locations', 'dead-letters']) await waits('management', queue, 0)
    for (const queue of ['observations', 'rejected-observations']) await waits('location', queue, 0)
    const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
    const store = new MessageStore(connection)
    const ids = { organizationId: own.id, projectId: own.project.id, serial: 'x' }
    const id = messageId(randomUUID())
    await database.query('BEGIN; LOCK TABLE management.device_chunks')
    await store.store({
      ...{ subject: chunkSubject(ids), id, body: Buffer.from('abc') },
      headers: { [CHUNK_HEADERS.lengths]: '3' },
    })
    const letter = `${DEAD_LETTER_SUBJECT}.${own.id}.${own.project.id}.x`
    await store.store({ subject: letter, id: randomUUID(), body: Buffer.from('abc'), headers: {} })
    await waits('management', 'chunks', 1)
    await waits('management', 'dead-letters', 1)
    await database.query('ROLLBACK')
    await waits('management', 'chunks', 0)
    await connection.drain()
  })

  it('show the backlog of Postgres, for as long as it does, and continue while NATS is away', async () => {
    const layer = randomUUID()
    await database.query('INSERT INTO location.layers VALUES ($1, 0, 0, now())', [layer])
    await mails.stop()
    await invite()
    await stack.part('nats').stop()
    const holding = new pg.Client(stack.adminDatabaseUrl)
    await holding.connect()
    // If a check fails, the connection is cut off; only the check counts.
    holding.on('error', () => {})
    await holding.query('BEGIN')
    await holding.query('SELECT FROM location.layers WHERE organization_id = $1 FOR UPDATE', [layer])
    await database.query(
      `INSERT INTO location.imports (id, organization_id, content, digest, state, created_at)
       VALUES ($1, $2, 'positions', repeat('0', 64), 'committing', now())`,
      [randomUUID(), layer],
    )
    await database.query(
      'INSERT INTO management.outbox (id, subject, data, created_at) VALUES ($1, $2, $3, now())',
      [randomUUID(), dataPolicyChanged.subject, {}],
    )
    await waits('identity', 'mails', 1)
    await asked('identity', 'mail', 'unreachable')
    await waits('management', 'outbox', 1)
    await waits('location', 'imports', 1)
    await holding.query('ROLLBACK')
    await holding.end()
    await waits('location', 'imports', 0)
    // The commit is in the audit log, and announced to all caches of access points.
    for (const queue of ['audit', 'outbox']) await waits('location', queue, 1)
    expect(await stack.metrics('location')).not.toContain('queue="observations"')
    await mails.start()
    await stack.part('nats').start()
    for (const queue of ['audit', 'outbox', 'observations']) await waits('location', queue, 0)
    for (const queue of ['audit', 'outbox']) await waits('management', queue, 0)
    for (const queue of ['mails', 'outbox']) await waits('identity', queue, 0)
  })

  it('show results of outbound requests, without host and organization', async () => {
    await invite()
    await asked('identity', 'mail', 'ok')
    const connection = { organization: own.slug, name: 'Mine', issuer: NOWHERE, client_id: 'x' }
    await expect(own.admin.client.call('createSsoConnection', connection)).rejects.toThrow()
    await asked('identity', 'sso_provider', 'unreachable')
    await own.admin.client.call('setLocationFallback', { organization: own.slug, url: `${NOWHERE}/` })
    const macs = ['02:00:00:00:00:10', '02:00:00:00:02:00']
    const accessPoints = macs.map((macAddress) => ({ macAddress, signalStrength: -50 }))
    await eventually(async () => {
      await own.token.client.call('resolveWifiLocation', { ...scope(), accessPoints }).catch(() => undefined)
      expect(await stack.metrics('location')).toContain('{to="location_provider",outcome="unreachable"} ')
    }, PATIENCE)
    const receiver = await WebhookReceiver.start()
    const { id } = await own.token.client.call('createWebhook', { ...scope(), url: receiver.url })
    await own.token.client.call('testWebhook', { ...scope(), webhook_id: id })
    await asked('management', 'webhook', 'ok')
    await receiver.stop()
    for (const service of ['identity', 'management', 'location']) {
      const text = await stack.metrics(service)
      for (const secret of [own.id, own.slug, own.project.id, '127.0.0', 'example.com'])
        expect(text).not.toContain(secret)
    }
  })
})
