import { connectTo } from '@bearing/testing/connect-to'
import { listLatestPositions } from '@bearing/contracts/location/positions/latest-position'
import { deleteDevicePositions } from '@bearing/contracts/location/positions/device-position'
import { changePositionPolicy } from '@bearing/contracts/location/positions/position-policy'
import type { Output, Request } from '@bearing/contracts/operation'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { Callers } from '../testing/test-caller.js'
import { latestSql, type LatestQuery } from './latest-sql.js'

type Options = Omit<Request<typeof listLatestPositions>, 'organization_id' | 'project_id'>
type Page = Extract<Output<typeof listLatestPositions>, { data: unknown }>

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const owner = forSuite(() => callers.newOrganization())
const database = forSuite(() => connectTo(stack.databaseUrls.location))

let scope: { organization_id: string; project_id: string }
beforeEach(() => {
  scope = { organization_id: owner.organizationId, project_id: v7() }
})

/** Stores positions as the service does: [serial number, hours ago, latitude, longitude]. */
async function store(...positions: readonly (readonly [string, number, number, number])[]): Promise<void> {
  await database.query(
    `INSERT INTO device_positions
     SELECT $1, $2, serial, now() - make_interval(secs => hours * 3600), gen_random_uuid(), lat, lon, 20, 68, 'WIFI'
     FROM unnest($3::text[], $4::float8[], $5::float8[], $6::float8[]) AS stored (serial, hours, lat, lon)`,
    [
      ...[scope.organization_id, scope.project_id],
      ...[0, 1, 2, 3].map((column) => positions.map((position) => position[column])),
    ],
  )
}

const list = (options: Options = {}) => owner.call(listLatestPositions, { ...scope, ...options })
async function page(options: Options = {}): Promise<Page> {
  const found = await list(options)
  if (!('data' in found)) throw new Error('it is GeoJSON')
  return found
}
const serials = async (options: Options = {}) =>
  (await page(options)).data.map(({ device_serial }) => device_serial)

