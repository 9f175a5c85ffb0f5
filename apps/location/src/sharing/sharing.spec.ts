import { resolveCellLocation } from '@bearing/contracts/location/cell'
import { changeLocationSettings } from '@bearing/contracts/location/location-settings'
import { relearnLayer } from '@bearing/contracts/location/learned'
import { submitObservations } from '@bearing/contracts/location/observation'
import { approveSharing, listSharing, revokeSharing } from '@bearing/contracts/location/sharing'
import { resolveWifiLocation } from '@bearing/contracts/location/wifi'
import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { v7 } from 'uuid'
import { SHARED_LAYER } from '../ground/layer.js'
import { Callers, importAll, type Organization } from '../specs/test-caller.js'

let stack: Stack
let callers: Callers
let database: pg.Client
beforeAll(async () => {
  const location = {
    LOCATION_CACHE_TTL_MS: 500,
    LOCATION_CACHE_CHECKED_TTL_MS: 500,
    LOCATION_SHARED_MISSES_PER_MINUTE: 5,
  }
  stack = await startStack({ services: ['identity', 'location'], gateways: 0, constants: { location } })
  callers = await Callers.open(stack.natsUrl)
  database = new pg.Client(stack.databaseUrls.location)
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await callers.close()
  await stack.stop()
})

const PROJECT = v7()
const PATIENCE = { withinMs: 30_000, everyMs: 200 }
const NOT_FOUND = { code: 'location_not_found' }
const METER = 1 / 111_195

let radios = 0
const newRadio = () => (0x02_ab_00_00_00_00 + ++radios * 256).toString(16).padStart(12, '0')
let cells = 0
const newCell = () => ({
  ...{ radioType: 'lte' as const, mobileCountryCode: 262, mobileNetworkCode: 2, locationAreaCode: 8 },
  cellId: ++cells,
})
type Cell = ReturnType<typeof newCell>

const scopeOf = ({ organizationId }: Organization) => ({
  organization_id: organizationId,
  project_id: PROJECT,
})

async function share(caller: Organization, isApproved = true): Promise<void> {
  const settings = { share_observations: true, observation_retention_days: 30 }
  await caller.call(changeLocationSettings, { organization_id: caller.organizationId, ...settings })
  if (isApproved) await callers.operator.call(approveSharing, { organization_id: caller.organizationId })
}

/** Contributes access points and cells heard at places, and waits until they were learned. */
async function contribute(
  caller: Organization,
  at: readonly { readonly lat: number; readonly lon: number }[],
  heard: { readonly radios?: readonly string[]; readonly cells?: readonly Cell[] },
): Promise<void> {
  const count = async () =>
    (await database.query('SELECT FROM observations WHERE organization_id = $1', [caller.organizationId]))
      .rows.length
  const before = await count()
  const items = at.map(({ lat, lon }, index) => ({
    timestamp: Date.now() - 3_600_000 + index * 60_000,
    device_id: v7(),
    position: { latitude: lat, longitude: lon, accuracy: 5 },
    wifiAccessPoints: (heard.radios ?? []).map((macAddress) => ({ macAddress, signalStrength: -50 })),
    cellTowers: (heard.cells ?? []).map((cell) => ({ ...cell, signalStrength: -100 })),
  }))
  await caller.call(submitObservations, { ...scopeOf(caller), items })
  await eventually(async () => expect(await count()).toBe(before + items.length), PATIENCE)
}

const locate = (caller: Organization, ...addresses: readonly string[]) =>
  caller.call(resolveWifiLocation, {
    ...scopeOf(caller),
    accessPoints: addresses.map((macAddress) => ({ macAddress, signalStrength: -60 })),
  })
const locateByCell = (caller: Organization, cell: Cell) =>
  caller.call(resolveCellLocation, { ...scopeOf(caller), cellTowers: [cell] })
const sharedBy = async (radio: string) =>
  (
    await database.query('SELECT FROM learned_access_points WHERE bssid = $1 AND organization_id = $2', [
      Number.parseInt(radio, 16),
      SHARED_LAYER,
    ])
  ).rows.length

const home = { lat: 52.5, lon: 13.4 }
const beside = { lat: 52.5 + 40 * METER, lon: 13.4 }
const north = (meters: number) => ({ lat: home.lat + meters * METER, lon: home.lon })

