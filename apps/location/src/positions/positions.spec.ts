import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import {
  deleteDevicePositions,
  listDevicePositions,
  showDevicePosition,
} from '@bearing/contracts/location/positions/device-position'
import { listLatestPositions } from '@bearing/contracts/location/positions/latest-position'
import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import {
  changePositionPolicy,
  showPositionPolicy,
} from '@bearing/contracts/location/positions/position-policy'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Request } from '@bearing/contracts/operation'
import { testStack } from '@bearing/testing/stack'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { Callers, importAll, type Caller } from '../testing/test-caller.js'

type Organization = Caller & { readonly organizationId: string }
type Policy = Pick<Request<typeof changePositionPolicy>, 'store_positions' | 'retention_days'>
type Options = Pick<Request<typeof resolveWifiLocation>, 'device_id' | 'reply' | 'confidence'>

const SCAN = ['02:d7:00:00:01:00', '02:d7:00:00:02:00'].map((macAddress) => ({
  macAddress,
  signalStrength: -50,
}))
const CELL = { mcc: 262, mnc: 77, tac: 7, eci: 71 }
const SERIAL = 'UNIT-7'

let callers: Callers
let database: pg.Client
beforeAll(async () => {
  const stack = testStack()
  callers = await Callers.open(stack.natsUrl)
  database = new pg.Client(stack.databaseUrls.location)
  await database.connect()
  await importAll(
    callers.operator,
    'positions',
    SCAN.map(({ macAddress }, index) => [macAddress, 48 + index * 1e-5, 11, null]),
  )
  await database.query(
    `INSERT INTO cells VALUES (4, 262, 77, 7, 71, '00000000-0000-0000-0000-000000000000', 49, 12, 500, 9, now())`,
  )
})
afterAll(async () => {
  await database.end()
  await callers.close()
})

/** A project of an organization, which asks where its devices are. */
class Project {
  readonly scope
  constructor(
    readonly owner: Organization,
    readonly id = v7(),
  ) {
    this.scope = { organization_id: owner.organizationId, project_id: id }
  }

  change(policy: Partial<Policy>) {
    const defaults = { store_positions: true, retention_days: 30 }
    return this.owner.call(changePositionPolicy, { ...this.scope, ...defaults, ...policy })
  }

  locate(options: Options = { device_id: SERIAL }) {
    return this.owner.call(resolveWifiLocation, { ...this.scope, accessPoints: SCAN, ...options })
  }

  last(device_serial = SERIAL) {
    return this.owner.call(showDevicePosition, { ...this.scope, device_serial })
  }

  async all(device_serial = SERIAL, rest: { from?: string; to?: string } = {}) {
    const { data } = await this.owner.call(listDevicePositions, { ...this.scope, device_serial, ...rest })
    return data
  }

  delete(device_serial = SERIAL) {
    return this.owner.call(deleteDevicePositions, { ...this.scope, device_serial })
  }
}

const NONE = { code: 'position_not_found' }
let owner: Organization
let project: Project
beforeAll(async () => {
  owner = await callers.newOrganization()
})
beforeEach(() => {
  project = new Project(owner)
})

