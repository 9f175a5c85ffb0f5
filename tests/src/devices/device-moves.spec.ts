import { randomBytes, randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import {
  newMember,
  newOrganization,
  newProject,
  type TestOrganization,
  type TestProject,
} from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { TestDevice } from '../tools/device-data.js'
import { commit, prepare, put } from '../tools/uploading.js'

describe('moving a device to another project', () => {
  let own: TestOrganization
  let from: TestProject
  let to: TestProject
  let device: TestDevice
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const address = (project: TestProject) => ({ organization: own.slug, project: project.slug })
  const client = () => own.token.client

  beforeAll(async () => {
    own = await newOrganization()
  })

  beforeEach(async () => {
    ;[from, to] = [await newProject(own), await newProject(own)]
    device = new TestDevice(gateway(), own, from)
    expect((await device.send('one')).status).toBe(202)
    await device.stored(1)
  })

  const move = (serial = device.serial) =>
    client().call('moveDevice', { ...address(from), device_serial: serial, to_project: to.slug })

  const at = (project: TestProject, device_serial = device.serial) => ({ ...address(project), device_serial })

  async function query(statement: string, values: unknown[]): Promise<unknown[]> {
    const admin = new pg.Client({ connectionString: testStack().adminDatabaseUrl })
    await admin.connect()
    try {
      return (await admin.query<Record<string, unknown>>(statement, values)).rows
    } finally {
      await admin.end()
    }
  }

  async function upload(serial: string, content: Buffer): Promise<void> {
    const project = `/api/v0/organizations/${own.slug}/projects/${from.slug}`
    const target = { gateway: gateway(), project, credential: own.token.credential }
    const prepared = await prepare(target)
    await put(prepared, content)
    const body = { file: { token: prepared.token }, device: { device_serial: serial } }
    const reply = await commit(target, `${project}/mar`, body)
    expect(reply.status).toBe(201)
  }

  it('moves chunks, files, attributes and positions, and leaves nothing in the former project', async () => {
    for (const project of [from, to])
      await client().call('declareAttribute', { ...address(project), attribute: 'customer', type: 'string' })
    // Another number than in the former project.
    await client().call('declareAttribute', { ...address(to), attribute: 'other', type: 'number' })
    await client().call('changeDevice', { ...at(from), nickname: 'Crane', attributes: { customer: 'acme' } })
    await upload(device.serial, randomBytes(300_000))
    await query(
      `INSERT INTO location.device_positions
         (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with)
       VALUES ($1, $2, $3, now() - interval '1 hour', $4, 48, 11, 30, 68, 'WIFI')`,
      [own.id, from.id, device.serial, randomUUID()],
    )
    const [file] = await client().listAll('listFiles', at(from))
    const before = await client().call('showDevice', at(from))
    const moved = await move()
    expect(moved).toMatchObject({
      ...{ id: before.id, nickname: 'Crane', attributes: { customer: 'acme' }, chunk_count: 1 },
      positions_moved: true,
    })
    await expect(client().call('showDevice', at(from))).rejects.toMatchObject({ code: 'device_not_found' })
    expect(await client().listAll('listFiles', at(from))).toEqual([])
    expect(await client().listAll('listFiles', at(to))).toEqual([file])
    expect(await client().listAll('listChunks', at(to))).toHaveLength(1)
    expect(await client().listAll('listDevicePositions', at(from))).toEqual([])
    expect(await client().listAll('listDevicePositions', at(to))).toHaveLength(1)
    const found = await client().call('listDevices', {
      ...address(to),
      attribute: 'customer',
      attribute_is: 'acme',
    })
    expect(found.data.map(({ device_serial }) => device_serial)).toEqual([device.serial])
    const chunks = await query('SELECT project_id FROM management.chunks WHERE device_id = $1', [before.id])
    expect(chunks).toEqual([{ project_id: to.id }])
    const downloaded = await fetch(
      `${gateway()}/api/v0/organizations/${own.slug}/projects/${to.slug}/files/${file?.id ?? ''}/download`,
      { headers: { authorization: `Bearer ${own.token.token}` } },
    )
    expect((await downloaded.arrayBuffer()).byteLength).toBe(300_000)
  })

  it('copies content that other devices share, so that both projects keep it', async () => {
    const [content, other] = [randomBytes(200_000), `OTHER-${randomUUID()}`]
    await upload(device.serial, content)
    await upload(other, content)
    await move()
    for (const project of [from, to]) {
      const [file] = await client().listAll('listFiles', address(project))
      const downloaded = await fetch(
        `${gateway()}/api/v0/organizations/${own.slug}/projects/${project.slug}/files/${file?.id ?? ''}/download`,
        { headers: { authorization: `Bearer ${own.token.token}` } },
      )
      expect(Buffer.from(await downloaded.arrayBuffer()).equals(content)).toBe(true)
    }
  })

  it('is refused if the other project has the serial number, or not the attributes', async () => {
    await client().call('registerDevice', at(to))
    await expect(move()).rejects.toMatchObject({ code: 'device_exists' })
    await client().call('deleteDevice', at(to))
    await client().call('declareAttribute', { ...address(from), attribute: 'customer', type: 'string' })
    await client().call('declareAttribute', { ...address(to), attribute: 'customer', type: 'number' })
    await client().call('changeDevice', { ...at(from), attributes: { customer: 'acme' } })
    await expect(move()).rejects.toMatchObject({ code: 'attribute_conflict' })
    expect(await client().call('showDevice', at(from))).toMatchObject({ attributes: { customer: 'acme' } })
  })

  it('is refused beyond the storage quota of the other project', async () => {
    await upload(device.serial, randomBytes(10_000))
    const policy = await client().call('showDataPolicy', address(to))
    await client().call('changeDataPolicy', { ...address(to), ...policy, files_bytes: 9_999 })
    await expect(move()).rejects.toMatchObject({ code: 'storage_quota_exceeded' })
    expect(await client().listAll('listFiles', at(from))).toHaveLength(1)
  })

  it('needs permissions in both projects, and does not show other callers whether a project exists', async () => {
    const member = await newMember(own, 'member', [{ project: from, role: 'manager' }])
    for (const to_project of [to.slug, 'there-is-none'])
      await expect(member.client.call('moveDevice', { ...at(from), to_project })).rejects.toMatchObject({
        code: 'project_not_found',
      })
  })

  it('is in the audit log for both projects', async () => {
    await move()
    await eventually(async () => {
      for (const [action, project] of [
        ['device.moved_out', from],
        ['device.moved_in', to],
      ] as const) {
        const filter = { organization: own.slug, action, target: `project:${project.id}` }
        const [entry] = await own.admin.client.listAll('listAuditEntries', filter)
        expect(entry?.details).toMatchObject({ project_id: from.id, to_project_id: to.id })
      }
    })
  })

  it('creates the device again in the former project when data arrives with its key', async () => {
    await move()
    expect((await device.send('two')).status).toBe(202)
    expect(await device.stored(1)).toEqual(['two'])
    expect(await client().call('showDevice', at(to))).toMatchObject({ chunk_count: 1 })
  })

  it('is finished by another process if the one that moved it was killed', async () => {
    const [row] = (await query('SELECT id FROM management.devices WHERE project_id = $1', [from.id])) as {
      id: string
    }[]
    await move()
    // As if the process had ended after the transaction.
    await query('UPDATE management.chunks SET project_id = $1 WHERE device_id = $2', [from.id, row?.id])
    await query('UPDATE management.device_moves SET finished_at = NULL WHERE device_id = $1', [row?.id])
    await eventually(
      async () => {
        const chunks = await query('SELECT project_id FROM management.chunks WHERE device_id = $1', [row?.id])
        expect(chunks).toEqual([{ project_id: to.id }])
      },
      { withinMs: 30_000 },
    )
  })

  it('is finished although another move cannot be', async () => {
    const { id } = await client().call('showDevice', at(from))
    // It refers to a project that there is not, so its positions can never be moved.
    const broken = randomUUID()
    await query(
      `INSERT INTO management.device_moves
         (id, organization_id, project_id, to_project_id, device_id, serial, stream_started_at, sequence, moved_at)
       VALUES ($1, $2, $3, $3, $4, 'not a serial number', now(), 1, now())`,
      ['00000000-0000-7000-8000-000000000000', own.id, broken, id],
    )
    await move()
    await query('UPDATE management.chunks SET project_id = $1 WHERE device_id = $2', [from.id, id])
    await query('UPDATE management.device_moves SET finished_at = NULL WHERE device_id = $1', [id])
    await eventually(
      async () => {
        const chunks = await query('SELECT project_id FROM management.chunks WHERE device_id = $1', [id])
        expect(chunks).toEqual([{ project_id: to.id }])
      },
      { withinMs: 30_000 },
    )
    await query('DELETE FROM management.device_moves WHERE project_id = $1', [broken])
  })

  it('lets positions follow that were being stored meanwhile, and erases them if the device was deleted', async () => {
    const late = (serial: string) =>
      query(
        `INSERT INTO location.device_positions
           (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with)
         VALUES ($1, $2, $3, now() - interval '1 minute', $4, 48, 11, 30, 68, 'WIFI')`,
        [own.id, from.id, serial, randomUUID()],
      )
    const gone = new TestDevice(gateway(), own, from)
    expect((await gone.send('one')).status).toBe(202)
    await gone.stored(1)
    for (const { serial } of [device, gone]) {
      await move(serial)
      await late(serial)
    }
    await client().call('deleteDevice', at(to, gone.serial))
    // The second look comes after longer than any look-up takes.
    await query(
      `UPDATE management.device_moves SET moved_at = now() - interval '30 seconds' WHERE project_id = $1`,
      [from.id],
    )
    const positions = () =>
      query('SELECT project_id, device_serial FROM location.device_positions WHERE organization_id = $1', [
        own.id,
      ])
    await eventually(
      async () => {
        expect(await positions()).toContainEqual({ project_id: to.id, device_serial: device.serial })
        expect(await positions()).not.toContainEqual(expect.objectContaining({ device_serial: gone.serial }))
      },
      { withinMs: 30_000 },
    )
  })

  it('lets data follow one move after the other, if the first was not finished', async () => {
    const last = await newProject(own)
    const { id } = await client().call('showDevice', at(from))
    await move()
    // As if the process had ended after the transaction.
    await query('UPDATE management.chunks SET project_id = $1 WHERE device_id = $2', [from.id, id])
    await query('UPDATE management.device_moves SET finished_at = NULL WHERE device_id = $1', [id])
    await client().call('moveDevice', { ...at(to), to_project: last.slug })
    const chunks = await query('SELECT project_id FROM management.chunks WHERE device_id = $1', [id])
    expect(chunks).toEqual([{ project_id: last.id }])
  })
})