describe('the place of an access point that one organization contributed', () => {
  it('is not found by two organizations of one user with invented companions', async () => {
    const honest = await callers.newOrganization()
    const planting = await callers.newOrganization()
    const asking = await callers.newOrganization(planting)
    for (const caller of [honest, planting]) await share(caller)
    const [target, planted] = [newRadio(), newRadio()]
    await contribute(honest, [home, beside], { radios: [target] })
    await contribute(planting, [home, beside], { radios: [planted] })
    expect(await sharedBy(planted)).toBe(1)
    for (const caller of [asking, planting])
      await eventually(async () => {
        const answer = await locate(caller, target, planted).catch((error: unknown) => error)
        const unknown = await locate(caller, newRadio(), planted).catch((error: unknown) => error)
        expect(JSON.stringify(answer)).toBe(JSON.stringify(unknown))
      })
    await expect(locate(asking, target, planted)).rejects.toMatchObject(NOT_FOUND)
  })

  it('is not found by an organization that contributes it somewhere else to be counted', async () => {
    const [honest, planting, asking] = [
      await callers.newOrganization(),
      await callers.newOrganization(),
      await callers.newOrganization(),
    ]
    for (const caller of [honest, planting]) await share(caller)
    const [target, companion] = [newRadio(), newRadio()]
    await importAll(callers.operator, 'positions', [[companion, home.lat, home.lon, null]])
    await contribute(honest, [home, beside, home], { radios: [target] })
    await contribute(planting, [north(5_000)], { radios: [target] })
    await expect(locate(asking, target, companion)).rejects.toMatchObject(NOT_FOUND)
    // An independent one that has heard it there is evidence.
    const second = await callers.newOrganization()
    await share(second)
    await contribute(second, [home, beside], { radios: [target] })
    await eventually(
      async () =>
        expect(await locate(asking, target, companion)).toMatchObject({ accessPoints: { known: 2 } }),
      PATIENCE,
    )
  })
})

describe('the place of a radio cell that was heard at one home', () => {
  it('is not found by an organization that contributes the rest of the squares, nor by another one of its user', async () => {
    const [honest, planting] = [await callers.newOrganization(), await callers.newOrganization()]
    const [asking, unrelated] = [await callers.newOrganization(planting), await callers.newOrganization()]
    for (const caller of [honest, planting]) await share(caller)
    const cell = newCell()
    await contribute(honest, [home], { cells: [cell] })
    await contribute(planting, [400, 800, 1_200, 1_600, 2_000, 2_400].map(north), { cells: [cell] })
    for (const caller of [asking, unrelated])
      await expect(locateByCell(caller, cell)).rejects.toMatchObject(NOT_FOUND)
  })
})

describe('the operator', () => {
  it('decides who contributes: what an organization sends before its approval, or after it was revoked, stays its own', async () => {
    const caller = await callers.newOrganization()
    const organization = { organization_id: caller.organizationId }
    await share(caller, false)
    const [before, during, after] = [newRadio(), newRadio(), newRadio()]
    await contribute(caller, [home], { radios: [before] })
    expect(await sharedBy(before)).toBe(0)
    await callers.operator.call(approveSharing, organization)
    await contribute(caller, [home], { radios: [during] })
    expect(await sharedBy(during)).toBe(1)
    const shown = (await callers.operator.call(listSharing, {})).data
    expect(shown).toContainEqual({
      ...organization,
      share_observations: true,
      approved_at: expect.any(String) as unknown as string,
    })
    expect(await callers.operator.call(revokeSharing, organization)).toMatchObject({ approved_at: null })
    await contribute(caller, [home], { radios: [after] })
    expect(await sharedBy(after)).toBe(0)
    await callers.operator.call(relearnLayer, { organization_id: null })
    expect(await sharedBy(during)).toBe(0)
    const { rows } = await database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE organization_id = $1 AND action LIKE 'sharing.%' ORDER BY id`,
      [caller.organizationId],
    )
    expect(rows.map(({ action }) => action)).toEqual(['sharing.approved', 'sharing.revoked'])
    for (const operation of [approveSharing, revokeSharing])
      await expect(caller.call(operation, organization)).rejects.toMatchObject({ code: 'permission_denied' })
  })
})

it('look-ups of shared access points at different places are limited per organization, and look-ups of those of its own continue', async () => {
  const [searching, other] = [await callers.newOrganization(), await callers.newOrganization()]
  const [here, near, far, own] = [newRadio(), newRadio(), newRadio(), newRadio()]
  await importAll(callers.operator, 'positions', [
    [here, home.lat, home.lon, null],
    [near, beside.lat, beside.lon, null],
    [far, home.lat + 1, home.lon, null],
  ])
  await importAll(searching, 'positions', [[own, home.lat, home.lon, null]])
  // Those of a single known one are not counted: a limit would say that it is known.
  for (let looked = 0; looked < 8; looked++)
    await expect(locate(searching, far, newRadio())).rejects.toMatchObject(NOT_FOUND)
  for (let missed = 0; missed < 5; missed++)
    await expect(locate(searching, here, far)).rejects.toMatchObject(NOT_FOUND)
  for (const scan of [
    [here, far],
    [here, near],
    [newRadio(), newRadio()],
  ])
    await expect(locate(searching, ...scan)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retry_after: expect.any(Number) as unknown },
    })
  expect(await locate(searching, own, newRadio())).toMatchObject({ accessPoints: { known: 1 } })
  expect(await locate(other, here, near)).toMatchObject({ accessPoints: { known: 2 } })
})
