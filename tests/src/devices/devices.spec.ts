import { randomUUID } from 'node:crypto'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { clearOfMidnight } from '../tools/clear-of-midnight.js'
import { TestDevice } from '../tools/device-data.js'
import type { RawReply } from '../tools/raw-http.js'

describe('devices and what they may send', () => {
  const own = forSuite(() => newOrganization())
  let project: TestProject
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const device = () => new TestDevice(gateway(), own, project)

  beforeEach(async () => {
    project = await newProject(own)
  })

  const change = (policy: Partial<typeof DEFAULT_DATA_POLICY>) =>
    own.token.client.call('changeDataPolicy', {
      organization: own.slug,
      project: project.slug,
      ...DEFAULT_DATA_POLICY,
      ...policy,
    })

  /** 503 and never 429: devices take that for final. */
  function expectOverQuota(reply: RawReply): void {
    expect(reply.status).toBe(503)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'rate_limited' })
  }

  it('where only known devices may send, others are refused, and one that is registered is let in', async () => {
    const [registered, outsider, old] = [device(), device(), device()]
    expect((await old.send('x')).status).toBe(202)
    await old.stored(1)
    await change({ known_devices_only: true })
    await eventually(async () => {
      const reply = await outsider.send('x')
      expect(reply.status).toBe(403)
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'device_not_known' })
    })
    expect((await old.send('y')).status).toBe(202)
    const { registered_at } = await own.token.client.call('registerDevice', {
      ...registered.address,
      hardware_version: 'evt',
    })
    expect(registered_at).not.toBeNull()
    expect((await registered.send('x')).status).toBe(202)
    await registered.stored(1)
    expect(await own.token.client.call('showDevice', registered.address)).toMatchObject({
      hardware_version: 'evt',
      chunk_count: 1,
      registered_at,
    })
  })

  it('over the quota of requests of a device it is rejected until later, and other devices are not', async () => {
    const [one, other] = [device(), device()]
    await change({ device_requests_per_minute: 2 })
    await eventually(async () => {
      expectOverQuota(await one.send('x'))
    })
    expect((await other.send('x')).status).toBe(202)
  })

  it('counts a request of a device against its quota before the body is split, so malformed bodies count too', async () => {
    const one = device()
    const malformed = () => one.send('no boundary', ['Content-Type: multipart/mixed; boundary=b'])
    await change({ device_requests_per_minute: 1 })
    await eventually(async () => {
      await malformed()
      expectOverQuota(await malformed())
    })
  })

  it('does not count what holds the chunks of a body together against the quota of bytes of a day', async () => {
    await clearOfMidnight()
    await change({ bytes_per_day: 300 })
    const one = device()
    const parts = `--b\r\n\r\n${'x'.repeat(60)}\r\n`.repeat(2)
    await eventually(async () => {
      expectOverQuota(await one.send('x'.repeat(301)))
    })
    for (let i = 0; i < 2; i++)
      expect((await one.send(`${parts}--b--`, ['Content-Type: multipart/mixed; boundary=b'])).status).toBe(
        202,
      )
    expect((await one.send('x'.repeat(60))).status).toBe(202)
    expectOverQuota(await one.send('x'))
  })

  it('over the quota of requests of a project all of its devices are, and those of other projects are not', async () => {
    await change({ requests_per_minute: 1 })
    await eventually(async () => {
      expectOverQuota(await device().send('x'))
    })
    const elsewhere = new TestDevice(gateway(), own, own.project)
    expect((await elsewhere.send('x')).status).toBe(202)
  })

  it('over the quota of bytes of a day nothing more is taken until it is raised', async () => {
    await clearOfMidnight()
    await change({ bytes_per_day: 100 })
    const one = device()
    await eventually(async () => {
      expectOverQuota(await one.send('x'.repeat(101)))
    })
    expect((await one.send('x'.repeat(60))).status).toBe(202)
    expectOverQuota(await one.send('x'.repeat(60)))
    await change({ bytes_per_day: 10_000 })
    await eventually(async () => {
      expect((await one.send('x'.repeat(60))).status).toBe(202)
    })
  })

  it('a policy is shown as it was changed, and the change is in the audit log', async () => {
    const address = { organization: own.slug, project: project.slug }
    expect(await own.token.client.call('showDataPolicy', address)).toEqual(DEFAULT_DATA_POLICY)
    const policy = { ...DEFAULT_DATA_POLICY, retention_days: 30, bytes_per_day: 2 ** 40 }
    expect(await change(policy)).toEqual(policy)
    expect(await own.token.client.call('showDataPolicy', address)).toEqual(policy)
    await eventually(
      async () => {
        const entries = await own.admin.client.listAll('listAuditEntries', { organization: own.slug })
        expect(entries.map(({ action, target }) => `${action} ${target}`)).toContain(
          `data_policy.changed project:${project.id}`,
        )
      },
      { everyMs: 100 },
    )
  })

  it('a deleted device is gone with all that it has sent, which the reply proves; what it sends later is a new device', async () => {
    const [one, other] = [device(), device()]
    for (let i = 0; i < 5; i++) expect((await one.send(`chunk ${String(i)}`)).status).toBe(202)
    await other.send('stays')
    await one.stored(5)
    const before = await own.token.client.call('showDevice', one.address)
    const [chunk] = await own.token.client.listAll('listChunks', one.address)
    const deleted = await own.token.client.call('deleteDevice', one.address)
    expect(deleted).toMatchObject({
      device_serial: one.serial,
      deleted: { chunks: 5, bytes: 35, files: 0, dead_letters: 0 },
      left: { devices: 0, chunks: 0, files: 0, dead_letters: 0 },
    })
    const gone = { code: 'device_not_found' }
    await expect(own.token.client.call('showDevice', one.address)).rejects.toMatchObject(gone)
    await expect(own.token.client.call('deleteDevice', one.address)).rejects.toMatchObject(gone)
    await expect(one.download(chunk?.id ?? randomUUID())).rejects.toThrow('404')
    expect(await other.stored(1)).toEqual(['stays'])
    expect((await one.send('again')).status).toBe(202)
    expect(await one.stored(1)).toEqual(['again'])
    const after = await own.token.client.call('showDevice', one.address)
    expect(after.chunk_count).toBe(1)
    expect(after.id).not.toBe(before.id)
  })

  it('devices are listed in the order of serial numbers, page by page; another project has none of them', async () => {
    const devices = [device(), device(), device()]
    for (const one of devices) await one.send('x')
    for (const one of devices) await one.stored(1)
    const address = { organization: own.slug, project: project.slug }
    const serials = devices.map(({ serial }) => serial).sort()
    const first = await own.token.client.call('listDevices', { ...address, per_page: 2 })
    const second = await own.token.client.call('listDevices', { ...address, per_page: 2, page: 2 })
    expect([...first.data, ...second.data].map(({ device_serial }) => device_serial)).toEqual(serials)
    expect(first.paging).toMatchObject({ page_count: 2, total_count: 3 })
    const elsewhere = await own.token.client.listAll('listDevices', { ...address, project: own.project.slug })
    expect(elsewhere.map(({ device_serial }) => device_serial)).not.toEqual(expect.arrayContaining(serials))
  })
})
