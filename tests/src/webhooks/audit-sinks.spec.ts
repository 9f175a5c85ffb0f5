import { gunzipSync } from 'node:zlib'
import { followChain, CHAIN_START } from '@bearing/access/audit-chain'
import { openCheckpoint } from '@bearing/access/checkpoint'
import type { AuditEntry } from '@bearing/contracts/identity/audit/audit-log'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { KEY, startS3 } from '../tools/s3-server.js'
import { SyslogReceiver } from '../tools/syslog-receiver.js'
import { RECEIVER_ADDRESS, WebhookReceiver, answering } from '../tools/webhook-receiver.js'

const patience = { withinMs: 90_000, everyMs: 200 }

type Line = AuditEntry & { readonly checkpoint?: string }

describe('the audit log', () => {
  const s3 = forSuite(() => startS3())
  const stack = stackForSuite({
    gateways: 1,
    services: ['identity', 'management'],
    environment: { management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32,127.0.0.1/32` } },
    constants: {
      identity: { CHECKPOINT_INTERVAL_S: 1 },
      management: {
        ...{ WEBHOOK_RETRY_DELAYS_S: [1, 1], WEBHOOK_PAUSE_AFTER_S: 60, WEBHOOK_TIMEOUT_MS: 5_000 },
        S3_OBJECT_AGE_MS: 100,
      },
    },
  })
  let own: TestOrganization
  let receiver: WebhookReceiver
  let syslog: SyslogReceiver

  const at = () => ({ organization: own.slug, project: own.project.slug })
  const client = () => own.admin.client

  beforeEach(async () => {
    own = await newOrganization(stack)
    receiver = await WebhookReceiver.start()
    syslog = await SyslogReceiver.start()
  })
  afterEach(async () => {
    await receiver.stop()
    await syslog.stop()
  })

  const create = {
    ndjson: (format: 'json' | 'ocsf' = 'json') =>
      client().call('createWebhook', {
        ...at(),
        url: receiver.url,
        destination: { kind: 'ndjson', source: 'audit_log', format },
      }),
    s3: () =>
      client().call('createWebhook', {
        ...at(),
        url: `${s3.url}/${s3.environment['S3_BUCKET'] ?? ''}/audit/${own.slug}`,
        destination: {
          ...{ kind: 's3', source: 'audit_log', region: 'us-east-1', object_lock_days: 30 },
          access_key_id: KEY.id,
          secret_access_key: KEY.secret,
        },
      }),
    syslog: () =>
      client().call('createWebhook', {
        ...at(),
        url: syslog.url,
        destination: { kind: 'syslog', ca_certificate: syslog.certificate },
      }),
  }
  const lines = (bytes: Uint8Array) =>
    gunzipSync(bytes)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  /** Rows that each kind has accepted, in order. */
  const received = {
    ndjson: () => Promise.resolve(receiver.received.flatMap(({ bytes }) => lines(bytes))),
    s3: async () => (await s3.contents(`audit/${own.slug}/`)).flatMap(({ bytes }) => lines(bytes)),
    syslog: () => Promise.resolve(syslog.messages().map(({ text }) => JSON.parse(text) as Line)),
  }
  const stored = async () => {
    const found: AuditEntry[] = []
    for await (const row of client().stream('exportAuditEntries', { organization: own.slug })) found.push(row)
    return found
  }

  it.each(['ndjson', 's3', 'syslog'] as const)(
    'arrives at %s without a gap and in order, although services and the receiver end again and again',
    async (kind) => {
      await create[kind]()
      let answers = 0
      const isRefused = () => ++answers % 3 !== 0
      receiver.answer = (reply, request) => {
        answering(isRefused() ? 503 : 204)(reply, request)
      }
      syslog.isRefused = isRefused
      s3.fault = (request, response) => {
        if (!isRefused()) return false
        request.resume()
        response.writeHead(503).end()
        return true
      }
      for (let index = 0; index < 12; index++) {
        await eventually(() => newToken(own, stack), patience)
        if (index % 4 !== 1) continue
        const killed = stack.part(index === 5 ? 'identity' : 'management')
        await killed.kill()
        await killed.start()
        await receiver.restart()
      }
      receiver.answer = answering(204)
      syslog.isRefused = () => false
      s3.fault = undefined
      const all = await eventually(async () => {
        const expected = await stored()
        const rows = (await received[kind]()).filter(({ checkpoint }) => checkpoint === undefined)
        const once = [...new Map(rows.map((row) => [row.id, row])).values()]
        expect(once.map(({ sequence }) => sequence)).toEqual(expected.map(({ sequence }) => sequence))
        return once
      }, patience)
      expect(await followChain(CHAIN_START, all)).toMatchObject({ fault: null, end: { length: all.length } })
      // A repeated row never comes after a later one that was accepted.
      const { verification_keys } = await client().call('listAuditCheckpoints', { organization: own.slug })
      const notes = (await received[kind]()).flatMap(({ checkpoint }) => checkpoint ?? [])
      expect(notes.length).toBeGreaterThan(0)
      for (const note of notes) {
        const checkpoint = openCheckpoint(note, verification_keys)
        expect(checkpoint?.hash).toBe(all[(checkpoint?.size ?? 0) - 1]?.hash)
      }
    },
  )

  it('locks objects in a bucket, with headers that the URL is signed with', async () => {
    const headers: unknown[] = []
    s3.fault = ({ headers: sent, url }) => {
      headers.push({ ...sent, signed: new URL(url ?? '', s3.url).searchParams.get('X-Amz-SignedHeaders') })
      return false
    }
    await create.s3()
    await eventually(async () => expect((await received.s3()).length).toBeGreaterThan(0), patience)
    s3.fault = undefined
    const [first] = headers
    expect(first).toMatchObject({
      'content-md5': expect.any(String),
      'x-amz-object-lock-mode': 'COMPLIANCE',
      signed: 'content-md5;host;x-amz-object-lock-mode;x-amz-object-lock-retain-until-date',
    })
    const until = Date.parse((first as Record<string, string>)['x-amz-object-lock-retain-until-date'] ?? '')
    expect(Math.abs(until - Date.now() - 30 * 86_400_000)).toBeLessThan(600_000)
  })

  it('is syslog in frames that count bytes, with facility, severity, time and action', async () => {
    await create.syslog()
    await eventually(() => expect(syslog.messages().length).toBeGreaterThan(2), patience)
    for (const { header, text } of syslog.messages()) {
      const row = JSON.parse(text) as Line
      if (row.checkpoint === undefined) expect(header).toBe(`<109>1 ${row.at} - bearing - ${row.action} -`)
      else expect(header).toMatch(/^<109>1 \S+ - bearing - checkpoint -$/)
    }
  })

  it('is events of OCSF if the destination asks for them, each with the row', async () => {
    await create.ndjson('ocsf')
    const created = await eventually(async () => {
      const events = (await received.ndjson()) as unknown as Readonly<Record<string, unknown>>[]
      expect(events.length).toBeGreaterThan(2)
      // A checkpoint among them has no metadata.
      const found = events.find(
        ({ metadata }) => (metadata as { event_code: string } | undefined)?.event_code === 'webhook.created',
      )
      expect(found).toBeDefined()
      return found
    }, patience)
    expect(created).toMatchObject({
      ...{
        category_uid: 6,
        class_uid: 6003,
        activity_id: 1,
        type_uid: 600_301,
        severity_id: 1,
        status_id: 1,
      },
      metadata: { product: { name: 'Bearing' }, tenant_uid: own.id },
      actor: { user: { uid: own.admin.id } },
      api: { operation: 'webhook.created', service: { name: 'management' } },
      src_endpoint: { ip: '127.0.0.1' },
      unmapped: { action: 'webhook.created' },
    })
  })

  it('goes nowhere at the word of somebody who may not read it, and is not stopped by them either', async () => {
    const sink = await create.ndjson()
    const webhook = { ...at(), webhook_id: sink.id }
    expect(sink).toMatchObject({ events: ['audit_log.recorded'], state: 'active' })
    const manager = own.token.client
    const denied = { code: 'permission_denied' }
    await expect(
      manager.call('createWebhook', {
        ...at(),
        url: receiver.url,
        destination: { kind: 'ndjson', source: 'audit_log' },
      }),
    ).rejects.toMatchObject(denied)
    await expect(manager.call('changeWebhook', { ...webhook, paused: true })).rejects.toMatchObject(denied)
    await expect(manager.call('rotateWebhook', webhook)).rejects.toMatchObject(denied)
    await expect(manager.call('testWebhook', webhook)).rejects.toMatchObject(denied)
    await expect(manager.call('deleteWebhook', webhook)).rejects.toMatchObject(denied)
    await expect(
      manager.call('redeliverWebhook', { ...webhook, since: '2027-01-01T00:00:00Z' }),
    ).rejects.toMatchObject(denied)
    const url = syslog.url.replace(RECEIVER_ADDRESS, '10.1.2.3')
    await expect(
      client().call('createWebhook', { ...at(), url, destination: { kind: 'syslog' } }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('of an organization that lacks a row stops there, and the log of another arrives', async () => {
    const broken = own
    const { id: webhook_id } = await create.ndjson()
    const webhook = { ...at(), webhook_id }
    await receiver.got(1)
    await client().call('changeWebhook', { ...webhook, paused: true })
    const rowsOf = async ({ id }: TestOrganization) =>
      (await received.ndjson())
        .filter((row) => row.organization_id === id)
        .map(({ sequence }) => sequence ?? 0)
    const next = Math.max(...(await rowsOf(broken))) + 1
    await newToken(broken, stack)
    await eventually(async () => expect((await stored()).at(-1)?.sequence).toBeGreaterThan(next), patience)
    const database = new pg.Client(stack.adminDatabaseUrl)
    await database.connect()
    await database.query('DELETE FROM identity.audit_log WHERE chain = $1 AND sequence = $2', [
      broken.id,
      next,
    ])
    await database.end()
    await client().call('changeWebhook', { ...webhook, paused: false })
    own = await newOrganization(stack)
    await create.ndjson()
    await eventually(async () => expect(await rowsOf(own)).not.toEqual([]), patience)
    expect(Math.max(...(await rowsOf(broken)))).toBeLessThan(next)
    const { lag } = await broken.admin.client.call('showWebhookUsage', webhook)
    expect(lag?.items).toBeGreaterThan(0)
  })

  it('continues where it was after a pause, and shows how far it is behind', async () => {
    const { id: webhook_id } = await create.ndjson()
    const webhook = { ...at(), webhook_id }
    await receiver.got(1)
    await client().call('changeWebhook', { ...webhook, paused: true })
    await newToken(own, stack)
    const { lag } = await client().call('showWebhookUsage', webhook)
    expect(lag?.items).toBeGreaterThan(0)
    await client().call('changeWebhook', { ...webhook, paused: false })
    await eventually(async () => {
      expect((await client().call('showWebhookUsage', webhook)).lag).toEqual({ items: 0, seconds: 0 })
    }, patience)
  })
})