describe('the position of a device', () => {
  it('is not stored where the project has said nothing, and the answer says so', async () => {
    expect(await project.locate()).toMatchObject({ fulfilledWith: 'WIFI', stored: false })
    await expect(project.last()).rejects.toMatchObject(NONE)
    expect(await project.all()).toEqual([])
  })

  it('is stored before the answer says so, as it was answered', async () => {
    await project.change({})
    const found = await project.locate({ device_id: SERIAL, confidence: 95 })
    expect(found).toMatchObject({ stored: true })
    const last = await project.last()
    expect(last).toEqual({
      lat: found?.lat,
      lon: found?.lon,
      uncertainty: found?.uncertainty,
      confidence: 95,
      fulfilledWith: 'WIFI',
      fallback: false,
      resolved_at: expect.any(String) as unknown,
    })
    expect(Math.abs(Date.now() - Date.parse(last.resolved_at))).toBeLessThan(60_000)
  })

  it('is stored where no reply is wanted', async () => {
    await project.change({})
    expect(await project.locate({ device_id: SERIAL, reply: false })).toBeNull()
    expect(await project.last()).toMatchObject({ confidence: 68 })
  })

  it('is not stored of a request that names none, and its answer says nothing of it', async () => {
    await project.change({})
    for (const options of [{}, { device_id: null }])
      expect(Object.keys((await project.locate(options)) ?? {})).not.toContain('stored')
    const { rows } = await database.query('SELECT FROM device_positions WHERE project_id = $1', [project.id])
    expect(rows).toEqual([])
  })

  it('is stored by cells and by everything that a device receives, and says by which', async () => {
    await project.change({})
    const { scope } = project
    await owner.call(resolveCellLocation, { ...scope, lte: [CELL], device_id: SERIAL })
    await owner.call(resolveGroundFix, { ...scope, lte: [CELL], device_id: SERIAL })
    await owner.call(resolveGroundFix, { ...scope, wifi: SCAN, device_id: SERIAL })
    expect((await project.all()).map(({ fulfilledWith }) => fulfilledWith)).toEqual([
      'WIFI',
      'SCELL',
      'SCELL',
    ])
  })

  it('is not stored where there is none', async () => {
    await project.change({})
    const nowhere = [{ macAddress: '02:d7:00:00:08:00' }, { macAddress: '02:d7:00:00:09:00' }]
    await expect(
      owner.call(resolveWifiLocation, { ...project.scope, accessPoints: nowhere, device_id: SERIAL }),
    ).rejects.toMatchObject({ code: 'location_not_found' })
    await expect(project.last()).rejects.toMatchObject(NONE)
  })

  it.each(['', ' ', 'a b', 'x'.repeat(129), '../..', 'Ü', 'UNIT.7', 'UNIT>'])(
    'is not stored where the device cannot be called that, and the answer says so: %j',
    async (device_id) => {
      expect(await project.locate({ device_id })).toMatchObject({
        leftOut: [{ pointer: '/device_id', detail: expect.any(String) as unknown }],
      })
      await expect(project.last()).rejects.toMatchObject(NONE)
    },
  )

  it('is stored for each of many devices that ask concurrently, each time', async () => {
    await project.change({})
    const serials = Array.from({ length: 200 }, (_, index) => `MANY-${String(index % 100)}`)
    const answers = await Promise.all(serials.map((device_id) => project.locate({ device_id })))
    expect(answers.every((answer) => answer?.stored)).toBe(true)
    for (const serial of ['MANY-0', 'MANY-99']) expect(await project.all(serial)).toHaveLength(2)
  })

  it('among many that come together is stored for the projects that want that alone', async () => {
    const other = new Project(owner)
    await project.change({})
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? project : other).locate()),
    )
    expect(answers.map((answer) => answer?.stored)).toEqual(answers.map((_, index) => index % 2 === 0))
    expect(await project.all()).toHaveLength(20)
    expect(await other.all()).toEqual([])
  })
})

describe('the history of a device', () => {
  it('is listed newest first, between two moments', async () => {
    await project.change({})
    for (let i = 0; i < 3; i++) await project.locate()
    const all = await project.all()
    const moments = all.map(({ resolved_at }) => resolved_at)
    expect(moments).toEqual([...moments].sort().reverse())
    expect(await project.last()).toEqual(all[0])
    await database.query(
      `UPDATE device_positions SET at = at - interval '1 day' WHERE project_id = $1 AND at = $2`,
      [project.id, all[2]?.resolved_at],
    )
    const from = new Date(Date.parse(all[2]?.resolved_at ?? '') - 3_600_000).toISOString()
    expect(await project.all(SERIAL, { from })).toHaveLength(2)
    expect(await project.all(SERIAL, { to: from })).toHaveLength(1)
  })

  it('is not shown for longer than it is kept, whether it was swept or not, and comes back where that was meant longer', async () => {
    await project.change({})
    await project.locate()
    await database.query(`UPDATE device_positions SET at = at - interval '40 days' WHERE project_id = $1`, [
      project.id,
    ])
    await expect(project.last()).rejects.toMatchObject(NONE)
    expect(await project.all()).toEqual([])
    await project.change({ retention_days: 50 })
    expect(await project.all()).toHaveLength(1)
  })

  it('stays where a project stores no more', async () => {
    await project.change({})
    await project.locate()
    await project.change({ store_positions: false })
    expect(await project.locate()).toMatchObject({ stored: false })
    expect(await project.all()).toHaveLength(1)
  })
})