describe('where all devices of a project are', () => {
  it('is the last position of each, whatever order they are stored in', async () => {
    await store(['A', 2, 1, 1], ['A', 1, 2, 2], ['A', 3, 3, 3], ['B', 5, 4, 4])
    await store(['B', 6, 5, 5])
    expect((await page()).data).toMatchObject([
      { device_serial: 'A', lat: 2, lon: 2, uncertainty: 20, confidence: 68, fulfilledWith: 'WIFI' },
      { device_serial: 'B', lat: 4, lon: 4, fallback: false },
    ])
    await store(['B', 0, 6, 6])
    expect((await page()).data[1]).toMatchObject({ lat: 6 })
  })

  it('is in a box only if the last position is, and a box may cross the antimeridian', async () => {
    await store(['GONE', 2, 48, 11], ['GONE', 1, 10, 10], ['HERE', 1, 48, 11])
    expect(await serials({ bbox: '10,47,12,49' })).toEqual(['HERE'])
    await store(['FIJI', 1, -17, 179.5], ['SAMOA', 1, -14, -172], ['ZERO', 1, -15, 0])
    expect(await serials({ bbox: '179,-20,-171,-10' })).toEqual(['FIJI', 'SAMOA'])
    expect(await serials({ bbox: '-180,-20,180,-10' })).toEqual(['FIJI', 'SAMOA', 'ZERO'])
    for (const bbox of ['1,2,3', '1,2,3,x', '-181,0,1,1', '0,5,1,4', '0,0,1,91', '', '1e1,0,20,1'])
      await expect(list({ bbox })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('is since a moment, and never older than the project keeps positions', async () => {
    await store(['NEW', 1, 1, 1], ['OLD', 30, 1, 1], ['EXPIRED', 24 * 31, 1, 1])
    expect(await serials()).toEqual(['NEW', 'OLD'])
    expect(await serials({ since: new Date(Date.now() - 7_200_000).toISOString() })).toEqual(['NEW'])
    await owner.call(changePositionPolicy, { ...scope, store_positions: true, retention_days: 1 })
    expect(await serials()).toEqual(['NEW'])
  })

  it('comes in pages by serial number, each device once', async () => {
    await store(
      ...Array.from({ length: 25 }, (_, n) => [`UNIT-${String(n).padStart(2, '0')}`, 1, n, n] as const),
    )
    const found: string[] = []
    let cursor: string | undefined
    for (let pages = 1; ; pages++) {
      const { data, next } = await page({ per_page: 10, ...(cursor !== undefined && { cursor }) })
      found.push(...data.map(({ device_serial }) => device_serial))
      if (next === null) {
        expect(pages).toBe(3)
        break
      }
      cursor = next
    }
    expect(new Set(found).size).toBe(25)
    expect(found).toEqual([...found].sort())
    await expect(list({ per_page: 10_001 })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('is a FeatureCollection of points as GeoJSON', async () => {
    await store(['A', 1, 48.5, 11.25])
    expect(await list({ format: 'geojson' })).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'A',
          geometry: { type: 'Point', coordinates: [11.25, 48.5] },
          properties: {
            ...{
              device_serial: 'A',
              uncertainty: 20,
              confidence: 68,
              fulfilledWith: 'WIFI',
              fallback: false,
            },
            resolved_at: expect.any(String) as unknown,
          },
        },
      ],
      next: null,
    })
  })

  it('never contains devices of another project, and is empty for another organization', async () => {
    await store(['MINE', 1, 1, 1])
    const other = await callers.newOrganization()
    const asked = { ...scope, organization_id: other.organizationId }
    expect(await other.call(listLatestPositions, asked)).toEqual({ data: [], next: null })
    expect(await owner.call(listLatestPositions, { ...scope, project_id: v7() })).toMatchObject({ data: [] })
  })

  it('is gone when the positions of the device are deleted', async () => {
    await store(['GONE', 2, 1, 1], ['GONE', 1, 1, 1], ['STAYS', 1, 1, 1])
    await owner.call(deleteDevicePositions, { ...scope, device_serial: 'GONE' })
    expect(await serials()).toEqual(['STAYS'])
  })

  it('is right after concurrent requests of the same devices', async () => {
    const clients = Array.from({ length: 4 }, () => new pg.Client(stack.databaseUrls.location))
    await Promise.all(clients.map((client) => client.connect()))
    const write = (client: pg.Client, turn: number) =>
      client.query(
        `INSERT INTO device_positions
         SELECT $1, $2, 'UNIT-' || n, now() - make_interval(secs => 100 - $3), gen_random_uuid(), $3, n, 20, 68, 'WIFI'
         FROM generate_series(1, 50) AS n ORDER BY random()`,
        [scope.organization_id, scope.project_id, turn],
      )
    await Promise.all(
      clients.map(async (client, index) => {
        for (let turn = 0; turn < 10; turn++) await write(client, turn * 4 + index)
      }),
    )
    const { rows } = await database.query(
      `SELECT FROM (SELECT DISTINCT ON (device_serial) device_serial, id FROM device_positions
         WHERE project_id = $1 ORDER BY device_serial, at DESC, id DESC) AS last
       JOIN latest_positions USING (device_serial, id) WHERE project_id = $1`,
      [scope.project_id],
    )
    expect(rows).toHaveLength(50)
    await Promise.all(clients.map((client) => client.end()))
  })
})

describe('with many devices a page is read', () => {
  const MANY = 100_000
  beforeAll(async () => {
    scope = { organization_id: owner.organizationId, project_id: v7() }
    await database.query(
      `INSERT INTO latest_positions
       SELECT $1, $2, 'UNIT-' || lpad(n::text, 7, '0'), now() - make_interval(secs => n % 86400), gen_random_uuid(),
         -60 + random() * 120, -180 + random() * 360, 20, 68, 'WIFI', false
       FROM generate_series(1, $3::int) AS n`,
      [scope.organization_id, scope.project_id, MANY],
    )
    const admin = new pg.Client(stack.adminDatabaseUrl)
    await admin.connect()
    await admin.query('ANALYZE location.latest_positions')
    await admin.end()
    project = scope
  })
  let project: typeof scope

  /** Returns the indexes of the plan. */
  async function plan(query: Partial<LatestQuery>): Promise<string> {
    const since = new Date(Date.now() - 30 * 86_400_000)
    const { text, values } = latestSql({
      ...{ scope: project, box: undefined, since, after: '', limit: 1_001 },
      ...query,
    })
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it.each([
    ['of the whole project', 'latest_positions_pkey', {}],
    ['of a late page', 'latest_positions_pkey', { after: 'UNIT-0090000' }],
    [
      'of a town',
      'latest_positions_project_id_lat_lon_idx',
      { box: { west: 11, south: 48, east: 11.5, north: 48.3 } },
    ],
    [
      'of a box across the antimeridian',
      'latest_positions_project_id_lat_lon_idx',
      { box: { west: 179, south: -18, east: -179, north: -16 } },
    ],
    ['of the last minute', 'latest_positions_project_id_at_idx', { since: new Date(Date.now() - 60_000) }],
  ])('%s by the index %s', async (_, index, query) => {
    const found = await plan(query)
    expect(found).toContain(index)
    expect(found).not.toContain('Seq Scan')
  })
})
