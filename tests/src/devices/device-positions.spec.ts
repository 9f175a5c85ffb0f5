import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { Browser } from '../tools/browser.js'
import { TestDevice } from '../tools/device-data.js'
import { send, type Reply } from '../tools/http.js'

/** An access point is made known within this time, in milliseconds. */
const KNOWN_MS = 30_000
const NONE = { code: 'position_not_found' }

describe('where devices are', () => {
  const own = forSuite(() => newOrganization())
  let project: TestProject
  const gateway = (index = 0) => testStack().gatewayUrls[index] ?? ''
  /** Two radios that nobody else has: they differ before the last digit. */
  const prefix = `02:${randomBytes(3)
    .toString('hex')
    .replaceAll(/..(?=.)/g, '$&:')}`
  const accessPoints = [`${prefix}:10:00`, `${prefix}:20:00`].map((macAddress) => ({
    macAddress,
    signalStrength: -50,
  }))

  const address = (of: TestProject = project) => ({ organization: own.slug, project: of.slug })
  const path = (of: TestProject, what: string) =>
    `/v1/organizations/${own.slug}/projects/${of.slug}/location/${what}`

  function ask(body: object, credential: PresentedCredential, of = project): Promise<Reply> {
    return send(gateway(), 'POST', path(of, 'wifi'), { credential, body: { accessPoints, ...body } })
  }

  const storing = (of = project, store_positions = true) =>
    own.token.client.call('changePositionPolicy', { ...address(of), store_positions, retention_days: 30 })

  const all = (device_serial: string, of = project) =>
    own.token.client.listAll('listDevicePositions', { ...address(of), device_serial })

  beforeAll(async () => {
    const { client } = own.token
    const begun = await client.call('beginImport', {
      organization: own.slug,
      content: 'positions',
      digest: randomBytes(32).toString('hex'),
    })
    const one = { organization: own.slug, import_id: begun.id }
    const rows = accessPoints.map(({ macAddress }): [string, number, number, null] => [
      macAddress,
      48,
      11,
      null,
    ])
    await client.call('appendToImport', { ...one, batch: 0, rows })
    await client.call('commitImport', { ...one, batches: 1, rows: rows.length })
    await eventually(
      async () => expect((await ask({}, own.token.credential, own.project)).status).toBe(200),
      { withinMs: KNOWN_MS },
    )
  })

  beforeEach(async () => {
    project = await newProject(own)
  })

  it('are stored where the project has opted in, for every caller that may resolve locations, and shown to its members only', async () => {
    const serial = 'UNIT-7'
    expect((await ask({ device_id: serial }, own.token.credential)).json).toMatchObject({ stored: false })
    await storing()
    const { token } = await own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description: 'locates alone',
      permissions: ['location:resolve'],
    })
    const narrow = { kind: 'organization_token', token } as const
    const found = await ask({ device_id: serial }, narrow)
    expect(found.json).toMatchObject({ stored: true, fulfilledWith: 'WIFI' })
    const last = await own.token.client.call('showDevicePosition', { ...address(), device_serial: serial })
    expect(last).toMatchObject({ lat: found.json?.['lat'], lon: found.json?.['lon'], confidence: 68 })
    const reader = await newMember(own, 'member', [{ project, role: 'reader' }])
    const readers = { kind: 'user', email: reader.email, secret: reader.password } as const
    for (const credential of [narrow, readers])
      for (const what of ['position', 'positions'])
        expect(
          await send(gateway(), 'GET', path(project, `devices/${serial}/${what}`), { credential }),
        ).toMatchObject({ status: 403, json: { code: 'permission_denied' } })
  })

  it('are stored before 204 is answered, and of requests that travel together each for its device', async () => {
    await storing()
    const { credential } = own.token
    const serials = Array.from({ length: 60 }, (_, index) => `BATCH-${String(index)}`)
    const replies = await Promise.all(
      serials.map((device_id) => ask({ device_id, reply: false }, credential)),
    )
    expect(replies.map(({ status, text }) => [status, text])).toEqual(serials.map(() => [204, '']))
    for (const serial of serials) expect(await all(serial)).toHaveLength(1)
  })

  it('are those of their project: the same serial number elsewhere is another device', async () => {
    const sibling = await newProject(own)
    await Promise.all([storing(), storing(sibling)])
    const { credential } = own.token
    await ask({ device_id: 'SAME' }, credential)
    expect(await all('SAME', sibling)).toEqual([])
    await ask({ device_id: 'SAME' }, credential, sibling)
    const gone = await own.token.client.call('deleteDevicePositions', {
      ...address(sibling),
      device_serial: 'SAME',
    })
    expect(gone).toMatchObject({ deleted: { positions: 1 }, left: { positions: 0 } })
    expect(await all('SAME')).toHaveLength(1)
    const outsider = await newOrganization()
    const theirs = await send(gateway(), 'GET', path(project, 'devices/SAME/position'), {
      credential: outsider.token.credential,
    })
    expect(theirs).toMatchObject({ status: 404, json: { code: 'organization_not_found' } })
  })

  it('of all devices are listed as JSON and as GeoJSON, those of a batch too, and explained to a browser', async () => {
    await storing()
    const { credential } = own.token
    const scans = ['A', 'B', 'C'].map((device_id) => ({ accessPoints, device_id }))
    const batch = await send(gateway(), 'POST', path(project, 'wifi/batch'), { credential, body: { scans } })
    expect(batch).toMatchObject({ status: 200, json: { results: [{ location: { stored: true } }, {}, {}] } })
    const latest = (query: string) =>
      send(gateway(), 'GET', path(project, `positions/latest?${query}`), { credential })
    const json = await latest('bbox=10,47,12,49&per_page=2')
    expect(json).toMatchObject({ status: 200, json: { data: [{ device_serial: 'A' }, {}], next: 'B' } })
    expect((await latest('per_page=2&cursor=B')).json).toMatchObject({
      data: [{ device_serial: 'C' }],
      next: null,
    })
    const features = await latest('format=geojson&since=2026-01-01T00:00:00Z')
    expect(features.headers.get('content-type')).toMatch(/^application\/geo\+json/)
    expect(features.json).toMatchObject({ type: 'FeatureCollection', features: { length: 3 }, next: null })
    const moved = await send(gateway(), 'DELETE', path(project, 'devices/B/positions'), { credential })
    expect(moved.status).toBe(200)
    expect((await latest('')).json).toMatchObject({ data: [{ device_serial: 'A' }, { device_serial: 'C' }] })
    const browser = await Browser.signIn(gateway(), own.admin)
    const explained = await browser.send(gateway(), 'POST', path(project, 'explain'), {
      body: { accessPoints },
    })
    expect(explained).toMatchObject({
      status: 200,
      json: { position: { fulfilledWith: 'WIFI' }, accessPoints: [{ outcome: 'used' }, { outcome: 'used' }] },
    })
  })

  it('go with the device that is deleted, which the proof counts; the audit log says who did it', async () => {
    await storing()
    const device = new TestDevice(gateway(), own, project)
    expect((await device.send('x')).status).toBe(202)
    await device.stored(1)
    for (let i = 0; i < 3; i++) await ask({ device_id: device.serial }, own.token.credential)
    await ask({ device_id: 'OTHER' }, own.token.credential)
    expect(await own.token.client.call('deleteDevice', device.address)).toMatchObject({
      deleted: { chunks: 1, positions: 3 },
      left: { devices: 0, chunks: 0, positions: 0 },
    })
    expect(await all(device.serial)).toEqual([])
    expect(await all('OTHER')).toHaveLength(1)
    await eventually(
      async () => {
        const entries = await own.admin.client.listAll('listAuditEntries', { organization: own.slug })
        const of = entries.filter(({ details }) => details['device_serial'] === device.serial)
        expect(of.map(({ action, details }) => [action, details['positions']])).toEqual(
          expect.arrayContaining([
            ['device_positions.deleted', 3],
            ['device.deleted', 3],
          ]),
        )
        const recorded = entries.filter(({ target }) => target === `project:${project.id}`)
        expect(recorded.map(({ action }) => action)).toContain('position_policy.changed')
      },
      { withinMs: 10_000, everyMs: 100 },
    )
  })

  it('go with a device that has sent nothing else, too; then there is no such device', async () => {
    await storing()
    await ask({ device_id: 'SILENT' }, own.token.credential)
    const device = { ...address(), device_serial: 'SILENT' }
    expect(await own.token.client.call('deleteDevice', device)).toMatchObject({
      deleted: { chunks: 0, positions: 1 },
      left: { devices: 0, chunks: 0, files: 0, dead_letters: 0, positions: 0 },
    })
    await expect(own.token.client.call('showDevicePosition', device)).rejects.toMatchObject(NONE)
    await expect(own.token.client.call('deleteDevice', device)).rejects.toMatchObject({
      code: 'device_not_found',
    })
  })

  it('are not deleted by who may not delete devices', async () => {
    await storing()
    await ask({ device_id: 'KEPT' }, own.token.credential)
    const developer = await newMember(own, 'member', [{ project, role: 'member' }])
    const credential = { kind: 'user', email: developer.email, secret: developer.password } as const
    for (const target of [
      path(project, 'devices/KEPT/positions'),
      `/api/v0/organizations/${own.slug}/projects/${project.slug}/devices/KEPT`,
    ])
      expect(await send(gateway(), 'DELETE', target, { credential })).toMatchObject({
        status: 403,
        json: { code: 'permission_denied' },
      })
    expect(await all('KEPT')).toHaveLength(1)
  })
})
