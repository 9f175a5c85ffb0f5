import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BearingClient } from '@bearing/client/client'
import { DAY_MS } from '@bearing/contracts/durations'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { FLEET, MOVING } from '@bearing/start/demo/fleet'
import { moveOne } from '@bearing/start/demo/move-devices'
import { serveSignInLink } from '@bearing/start/demo/sign-in-link'
import { seedDemo } from '@bearing/start/start/demo'
import { readSecrets } from '@bearing/start/start/secrets'
import { openStateDirectory } from '@bearing/start/start/state-directory'
import { folderForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'

describe('the demo of `pnpm start`', () => {
  const { gatewayUrls, natsUrl, nkeySeeds, databaseUrls } = testStack()
  const [url = ''] = gatewayUrls
  const directory = folderForSuite()

  /** As a start does: what the one before has written is read again. */
  function start(fleet = true) {
    const state = openStateDirectory(directory)
    return seedDemo({
      ...{ url, state, secrets: readSecrets(state.secrets), note: () => undefined, databaseUrls, fleet },
      mails: { skipNext: () => undefined },
      messaging: { url: `nats://${new URL(natsUrl).host}`, nkeySeeds },
    })
  }

  it('has no device with --empty', async () => {
    const { client, organization, project } = await start(false)
    expect((await client.call('listDevices', { organization, project })).data).toEqual([])
  })

  it('has a fleet whose devices, chunks, usage and positions agree, and a second start adds nothing to it', async () => {
    const { client, userKey, email, organization, project } = await start()
    const scope = { organization, project }
    const user = new BearingClient({ url, credential: { kind: 'user', email, secret: userKey } })
    await start()
    const devices = await client.listAll('listDevices', scope)
    expect(devices).toHaveLength(FLEET.length)
    const { days } = await user.call('showOrganizationUsage', {
      organization: scope.organization,
      days: 32,
    })
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
    expect(sum(days.map(({ chunks }) => chunks.count))).toBe(sum(devices.map((device) => device.chunk_count)))
    expect(sum(days.map(({ chunks }) => chunks.bytes))).toBe(sum(devices.map((device) => device.chunk_bytes)))
    const overview = await client.call('showProjectOverview', { ...scope, period: '30d' })
    for (const point of overview.points) {
      const day = days.find((one) => one.day === point.at.slice(0, 10))
      expect(point).toMatchObject({ chunks: day?.chunks, lookups: day?.lookups })
    }
    expect(overview.devices).toMatchObject({ count: FLEET.length, seen: FLEET.length })
    const listed = await client.call('listLatestPositions', scope)
    const latest = 'data' in listed ? listed.data : []
    expect(latest).toHaveLength(FLEET.length)
    const coredumps = await client.listAll('listCoredumps', scope)
    for (const device of devices) {
      const of = { ...scope, device_serial: device.device_serial, per_page: 1 }
      const [chunks, positions] = await Promise.all([
        client.call('listChunks', of),
        client.call('listDevicePositions', of),
      ])
      expect(chunks.paging.total_count).toBe(device.chunk_count)
      expect(positions.paging.total_count).toBe(device.chunk_count)
      const file = coredumps.find(({ device_serial }) => device_serial === device.device_serial)
      const seen = [file?.created_at, positions.data[0]?.resolved_at].filter((at) => at !== undefined)
      expect(device.last_seen_at).toBe(seen.sort().at(-1))
      const { resolved_at, lat, lon } = latest.find((one) => one.device_serial === device.device_serial) ?? {}
      expect(positions.data[0]).toMatchObject({ resolved_at, lat, lon })
    }
    expect(new Set(devices.map(({ software_version }) => software_version)).size).toBe(3)
  })

  it('has coredumps of which half have symbols, a webhook that fails, and a token that ends in nine days', async () => {
    const { client, userKey, email, organization, project } = await start()
    const scope = { organization, project }
    const user = new BearingClient({ url, credential: { kind: 'user', email, secret: userKey } })
    const symbols = await client.listAll('listFiles', { ...scope, kind: 'symbols' })
    const versions = symbols.map(({ software_version }) => software_version)
    const coredumps = await client.listAll('listCoredumps', scope)
    expect(coredumps.map(({ software_version }) => versions.includes(software_version)).sort()).toEqual([
      ...[false, false, false, true, true, true],
    ])
    const webhooks = await user.listAll('listWebhooks', scope)
    expect(webhooks.map(({ state }) => state).sort()).toEqual(['active', 'failing'])
    for (const { id } of webhooks) {
      const { data } = await user.call('listWebhookDeliveries', { ...scope, webhook_id: id })
      expect(data.length).toBeGreaterThan(0)
    }
    const tokens = await user.listAll('listOrganizationTokens', { organization })
    const days = tokens.map(({ expires_at }) => (Date.parse(expires_at ?? '') - Date.now()) / DAY_MS)
    expect(days.map(Math.round)).toContain(9)
  })

  it('has devices that move', async () => {
    const demo = await start()
    const { client, organization, project } = demo
    const [{ serial: device_serial } = { serial: '' }] = MOVING
    const of = { organization, project, device_serial }
    const before = await client.call('showDevicePosition', of)
    await moveOne(demo, 0)
    await eventually(async () => {
      const after = await client.call('showDevicePosition', of)
      const device = await client.call('showDevice', of)
      expect(Date.parse(after.resolved_at)).toBeGreaterThan(Date.parse(before.resolved_at))
      expect(Date.parse(device.last_seen_at ?? '')).toBeGreaterThan(Date.parse(before.resolved_at))
    })
  })

  it('has a link that signs a browser in once', async () => {
    const { email, password } = await start()
    const link = await serveSignInLink({ url, email, password })
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/[\w-]{43}$/)
    const open = async (address: string, method = 'GET') => {
      const { status, headers } = await fetch(address, { method, redirect: 'manual' })
      return [status, headers.get('location'), headers.get('set-cookie')]
    }
    expect(await open(`${link}x`)).toEqual([410, null, null])
    expect(await open(link, 'HEAD')).toEqual([410, null, null])
    const [status, location, set] = await open(link)
    expect([status, location]).toEqual([303, `${url}/app`])
    const [cookie = ''] = String(set).split(';')
    const caller = await fetch(`${url}/auth/me`, { headers: { cookie } })
    expect(await caller.text()).toContain(email)
    expect(await open(link)).toEqual([410, null, null])
    expect(await (await fetch(link)).text()).toContain('DEMO_PASSWORD')
  })

  it('keeps an API key that its user created by hand, at every further start', async () => {
    const as = ({ email }: { email: string }, secret: string) =>
      new BearingClient({ url, credential: { kind: 'user', email, secret } })

    const first = await start()
    expect(first.userKey).toMatch(/^brgu_/)
    const { api_key: own } = await as(first, first.password).call('cycleUserKey', {})
    for (let times = 0; times < 2; times++) {
      const next = await start()
      await as(next, own).call('whoAmI', {})
      await as(next, next.userKey).call('whoAmI', {})
      expect(await readFile(join(directory, 'demo.env'), 'utf8')).toContain('DEMO_USER_API_KEY=')
    }
    await as(first, own).call('deleteUserKey', {})
    await eventually(async () => {
      expect((await start()).userKey).toMatch(/^brgu_/)
    })
  })
})
