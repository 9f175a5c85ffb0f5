import { connectTo } from '@bearing/testing/connect-to'
import { listAccessPoints, showCoverage } from '@bearing/contracts/location/access-points/coverage'
import { forgetAccessPoint, forgetArea } from '@bearing/contracts/location/access-points/erase-stations'
import type { BoundingBox } from '@bearing/contracts/location/positions/latest-position'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { submitObservations } from '@bearing/contracts/location/observations/observation'
import { eventually } from '@bearing/testing/eventually'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { Callers, importAll, type Organization } from '../../../testing/test-caller.js'
import { gridSql, listSql, sampleSql } from './coverage-sql.js'
import { levelOf } from './tiles.js'

const MUNICH: BoundingBox = { west: 11.4, south: 48, east: 11.7, north: 48.3 }
const textOf = ({ west, south, east, north }: BoundingBox) => [west, south, east, north].join(',')
const PROJECT = v7()
const mac = (number: number) => formatMacAddress(0x02_00_00_00_00_00 + number)

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const owner = forSuite(() => callers.newOrganization())
const other = forSuite(() => callers.newOrganization())
const database = forSuite(() => connectTo(stack.databaseUrls.location))

/** Imports positions: [number, latitude, longitude]. */
async function importPositions(
  organization: Organization,
  ...rows: readonly (readonly [number, number, number])[]
): Promise<void> {
  await importAll(
    organization,
    'positions',
    rows.map(([number, lat, lon]) => [mac(number), lat, lon, null]),
  )
}

let minutes = 0
/** Contributes a scan at a place that heard access points. */
async function contribute(organization: Organization, lat: number, lon: number, ...heard: number[]) {
  minutes++
  await organization.call(submitObservations, {
    organization_id: organization.organizationId,
    project_id: PROJECT,
    items: [
      {
        timestamp: Date.now() - 86_400_000 + minutes * 60_000,
        position: { latitude: lat, longitude: lon, accuracy: 5 },
        wifiAccessPoints: heard.map((number) => ({
          macAddress: mac(number),
          signalStrength: -60 - (number % 7),
        })),
      },
    ],
  })
}

const coverage = (organization: Organization, bbox?: string, zoom?: number) =>
  organization.call(showCoverage, {
    organization_id: organization.organizationId,
    ...(bbox !== undefined && { bbox }),
    ...(zoom !== undefined && { zoom }),
  })
const list = (organization: Organization, bbox = '-180,-90,180,90') =>
  organization.call(listAccessPoints, { organization_id: organization.organizationId, bbox })

