import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { auditedIn } from '../tools/audited.js'
import { newDeviceSigner, newIdentityProject } from '../tools/device-signer.js'
import { send } from '../tools/http.js'

describe('the use of project keys', () => {
  const stack = stackForSuite({
    services: ['identity', 'management', 'location'],
    constants: { gateway: { REPORT_INTERVAL_MS: 1_000 } },
  })
  const own = forSuite(() => newOrganization(stack))

  const sendChunk = (key: string, serial: string, gateway = 0) =>
    send(stack.gatewayUrls[gateway] ?? '', 'POST', `/api/v0/chunks/${serial}`, {
      credential: { kind: 'project_key', key },
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    })
  const show = (project: string) =>
    own.admin.client.call('showProjectKey', { organization: own.slug, project })
  const patience = { withinMs: 30_000, everyMs: 100 }

  it('is shown for keys of devices too, and says how many devices would be refused without one', async () => {
    const project = await newIdentityProject(own)
    const device = await newDeviceSigner(own, project)
    const at = { organization: own.slug, project: project.slug, device_serial: device.serial }
    const before = Date.now()
    const sent = await send(stack.gatewayUrls[0] ?? '', 'POST', `/api/v0/chunks/${device.serial}`, {
      credential: { kind: 'device_token', token: await device.sign() },
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    })
    expect(sent.status).toBe(202)
    await eventually(async () => {
      const { data } = await own.admin.client.call('listDeviceKeys', at)
      expect(Date.parse(data[0]?.last_used_at ?? '')).toBeGreaterThanOrEqual(before)
    }, patience)
    // Another device sends the project key alone.
    expect((await sendChunk(project.key, 'ALONE')).status).toBe(202)
    await eventually(async () => {
      const counts = await own.admin.client.call('showDeviceIdentity', {
        organization: own.slug,
        project: project.slug,
      })
      expect(counts).toMatchObject({ seen: 2, proven: 1, without_proof: 1 })
      expect(counts.days).toHaveLength(31)
      expect(counts.days.at(-1)).toMatchObject({ devices: 1 })
    }, patience)
  })

  it('is shown with the devices of all gateways, each counted once, also of a key in its grace period', async () => {
    const { slug, key } = await newProject(own)
    expect(await show(slug)).toMatchObject({ last_used_at: null, devices: { last_hour: 0, last_day: 0 } })
    const before = Date.now()
    for (const serial of ['A', 'B', 'C', 'A']) expect((await sendChunk(key, serial, 0)).status).toBe(202)
    for (const serial of ['C', 'D']) expect((await sendChunk(key, serial, 1)).status).toBe(202)
    await eventually(async () => {
      const shown = await show(slug)
      expect(shown.devices).toEqual({ last_hour: 4, last_day: 4 })
      expect(Date.parse(shown.last_used_at ?? '')).toBeGreaterThanOrEqual(before)
    }, patience)

    const cycled = await own.admin.client.call('cycleProjectKey', {
      organization: own.slug,
      project: slug,
      grace_seconds: 86_400,
    })
    expect(cycled).toMatchObject({ last_used_at: null, devices: { last_day: 0 } })
    expect(cycled.in_grace).toMatchObject([{ api_key: key, devices: { last_day: 4 } }])
    expect((await sendChunk(key, 'E')).status).toBe(202)
    expect((await sendChunk(cycled.api_key, 'A')).status).toBe(202)
    await eventually(async () => {
      expect(await show(slug)).toMatchObject({
        devices: { last_day: 1 },
        in_grace: [{ api_key: key, devices: { last_day: 5 } }],
      })
    }, patience)
  })

  it('is deleted with the key: when its grace period is ended, and when it is replaced without one', async () => {
    const { id, slug, key } = await newProject(own)
    await using database = await connectTo(stack.databaseUrls.identity)
    const uses = async () =>
      (await database.query('SELECT FROM project_key_uses WHERE project_id = $1', [id])).rowCount
    const used = (count: number) => eventually(async () => expect(await uses()).toBe(count), patience)
    const cycle = (grace_seconds: number) =>
      own.admin.client.call('cycleProjectKey', { organization: own.slug, project: slug, grace_seconds })
    expect((await sendChunk(key, 'A')).status).toBe(202)
    await used(1)
    const second = await cycle(86_400)
    expect((await sendChunk(second.api_key, 'A')).status).toBe(202)
    await used(2)
    await own.admin.client.call('endKeyGraces', { organization: own.slug, project: slug })
    expect(await uses()).toBe(1)
    await cycle(0)
    expect(await uses()).toBe(0)
  })

  it('counts the devices of configuration requests, and requests without a device as a use', async () => {
    const { slug, key } = await newProject(own)
    const credential = { kind: 'project_key', key } as const
    const url = stack.gatewayUrls[0] ?? ''
    expect((await send(url, 'GET', '/auth/me', { credential })).status).toBe(200)
    await eventually(async () => {
      const { last_used_at, devices } = await show(slug)
      expect(last_used_at).not.toBeNull()
      expect(devices.last_day).toBe(0)
    }, patience)
    const body = { device: { device_serial: 'LNX-1' } }
    expect((await send(url, 'POST', '/api/v0/device-config', { credential, body })).status).toBe(200)
    await eventually(async () => {
      expect((await show(slug)).devices.last_day).toBe(1)
    }, patience)
  })

  it('counts devices that only ask for positions, also where none is found, and those of a batch', async () => {
    const { slug, key } = await newProject(own)
    const at = { organization: own.slug, project: slug }
    await own.admin.client.call('changeProjectSettings', { ...at, project_key_may_locate: true })
    const accessPoints = ['02:00:5e:00:1b:00', '02:00:5e:00:1c:00'].map((macAddress) => ({ macAddress }))
    const credential = { kind: 'project_key', key } as const
    const path = `/v1/organizations/${own.slug}/projects/${slug}/location/wifi`
    const ask = (route: string, body: unknown) =>
      send(stack.gatewayUrls[0] ?? '', 'POST', path + route, { credential, body })
    await eventually(async () => {
      expect((await ask('', { accessPoints, device_id: 'W-1' })).status).toBe(404)
    }, patience)
    const scans = ['W-1', 'W-2', 'W-3'].map((device_id) => ({ accessPoints, device_id }))
    expect((await ask('/batch', { scans })).status).toBe(200)
    await eventually(async () => {
      expect((await show(slug)).devices).toEqual({ last_hour: 3, last_day: 3 })
    }, patience)
  })

  it('is kept while identity is down, and reported later', async () => {
    const { slug, key } = await newProject(own)
    expect((await sendChunk(key, 'A')).status).toBe(202)
    await stack.part('identity').stop()
    expect((await sendChunk(key, 'B')).status).toBe(202)
    await stack.part('identity').start()
    await eventually(async () => {
      expect((await show(slug)).devices.last_day).toBe(2)
    }, patience)
  })

  it('a manager ends the grace period of replaced keys at every gateway, and the current key stays', async () => {
    const project = await newProject(own)
    const at = { organization: own.slug, project: project.slug }
    const manager = await newMember(own, 'member', [{ project, role: 'manager' }], stack)
    const { api_key } = await own.admin.client.call('cycleProjectKey', { ...at, grace_seconds: 86_400 })
    for (const gateway of [0, 1]) expect((await sendChunk(project.key, 'A', gateway)).status).toBe(202)
    expect(await manager.client.call('endKeyGraces', at)).toMatchObject({ api_key, in_grace: [] })
    await eventually(async () => {
      for (const gateway of [0, 1]) expect((await sendChunk(project.key, 'A', gateway)).status).toBe(403)
    })
    expect((await sendChunk(api_key, 'A')).status).toBe(202)
    expect(await manager.client.call('endKeyGraces', at)).toMatchObject({ api_key, in_grace: [] })
    const rows = (await auditedIn('identity', own, stack)).filter(
      ({ action, actor_user_id }) => action === 'project_key.grace_shortened' && actor_user_id === manager.id,
    )
    expect(rows).toHaveLength(1)
  })
})
