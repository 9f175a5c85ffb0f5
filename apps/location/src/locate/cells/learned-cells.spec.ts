import { connectTo } from '@bearing/testing/connect-to'
import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import { forgetArea, forgetCell } from '@bearing/contracts/location/access-points/erase-stations'
import { explainLocation } from '@bearing/contracts/location/lookups/explanation'
import { geolocate } from '@bearing/contracts/location/lookups/geolocate'
import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import { exportCells, type KnownCell } from '@bearing/contracts/location/cells/known-cell'
import { submitObservations } from '@bearing/contracts/location/observations/observation'
import { packCells } from '@bearing/contracts/location/cells/packed-cells'
import { appendToImport } from '@bearing/contracts/location/access-points/access-point-import'
import { decodeContribution } from '@bearing/positioning/learning/evidence/contribution-codec'
import { eventually } from '@bearing/testing/eventually'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { begin, Callers, commit, importAll, show, type Caller } from '../../testing/test-caller.js'

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const database = forSuite(() => connectTo(stack.databaseUrls.location))

type Organization = Caller & { readonly organizationId: string }

const PROJECT = v7()
const PATIENCE = { withinMs: 30_000, everyMs: 100 }
const HOME = { lat: 48.1372, lon: 11.5755 }
const METER = 1 / 111_195
const north = (meters: number) => ({ lat: HOME.lat + meters * METER, lon: HOME.lon })

let cells = 0
/** A cell that no other test uses. */
const newCell = () => ({
  ...{ radioType: 'lte' as const, mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7 },
  cellId: ++cells,
})
type Cell = ReturnType<typeof newCell>

const scopeOf = ({ organizationId }: Organization) => ({
  organization_id: organizationId,
  project_id: PROJECT,
})

/** Contributes that a cell was heard at places, and waits until that was learned. */
async function contribute(caller: Organization, cell: Cell, places: readonly (typeof HOME)[]): Promise<void> {
  const before = await contributed(caller)
  const items = places.map(({ lat, lon }, index) => ({
    timestamp: Date.now() - 3_600_000 + index * 60_000,
    position: { latitude: lat, longitude: lon, accuracy: 5 },
    cellTowers: [{ ...cell, signalStrength: -100 }],
  }))
  expect(await caller.call(submitObservations, { ...scopeOf(caller), items })).toEqual({
    accepted: items.length,
    ignored: 0,
  })
  await eventually(async () => expect(await contributed(caller)).toBe(before + items.length), PATIENCE)
}

async function contributed({ organizationId }: Organization): Promise<number> {
  const { rows } = await database.query('SELECT FROM observations WHERE organization_id = $1', [
    organizationId,
  ])
  return rows.length
}

const locate = (caller: Organization, cell: Cell) =>
  caller.call(resolveCellLocation, { ...scopeOf(caller), cellTowers: [cell] })
const UNKNOWN = { code: 'location_not_found' }

async function exported(caller: Organization): Promise<KnownCell[]> {
  const all: KnownCell[] = []
  for (let cursor: string | undefined, isOver = false; !isOver;) {
    const { data, next } = await caller.call(exportCells, {
      organization_id: caller.organizationId,
      cursor,
    })
    all.push(...data)
    isOver = next === null
    cursor = next ?? undefined
  }
  return all
}

async function importCell(caller: Caller, cell: Cell, { lat, lon } = HOME, samples = 50): Promise<void> {
  const { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId } = cell
  const packed = packCells([{ radio: 4, mcc, mnc, area, cell: cellId, lat, lon, range: 500, samples }])
  const { id } = await begin(caller, 'cells', v7())
  await caller.call(appendToImport, {
    organization_id: caller.organizationId,
    import_id: id,
    batch: 0,
    packed_cells: Buffer.from(packed).toString('base64'),
  })
  let shown = await commit(caller, id, 1, 1)
  while (shown.state === 'committing') shown = await show(caller, id)
}

const near = (lat: number) => expect.closeTo(lat, 4) as unknown as number
const drive = [0, 400, 800, 1_200, 1_600, 2_000].map(north)

