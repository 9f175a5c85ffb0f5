import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { TestDevice } from '../tools/device-data.js'
import { SyslogReceiver } from '../tools/syslog-receiver.js'
import { answering, isSignedWith, WebhookReceiver } from '../tools/webhook-receiver.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { expectNarrow, expectSound } from './expect-sound.js'

describeInBrowser('the pages of webhooks', (visit) => {
  let organization: TestOrganization
  let receiver: WebhookReceiver
  let folder: string
  const webhooks = () => `/app/o/${organization.slug}/p/${organization.project.slug}/webhooks`

  beforeAll(async () => {
    ;[organization, receiver, folder] = await Promise.all([
      newOrganization(),
      WebhookReceiver.start(),
      mkdtemp(join(tmpdir(), 'bearing-recipe-')),
    ])
  })

  afterAll(async () => {
    await receiver.stop()
    await rm(folder, { recursive: true })
  })

  it('create a webhook, show its secret once, send a test, and have code that verifies it', async () => {
    const { visitor, page } = await visit(organization.admin, webhooks())
    await visitor.sees('Webhooks')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog').getByLabel('URL').fill(receiver.url)
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('link', { name: receiver.url }).click()
    await visitor.sees('Webhook')
    await page.getByRole('button', { name: 'Send a test now' }).click()
    await page.getByText('The receiver accepted it: 204').waitFor()
    await page.getByRole('rowheader', { name: 'Test' }).waitFor()
    const [received] = await receiver.got(1)
    if (!received) throw new Error('nothing was received')
    expect(isSignedWith(received, secret)).toBe(true)
    await expectGone(visitor, secret)
    // The code on the page is run as it is.
    const code = await page.locator('.command pre', { hasText: 'timingSafeEqual' }).innerText()
    const path = join(folder, 'recipe.mjs')
    await writeFile(path, code)
    const { verify } = (await import(path)) as { verify: (...delivery: unknown[]) => void }
    verify(received.headers, received.body, secret)
    expect(() => verify(received.headers, `${received.body} `, secret)).toThrow('the signature is wrong')
    await expectSound(visitor, 'webhook')
    await expectNarrow(visitor, 'webhook')
  })

  it('create a destination, whose credentials no command contains, and compare both sides', async () => {
    const { visitor, page } = await visit(organization.admin, webhooks())
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const url = new URL('/old', receiver.url).href
    await dialog.getByLabel('URL').fill(url)
    await dialog.getByRole('button', { name: /Destination/ }).click()
    await page.getByRole('option', { name: 'Another service for devices' }).click()
    await dialog.getByLabel('Header of the project key').fill('Vendor-Key')
    await dialog.getByLabel('Project key there').fill('planted')
    await dialog.getByText('As a command').click()
    await dialog.getByText('--to device_api').waitFor()
    expect(await dialog.innerText()).not.toContain('planted')
    await expectSound(visitor, 'webhook-destination')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: url }).click()
    await page.getByText('Items that devices sent per day', { exact: true }).waitFor()
    await expectGone(visitor, 'planted')
    await expectSound(visitor, 'webhook-of-data')
  })

  it('rotate the secret by keyboard alone, and show a refused delivery with its next try', async () => {
    const { id } = await organization.admin.client.call('createWebhook', {
      organization: organization.slug,
      project: organization.project.slug,
      url: receiver.url,
    })
    receiver.answer = answering(500)
    const { visitor, page } = await visit(organization.admin, `${webhooks()}/${id}`)
    await page.getByRole('button', { name: 'Rotate the secret' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('For 1 more day').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).focus()
    await page.keyboard.press('Enter')
    const secret = await page.locator('[data-secret]').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).focus()
    await page.keyboard.press('Enter')
    await expectGone(visitor, secret)
    await page.getByText(/signs for (23:\d\d:\d\d|1 d 00:00:00) more/).waitFor()
    await page.getByRole('button', { name: 'Send a test now' }).click()
    await page.getByText('The receiver did not accept it: 500, refused').waitFor()
  })

  it('send a failed delivery again with the button at it, and show the command for it', async () => {
    const at = { organization: organization.slug, project: organization.project.slug }
    const { id } = await organization.admin.client.call('createWebhook', { ...at, url: receiver.url })
    receiver.answer = answering(503)
    const one = new TestDevice(testStack().gatewayUrls[0] ?? '', organization, organization.project)
    await one.send('x')
    const failed = await failDelivery(id)
    receiver.answer = answering(204)
    const before = receiver.received.length
    const { visitor, page } = await visit(organization.admin, `${webhooks()}/${id}`)
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('As a command').click()
    await dialog.getByText(`webhooks redeliver ${id} --delivery ${failed}`).waitFor()
    await expectSound(visitor, 'webhook-redeliver')
    await dialog.getByRole('button', { name: 'Redeliver' }).click()
    await dialog.getByText('Queued again: 1.').waitFor()
    await eventually(() => {
      const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])
      expect(ids).toContain(failed)
    })
  })

  /** Waits for the first attempt of a delivery, lets the delivery fail, and returns its id. */
  async function failDelivery(webhookId: string): Promise<string> {
    const client = new pg.Client(testStack().databaseUrls.management)
    await client.connect()
    try {
      return await eventually(async () => {
        const { rows } = await client.query<{ id: string }>(
          `UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempts = attempts + 1
           WHERE webhook_id = $1 AND last_attempt_at IS NOT NULL RETURNING id`,
          [webhookId],
        )
        const [row] = rows
        if (!row) throw new Error('none was attempted')
        return row.id
      })
    } finally {
      await client.end()
    }
  }

  it('show a member no URL, and why', async () => {
    const { project } = organization
    const member = await newMember(organization, 'member', [{ project, role: 'member' }])
    const { visitor } = await visit(member, webhooks())
    await visitor.sees('Webhooks')
    await visitor.page.getByText('URLs often contain a secret').waitFor()
    expect(visitor.urls.filter((url) => url.endsWith('/webhooks') && url.includes('/api/'))).toEqual([])
  })

  it('create a sink of the audit log, which receives it from its first row', async () => {
    const sink = await WebhookReceiver.start()
    const { visitor, page } = await visit(organization.admin, webhooks())
    await visitor.sees('Webhooks')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill(sink.url)
    await choose(page, 'Destination', 'A receiver of batches')
    await choose(page, 'What it receives', 'The audit log')
    await choose(page, 'Form', 'OCSF')
    await expectSound(visitor, 'sink')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('row', { name: sink.url }).getByText('The audit log').waitFor()
    const [received] = await sink.got(1)
    const [first = ''] = gunzipSync(received?.bytes ?? new Uint8Array())
      .toString()
      .split('\n')
    expect(JSON.parse(first)).toMatchObject({ class_uid: 6003, unmapped: { sequence: 1 } })
    await sink.stop()
  })

  it('create sinks in a bucket and at a receiver of syslog, with every field of their forms', async () => {
    const syslog = await SyslogReceiver.start()
    const { visitor, page } = await visit(organization.admin, webhooks())
    await visitor.sees('Webhooks')
    const dialog = page.getByRole('dialog')
    const open = async (url: string, destination: string) => {
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await dialog.getByLabel('URL').fill(url)
      await choose(page, 'Destination', destination)
    }
    const create = async () => {
      const request = page.waitForRequest(
        (sent) => sent.method() === 'POST' && sent.url().endsWith('/webhooks'),
      )
      await dialog.getByRole('button', { name: 'Create' }).click()
      await dialog.waitFor({ state: 'detached' })
      return (await request).postDataJSON() as unknown
    }
    const bucket = new URL('/bucket/audit', receiver.url).href
    await open(bucket, 'A bucket (S3)')
    await choose(page, 'What it receives', 'The audit log')
    await choose(page, 'Form', 'OCSF')
    await dialog.getByLabel('Region').fill('eu-central-1')
    await dialog.getByLabel('Access key id').fill('KEYID')
    await dialog.getByLabel('Secret access key').fill('planted')
    await dialog.getByLabel('Lock objects for days (optional)').fill('30')
    await dialog.getByText('As a command').click()
    await dialog.getByText('--lock-days 30').waitFor()
    expect(await dialog.innerText()).not.toMatch(/planted|KEYID/)
    await expectSound(visitor, 'sink in a bucket')
    expect(await create()).toMatchObject({
      destination: {
        ...{ kind: 's3', source: 'audit_log', format: 'ocsf', region: 'eu-central-1' },
        ...{ access_key_id: 'KEYID', secret_access_key: 'planted', object_lock_days: 30 },
      },
    })
    await expectGone(visitor, 'planted')
    await open(syslog.url, 'A receiver of syslog')
    await choose(page, 'Form', 'OCSF')
    await dialog.getByLabel('CA certificate (optional)').fill(syslog.certificate)
    await expectSound(visitor, 'sink of syslog')
    expect(await create()).toMatchObject({ destination: { kind: 'syslog', format: 'ocsf' } })
    const { data } = await organization.admin.client.call('listWebhooks', {
      ...{ organization: organization.slug, project: organization.project.slug },
    })
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 's3', url: bucket, events: ['audit_log.recorded'] }),
        expect.objectContaining({ kind: 'syslog', url: syslog.url, events: ['audit_log.recorded'] }),
      ]),
    )
    // Without the certificate of the form the receiver would not be trusted.
    const text = await eventually(
      () => syslog.messages()[0]?.text ?? Promise.reject(new Error('nothing came')),
      { withinMs: 60_000 },
    )
    expect(JSON.parse(text)).toMatchObject({ class_uid: 6003 })
    await syslog.stop()
  })
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}
