import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { bearing, spawnBearing, type Ended } from '../tools/bearing.js'
import { WebhookReceiver, answering, isSignedWith } from '../tools/webhook-receiver.js'

interface Shown {
  readonly id: string
  readonly secret?: string
}

describe('bearing webhooks', () => {
  const own = forSuite(() => newOrganization())
  const receiver = forSuite(() => WebhookReceiver.start())

  const run = (...args: string[]) => bearing(own, ['webhooks', ...args])
  const json = async (...args: string[]) => {
    const ended: Ended = await run('--json', ...args)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(ended.stdout) as unknown
  }

  it('makes, shows, tests, changes, rotates, lists and deletes webhooks; a secret is in no other output', async () => {
    const made = (await json('create', receiver.url, '--description', 'Pager')) as Required<Shown>
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made).toMatchObject({ events: ['device.first_seen', 'coredump.uploaded'], state: 'active' })

    expect(await json('test', made.id)).toMatchObject({
      state: 'delivered',
      status: 204,
      event: 'webhook.test',
    })
    const [request] = receiver.received
    expect(request && isSignedWith(request, made.secret)).toBe(true)
    receiver.answer = answering(503)
    expect(await run('test', made.id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('503 refused'),
      stderr: expect.stringContaining('The receiver did not accept it.'),
    })

    expect((await run('redeliver', made.id)).code).toBe(2)
    expect((await run('redeliver', made.id, '--since', '2h', '--delivery', made.id)).code).toBe(2)
    expect(await json('redeliver', made.id, '--since', '2h')).toEqual({ redelivered: 0, unavailable: 0 })

    const changed = await run(
      ...['set', made.id, '--event', 'device.location_resolved', '--event', 'coredump.uploaded'],
      ...['--paused', 'yes', '--description', ''],
    )
    expect(changed).toMatchObject({ code: 0 })
    expect(changed.stdout).toContain('device.location_resolved coredump.uploaded')
    expect(changed.stdout).toMatch(/paused since .* \(by a user\)/)
    expect((await run('set', made.id)).code).toBe(2)
    expect((await run('set', made.id, '--event', 'device.exploded')).code).toBe(2)
    expect((await run('set', made.id, '--address', 'https://10.0.0.1/')).code).toBe(1)

    const rotated = (await json('rotate', made.id, '--grace', '2d')) as Required<Shown>
    expect(rotated.secret).not.toBe(made.secret)
    expect(rotated).toMatchObject({ previous_secret_until: expect.any(String) })
    expect(await json('rotate', made.id, '--immediately')).toMatchObject({ previous_secret_until: null })
    const printed = await run('rotate', made.id)
    expect(printed.stdout).toContain('whsec_')
    expect(printed.stderr).toContain('shown only once')

    const list = [await run('list'), await run('show', made.id), await run('deliveries', 'list', made.id)]
    for (const { code, stdout, stderr } of list) {
      expect(code).toBe(0)
      expect(stdout).not.toBe('')
      expect(stdout + stderr).not.toContain('whsec_')
    }
    expect(list[2]?.stdout).toMatch(/webhook\.test .* failed .* 503 refused/)
    expect(await run('delete', made.id)).toMatchObject({ code: 0 })
    expect(await json('list')).toEqual([])
    expect((await run('show', made.id)).code).toBe(1)
  })

  it('listen sends to a local port what a webhook of the project receives, signed with the secret that it prints', async () => {
    const local = await WebhookReceiver.start('127.0.0.1')
    const { id } = (await json('create', receiver.url)) as Shown
    const [hooked, before] = [receiver.received.length, receiver.received.length + 2]
    receiver.answer = answering(204)
    const listening = spawnBearing(
      ['webhooks', 'listen', String(local.port), '--interval', '1', '-o', 'ndjson'],
      {
        BEARING_URL: testStack().gatewayUrls[0],
        ...{ BEARING_ORG: own.slug, BEARING_PROJECT: own.project.slug, BEARING_ORG_TOKEN: own.token.token },
      },
    )
    try {
      const lines = createInterface({ input: listening.stdout })[Symbol.asyncIterator]()
      const { secret } = JSON.parse(String((await lines.next()).value)) as { secret: string }
      const folder = await mkdtemp(join(tmpdir(), 'bearing-listen-'))
      await writeFile(join(folder, 'core.bin'), 'a coredump')
      const upload = ['coredumps', 'upload', join(folder, 'core.bin'), '--device', 'LISTENED-1']
      expect(await bearing(own, upload)).toMatchObject({ code: 0 })
      await rm(folder, { recursive: true })
      const sent = (await receiver.got(before)).slice(hooked).map(({ json }) => json)
      const got = await local.got(2)
      expect(sent.map(({ type }) => type).sort()).toEqual(['coredump.uploaded', 'device.first_seen'])
      expect(got.map(({ json }) => json)).toEqual(expect.arrayContaining(sent))
      for (const one of got) expect(isSignedWith(one, secret)).toBe(true)
    } finally {
      listening.kill()
      await Promise.all([run('delete', id), local.stop()])
    }
  })

  it('of a deleted token stay active, and deleting the token prints where to find them', async () => {
    const stolen = await newToken(own)
    const { id } = await stolen.client.call('createWebhook', {
      organization: own.slug,
      project: own.project.slug,
      url: receiver.url,
    })
    const { email, apiKey } = own.admin
    const asAdmin = (...args: string[]) =>
      bearing(own, args, { BEARING_ORG_TOKEN: undefined, BEARING_EMAIL: email, BEARING_PASSWORD: apiKey })
    const deleted = await asAdmin('org-tokens', 'delete', stolen.id)
    expect(deleted.code).toBe(0)
    const [, hint = ''] = /"bearing (audit-log list --actor [0-9a-f-]{36})"/.exec(deleted.stderr) ?? []
    // Management hands its rows over a moment later.
    await eventually(async () => {
      const { stdout } = await asAdmin('--json', ...hint.split(' '))
      expect(JSON.parse(stdout)).toMatchObject([{ action: 'webhook.created', target: `webhook:${id}` }])
    })
    expect(await json('show', id)).toMatchObject({ state: 'active' })
  })
})