describe('a radio cell', () => {
  it('is learned from observations, and found by every way of asking, for its organization alone', async () => {
    const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
    const cell = newCell()
    await contribute(mine, cell, drive)
    const lat = expect.closeTo(north(1_000).lat, 4) as unknown as number
    expect(await locate(mine, cell)).toMatchObject({ lat, fulfilledWith: 'SCELL' })
    const cellTowers = [cell]
    expect(await mine.call(resolveGroundFix, { ...scopeOf(mine), cellTowers })).toMatchObject({ lat })
    expect(await mine.call(geolocate, { ...scopeOf(mine), cellTowers })).toMatchObject({ location: { lat } })
    await expect(locate(theirs, cell)).rejects.toMatchObject(UNKNOWN)
    const { rows } = await database.query(
      'SELECT FROM learned_cells WHERE cell = $1 AND organization_id <> $2',
      [cell.cellId, mine.organizationId],
    )
    expect(rows).toEqual([])
  })

  it('of the organization’s own import is where that says, until more was heard of it', async () => {
    const mine = await callers.newOrganization()
    const cell = newCell()
    await importCell(mine, cell, north(20_000))
    await contribute(mine, cell, drive)
    expect(await locate(mine, cell)).toMatchObject({
      lat: expect.closeTo(north(20_000).lat, 4) as unknown as number,
    })
  })

  it('is exported by its organization: what was imported, and what was learned', async () => {
    const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
    const [imported, learned] = [newCell(), newCell()]
    await importCell(callers.operator, newCell())
    await importCell(mine, imported)
    await contribute(mine, learned, drive)
    expect(await exported(mine)).toEqual([
      expect.objectContaining({ ...imported, ...HOME, range: 500, samples: 50, learned: false }),
      expect.objectContaining({ ...learned, lon: expect.closeTo(HOME.lon, 5) as unknown, learned: true }),
    ])
    expect(await exported(theirs)).toEqual([])
    await expect(
      mine.call(exportCells, { organization_id: mine.organizationId, cursor: 'x' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

it('a radio cell that was imported and heard is exported once, as look-ups take it, and stays so imported again', async () => {
  const [mine, other] = [await callers.newOrganization(), await callers.newOrganization()]
  const [heardLess, heardMore] = [newCell(), newCell()]
  for (const cell of [heardLess, heardMore]) await contribute(mine, cell, drive)
  await importCell(mine, heardLess, north(20_000))
  await importCell(mine, heardMore, north(20_000), 2)
  const taken = await exported(mine)
  expect(taken).toEqual([
    expect.objectContaining({ ...heardLess, lat: near(north(20_000).lat), samples: 50, learned: false }),
    expect.objectContaining({ ...heardMore, lat: near(north(1_000).lat), learned: true }),
  ])
  for (const [index, cell] of [heardLess, heardMore].entries()) {
    const { lat = NaN, lon = NaN, samples = 0 } = taken[index] ?? {}
    await importCell(other, cell, { lat, lon }, samples)
    expect(await locate(mine, cell)).toMatchObject({ lat: near(lat) })
    expect(await locate(other, cell)).toMatchObject({ lat: near(lat) })
  }
})

describe('a thin scan', () => {
  let radios = 0
  /** An access point that no other test uses, of a radio of its own, at a place. */
  async function declare(caller: Caller, place: typeof HOME) {
    const macAddress = (0x02_cd_00_00_00_00 + ++radios * 256).toString(16).padStart(12, '0')
    await importAll(caller, 'positions', [[macAddress, place.lat, place.lon, null]])
    return { macAddress, signalStrength: -60 }
  }
  const fix = (caller: Organization, accessPoints: { macAddress: string }[], cell?: Cell) =>
    caller.call(resolveGroundFix, { ...scopeOf(caller), accessPoints, ...(cell && { cellTowers: [cell] }) })
  const WIFI = { fulfilledWith: 'WIFI' }

  it('of one radio far outside of its cells is answered by the cells, and one of two radios is not', async () => {
    const mine = await callers.newOrganization()
    const cell = newCell()
    await importCell(mine, cell)
    const [inside, moved, beside] = [
      await declare(mine, north(400)),
      await declare(mine, north(5_000)),
      await declare(mine, north(5_050)),
    ]
    expect(await fix(mine, [moved])).toMatchObject(WIFI)
    expect(await fix(mine, [moved], cell)).toMatchObject({ lat: near(HOME.lat), fulfilledWith: 'SCELL' })
    expect(await fix(mine, [inside], cell)).toMatchObject({ ...WIFI, cells: { used: 0 } })
    expect(await fix(mine, [moved, beside], cell)).toMatchObject({ ...WIFI, lat: near(north(5_025).lat) })
    const explained = await mine.call(explainLocation, {
      ...scopeOf(mine),
      ...{ accessPoints: [moved], cellTowers: [cell] },
    })
    expect(explained).toMatchObject({
      position: { fulfilledWith: 'SCELL' },
      accessPoints: [{ outcome: 'elsewhere' }],
    })
  })

  it('of own radios that contradict each other is located by those within its cells', async () => {
    const mine = await callers.newOrganization()
    const cell = newCell()
    await importCell(mine, cell)
    const scan = [await declare(mine, north(100)), await declare(mine, north(8_000))]
    await expect(fix(mine, scan)).rejects.toMatchObject(UNKNOWN)
    expect(await fix(mine, scan, cell)).toMatchObject({
      ...WIFI,
      lat: near(north(100).lat),
      accessPoints: { usable: 2, known: 1, used: 1 },
    })
  })

  it('of shared radios that contradict each other is not, so that no cell reveals where one of them is', async () => {
    const mine = await callers.newOrganization()
    const cell = newCell()
    await importCell(mine, cell)
    const operator = callers.operator
    const scan = [await declare(operator, north(100)), await declare(operator, north(8_000))]
    expect(await fix(mine, scan, cell)).toMatchObject({ lat: near(HOME.lat), fulfilledWith: 'SCELL' })
  })
})

describe('what was erased', () => {
  it('as a radio cell is gone from what is known, imported, contributed and learned, and does not come back', async () => {
    const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
    const cell = newCell()
    for (const caller of [mine, theirs]) await contribute(caller, cell, drive)
    await importCell(mine, cell)
    const organization = { organization_id: mine.organizationId }
    expect(await mine.call(forgetCell, { ...organization, ...cell })).toEqual({ removed: 1 })
    expect(await mine.call(forgetCell, { ...organization, ...cell })).toEqual({ removed: 0 })
    await expect(locate(mine, cell)).rejects.toMatchObject(UNKNOWN)
    await importCell(mine, cell)
    await contribute(mine, cell, drive)
    await expect(locate(mine, cell)).rejects.toMatchObject(UNKNOWN)
    expect(await locate(theirs, cell)).toMatchObject({ fulfilledWith: 'SCELL' })
    const kept = async () => {
      const { rows } = await database.query<{ contribution: Buffer | null }>(
        'SELECT contribution FROM observations WHERE organization_id = $1',
        [mine.organizationId],
      )
      return rows.flatMap(({ contribution }) =>
        contribution ? (decodeContribution(contribution).cells ?? []) : [],
      )
    }
    await eventually(async () => expect(await kept()).toEqual([]), PATIENCE)
    const { rows } = await database.query(
      'SELECT target FROM audit_log WHERE action = $1 AND organization_id = $2',
      ['cell.forgotten', mine.organizationId],
    )
    expect(rows).toEqual(
      Array.from({ length: 2 }, () => ({ target: `cell:lte,262,1,7,${String(cell.cellId)}` })),
    )
  })

  it('as an area is gone from what was learned of cells around it, which stay known from elsewhere', async () => {
    const mine = await callers.newOrganization()
    const [around, inside, imported] = [newCell(), newCell(), newCell()]
    await contribute(mine, around, [HOME, HOME, ...drive.slice(3)])
    await contribute(mine, inside, [HOME, north(50)])
    await importCell(mine, imported, north(50))
    await mine.call(forgetArea, { organization_id: mine.organizationId, ...HOME, radius: 200 })
    await expect(locate(mine, imported)).rejects.toMatchObject(UNKNOWN)
    await eventually(() => expect(locate(mine, inside)).rejects.toMatchObject(UNKNOWN), PATIENCE)
    await eventually(
      async () =>
        expect(await locate(mine, around)).toMatchObject({
          lat: expect.closeTo(north(1_600).lat, 4) as unknown as number,
        }),
      PATIENCE,
    )
    await importCell(mine, imported, north(50))
    await expect(locate(mine, imported)).rejects.toMatchObject(UNKNOWN)
  })

  it('is refused of what no cell can be, and of the base layer', async () => {
    const mine = await callers.newOrganization()
    const cell = newCell()
    await expect(
      mine.call(forgetCell, { organization_id: mine.organizationId, ...cell, cellId: 2 ** 28 }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(mine.call(forgetCell, { organization_id: null, ...cell })).rejects.toMatchObject({
      code: expect.stringMatching(/^(organization_not_found|permission_denied)$/) as unknown,
    })
    await importCell(callers.operator, cell)
    expect(await locate(mine, cell)).toMatchObject({ fulfilledWith: 'SCELL' })
    expect(await callers.operator.call(forgetCell, { organization_id: null, ...cell })).toEqual({
      removed: 1,
    })
    await expect(locate(mine, cell)).rejects.toMatchObject(UNKNOWN)
  })
})