describe('the coverage of an organization', () => {
  it('counts what it has imported and learned itself, each access point once, and nothing of others', async () => {
    await importPositions(owner, [1, 48.1, 11.5], [2, 48.1, 11.5], [3, -33.9, 151.2])
    await importPositions(other, [1, 48.1, 11.5], [9, 48.1, 11.5])
    await contribute(owner, 48.2, 11.6, 4, 5)
    await eventually(async () => {
      expect((await coverage(owner)).total).toEqual({ access_points: 5, imported: 3, learned: 2, moving: 0 })
    })
    const { cells, bounds, sampled } = await coverage(owner, textOf(MUNICH))
    expect(sampled).toBe(1)
    expect(cells.map(({ access_points, learned }) => [access_points, learned])).toEqual([
      [2, 0],
      [2, 2],
    ])
    for (const { west, south, east, north } of cells) {
      expect(east - west).toBeLessThan(0.02)
      expect(west).toBeLessThanOrEqual(bounds?.east ?? 0)
      expect(south).toBeLessThan(north)
    }
    expect(cells[1]).toMatchObject({ median_spread: 0 })
    expect(cells[0]).toMatchObject({ median_spread: null })
    expect((await coverage(owner, undefined, 0)).cells.length).toBe(2)
    expect((await coverage(other)).total).toMatchObject({ access_points: 2, learned: 0 })
    // Learned and imported: an import of a list says where it is, and it is still one.
    await contribute(owner, 48.1, 11.5, 1, 2)
    await eventually(async () => {
      const { rows } = await database.query('SELECT FROM learned_access_points WHERE organization_id = $1', [
        owner.organizationId,
      ])
      expect(rows).toHaveLength(4)
    })
    expect((await coverage(owner)).total).toMatchObject({ access_points: 5, imported: 3, learned: 2 })
  })

  it('is a list of access points too, as the export has them', async () => {
    const { data, complete } = await list(owner)
    expect(complete).toBe(true)
    expect(data.map(({ macAddress, learned }) => [macAddress, learned])).toEqual([
      ...[1, 2, 3].map((number) => [mac(number), false]),
      ...[4, 5].map((number) => [mac(number), true]),
    ])
    expect(data[3]).toMatchObject({
      observations: 1,
      declared: false,
      moving: false,
      spread: expect.any(Number),
    })
    expect(data[3]?.lat).toBeCloseTo(48.2, 4)
    expect((await list(other)).data).toHaveLength(2)
    expect((await list(owner, '100,-40,160,0')).data.map(({ macAddress }) => macAddress)).toEqual([mac(3)])
  })

  it('crosses the antimeridian', async () => {
    const fiji = await callers.newOrganization()
    await importPositions(fiji, [1, -17, 179.5], [2, -14, -172], [3, -15, 0])
    const { cells, bounds } = await coverage(fiji, '170,-30,-160,0')
    expect(cells).toHaveLength(2)
    expect(cells[0]?.west).toBeGreaterThan(170)
    expect(bounds?.west).toBeGreaterThan(bounds?.east ?? 0)
  })

  it('says that an access point moves which was heard over two kilometers', async () => {
    const fleet = await callers.newOrganization()
    await importAll(fleet, 'observations', [
      [mac(1), 48, 11, -60],
      [mac(1), 48.02, 11, -60],
      [mac(2), 48, 11, -60],
    ])
    expect((await coverage(fleet)).total).toMatchObject({ access_points: 2, moving: 1 })
    expect((await list(fleet)).data.map(({ moving }) => moving)).toEqual([true, false])
  })

  it('is without what was erased, from the reply to the erasure on', async () => {
    const scope = { organization_id: owner.organizationId }
    await owner.call(forgetAccessPoint, { ...scope, macAddress: mac(4) })
    expect((await coverage(owner)).total).toMatchObject({ access_points: 4, learned: 1 })
    await owner.call(forgetArea, { ...scope, lat: 48.2, lon: 11.6, radius: 100 })
    expect((await coverage(owner)).total).toMatchObject({ access_points: 3, learned: 0 })
    expect((await list(owner)).data).toHaveLength(3)
  })

  it('is empty for an organization that has nothing', async () => {
    const empty = await callers.newOrganization()
    expect(await coverage(empty)).toEqual({
      cells: [],
      bounds: null,
      total: { access_points: 0, imported: 0, learned: 0, moving: 0 },
      sampled: 1,
    })
    expect(await list(empty)).toEqual({ data: [], complete: true })
    await expect(coverage(empty, '1,2,3')).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('cells are', () => {
  it.each([
    [{ west: -180, south: -90, east: 180, north: 90 }, undefined, 5],
    [{ west: -180, south: -90, east: 180, north: 90 }, 0, 4],
    [MUNICH, undefined, 15],
    [MUNICH, 4, 8],
    [{ west: 11, south: 48, east: 11, north: 48 }, 22, 22],
    [{ west: 179, south: -1, east: -179, north: 1 }, undefined, 13],
  ])('at most 48 on each side, and no finer than the map can show: %j at zoom %s', (box, zoom, level) => {
    expect(levelOf(box, zoom)).toBe(level)
  })
})

describe('with 400,000 access points in a town and as many elsewhere', () => {
  const MANY = 400_000
  beforeAll(async () => {
    const admin = new pg.Client(stack.adminDatabaseUrl)
    await admin.connect()
    await admin.query('SET search_path = location')
    await admin.query(
      `INSERT INTO access_points (bssid, organization_id, lat, lon, spread, weight, observations, declared, updated_at)
       SELECT n * 7919::bigint, $1, 48 + random() * 0.3, 11.4 + random() * 0.3, 10, 1, 5, false, now()
       FROM generate_series(1, $2) AS n ON CONFLICT DO NOTHING`,
      [town, MANY],
    )
    await admin.query(
      `INSERT INTO access_points (bssid, organization_id, lat, lon, spread, weight, observations, declared, updated_at)
       SELECT n * 7919::bigint, $1, -60 + random() * 120, -180 + random() * 360, 10, 1, 5, false, now()
       FROM generate_series(1, $2) AS n ON CONFLICT DO NOTHING`,
      [v7(), MANY],
    )
    await admin.query('VACUUM ANALYZE access_points')
    await admin.query('ANALYZE learned_access_points')
    await admin.end()
  })
  const town = v7()

  /** Returns the plan of a statement, with what it read. */
  async function planOf({
    text,
    values,
  }: Pick<ReturnType<typeof listSql>, 'text' | 'values'>): Promise<string> {
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, TIMING off) ${text}`,
      values,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const block = { west: 11.5, south: 48.1, east: 11.51, north: 48.11 }

  it.each([
    ['the sample of the world', () => sampleSql(query(undefined, true), 4_000)],
    ['the grid of a block', () => gridSql(query(block, false), 20)],
    ['the list of a block', () => listSql(query(block, false), 2_001)],
    ['the grid of the town, from the sample', () => gridSql(query(MUNICH, true), 15)],
  ])('%s is read by the index of places', async (_, statement) => {
    const plan = await planOf(statement())
    expect(plan).toMatch(/Index Cond: \(\(organization_id = /)
    expect(plan).not.toMatch(/Seq Scan on access_points/)
  })

  const query = (box: BoundingBox | undefined, isSampled: boolean) => ({
    organizationId: town,
    box: box ?? { west: -180, south: -90, east: 180, north: 90 },
    isSampled,
  })
})