it('a reading is in the audit log: of the positions of a device, of its last one, and of the last ones of all devices', async () => {
  const mine = await callers.newOrganization()
  const own = new Project(mine)
  await own.change({})
  const read = async () => {
    const { rows } = await database.query<{ details: unknown }>(
      `SELECT details FROM audit_log WHERE organization_id = $1 AND action = 'device_positions.read' ORDER BY id`,
      [mine.organizationId],
    )
    return rows.map(({ details }) => details)
  }
  await own.all()
  await own.owner.call(listLatestPositions, own.scope)
  expect(await read()).toEqual([]) // there was nothing to read
  for (const device_id of [SERIAL, 'UNIT-8']) await own.locate({ device_id })
  for (let round = 0; round < 2; round++) {
    await own.all()
    await own.last('UNIT-8')
    await own.owner.call(listLatestPositions, { ...own.scope, format: 'geojson' })
  }
  expect(await read()).toEqual([
    { device_serial: SERIAL },
    { device_serial: 'UNIT-8' },
    { devices: 'latest of all devices' },
  ])
})

describe('what was deleted', () => {
  it('is gone, which the reply proves; other devices keep theirs, and what comes later is stored', async () => {
    await project.change({})
    for (const device_id of [SERIAL, SERIAL, 'UNIT-8']) await project.locate({ device_id })
    expect(await project.delete()).toMatchObject({
      device_serial: SERIAL,
      deleted: { positions: 2 },
      left: { positions: 0 },
    })
    await expect(project.last()).rejects.toMatchObject(NONE)
    expect(await project.all('UNIT-8')).toHaveLength(1)
    expect(await project.delete()).toMatchObject({ deleted: { positions: 0 } })
    await project.locate()
    expect(await project.all()).toHaveLength(1)
  })

  it('may be more than one statement deletes', async () => {
    await project.change({})
    await database.query(
      `INSERT INTO device_positions SELECT $1, $2, $3, now(), gen_random_uuid(), 1, 2, 3, 68, 'WIFI'
       FROM generate_series(1, 11000)`,
      [owner.organizationId, project.id, SERIAL],
    )
    expect(await project.delete()).toMatchObject({ deleted: { positions: 11_000 }, left: { positions: 0 } })
  })

  it('and what was decided is in the audit log, with what it was before', async () => {
    const mine = await callers.newOrganization()
    const own = new Project(mine)
    await own.change({ retention_days: 7 })
    await own.locate()
    await own.delete()
    await own.delete()
    const { rows } = await database.query(
      'SELECT action, target, actor_kind, details FROM audit_log WHERE organization_id = $1 ORDER BY id',
      [mine.organizationId],
    )
    const target = `project:${own.id}`
    expect(rows).toEqual([
      {
        action: 'position_policy.changed',
        target,
        actor_kind: 'user',
        details: {
          store_positions: true,
          retention_days: 7,
          store_positions_before: false,
          retention_days_before: 30,
        },
      },
      {
        action: 'device_positions.deleted',
        target,
        actor_kind: 'user',
        details: { device_serial: SERIAL, positions: 1 },
      },
    ])
  })
})

describe('of another project or organization', () => {
  it('no position is seen or deleted under the same serial number', async () => {
    const sibling = new Project(owner)
    const foreigner = await callers.newOrganization()
    // As somebody would ask who had learned the id of the project: it is taken to be of their organization.
    const posing = new Project(foreigner, project.id)
    await project.change({})
    await project.locate()
    for (const other of [sibling, posing]) {
      await expect(other.last()).rejects.toMatchObject(NONE)
      expect(await other.all()).toEqual([])
      expect(await other.delete()).toMatchObject({ deleted: { positions: 0 } })
    }
    expect(await project.all()).toHaveLength(1)
    const scope = { ...project.scope, device_serial: SERIAL }
    for (const operation of [showDevicePosition, listDevicePositions, deleteDevicePositions])
      await expect(foreigner.call(operation, scope)).rejects.toMatchObject({ code: 'organization_not_found' })
  })

  it('nothing is decided, and nothing is stored by what it has decided', async () => {
    const foreigner = await callers.newOrganization()
    const posing = new Project(foreigner, project.id)
    await posing.change({ retention_days: 1 })
    expect(await project.locate()).toMatchObject({ stored: false })
    expect(await owner.call(showPositionPolicy, project.scope)).toEqual({
      store_positions: false,
      retention_days: 30,
    })
    await posing.locate()
    expect(await project.all()).toEqual([])
  })
})
