import { connectTo } from '@bearing/testing/connect-to'
import { exportAccessPoints, type AccessPoint } from '@bearing/contracts/location/access-points/access-point'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { submitObservations } from '@bearing/contracts/location/observations/observation'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Request } from '@bearing/contracts/operation'
import { merge, statisticsOf, WHOLE_WEIGHT } from '@bearing/positioning/learning/statistics/statistics'
import { encodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { Callers, importAll, type Caller } from '../../testing/test-caller.js'

type Organization = Caller & { readonly organizationId: string }
type Only = Request<typeof exportAccessPoints>['only']

const callers = forSuite(() => Callers.open(testStack().natsUrl))
const database = forSuite(() => connectTo(testStack().databaseUrls.location))

const PATIENCE = { withinMs: 30_000, everyMs: 100 }
const HOME = { lat: 48.1372, lon: 11.5755 }
const north = (meters: number) => ({ lat: HOME.lat + meters / 111_195, lon: HOME.lon })

let radios = 0
/** An access point that no other test has, and no radio of another. */
const newAccessPoint = () => 0x02_d0_00_00_00_00 + ++radios * 256

async function exported(caller: Organization, only?: Only): Promise<AccessPoint[]> {
  const all: AccessPoint[] = []
  for (let cursor: string | undefined, isOver = false; !isOver;) {
    const organization_id = caller.organizationId
    const part = await caller.call(exportAccessPoints, { organization_id, only, cursor })
    all.push(...part.data)
    isOver = part.next === null
    cursor = part.next ?? undefined
  }
  return all
}

/** As if an organization had heard access points at a place so often. */
async function learnAt(layer: string, bssids: readonly number[], place = HOME, times = 1): Promise<void> {
  const observation = { ...place, signalDbm: -60, weight: WHOLE_WEIGHT, day: 20_600 }
  const statistics = encodeStatistics(merge(Array.from({ length: times }, () => statisticsOf(observation))))
  await database.query('INSERT INTO learned_access_points SELECT unnest($1::bigint[]), $2, $3, now()', [
    bssids,
    layer,
    Buffer.from(statistics),
  ])
}

/** Contributes scans of access points at the same place, and waits until they were learned from. */
async function contribute(
  caller: Organization,
  heard: readonly { bssid: number; ssid?: string }[],
): Promise<void> {
  const items = [0, 1].map((index) => ({
    timestamp: Date.now() - 3_600_000 + index * 60_000,
    position: { latitude: north(index).lat, longitude: HOME.lon, accuracy: 5 },
    wifiAccessPoints: heard.map(({ bssid, ssid }) => ({
      macAddress: formatMacAddress(bssid),
      signalStrength: -50 - index,
      ssid,
    })),
  }))
  const { organizationId: organization_id } = caller
  await caller.call(submitObservations, { organization_id, project_id: organization_id, items })
  await eventually(async () => {
    const { rows } = await database.query('SELECT FROM observations WHERE organization_id = $1', [
      organization_id,
    ])
    expect(rows).toHaveLength(items.length)
  }, PATIENCE)
}

const near = (value: number) => expect.closeTo(value, 5) as unknown as number
const addresses = (bssids: readonly number[]) => bssids.map((bssid) => formatMacAddress(bssid))
const macsOf = (accessPoints: readonly AccessPoint[]) => accessPoints.map(({ macAddress }) => macAddress)

it('has what was learned, and nothing that others have heard, or that opted out', async () => {
  const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
  const [own, foreign, optedOut] = [newAccessPoint(), newAccessPoint(), newAccessPoint()]
  await contribute(theirs, [{ bssid: foreign }, { bssid: own }])
  await contribute(mine, [{ bssid: own }, { bssid: optedOut, ssid: 'home_nomap' }])
  expect(await exported(mine)).toEqual([
    {
      macAddress: formatMacAddress(own),
      ...{ lat: near(north(0.5).lat), lon: near(HOME.lon), spread: expect.any(Number) as unknown as number },
      ...{ observations: 2, declared: false, learned: true },
      updated_at: expect.any(String) as unknown as string,
    },
  ])
  const { rows } = await database.query('SELECT FROM learned_access_points WHERE bssid = $1', [foreign])
  expect(rows).toHaveLength(1)
})

it('is where a look-up finds an access point: as it was declared, else as more observations say', async () => {
  const mine = await callers.newOrganization()
  const bssids = [newAccessPoint(), newAccessPoint(), newAccessPoint()]
  const [declared = 0, heardMore = 0, heardLess = 0] = bssids
  const [imported, learned] = [HOME, north(300)]
  const row = (bssid: number, signal: number | null): [string, number, number, number | null] => [
    ...([formatMacAddress(bssid), imported.lat, imported.lon, signal] as const),
  ]
  await importAll(mine, 'positions', [row(declared, null)])
  await importAll(mine, 'observations', [
    row(heardMore, -50),
    ...Array.from({ length: 5 }, () => row(heardLess, -50)),
  ])
  await learnAt(mine.organizationId, bssids, learned, 3)
  const known = await exported(mine)
  expect(known).toMatchObject([
    { lat: near(imported.lat), declared: true, learned: false, observations: 1 },
    { lat: near(learned.lat), declared: false, learned: true, observations: 3 },
    { lat: near(imported.lat), declared: false, learned: false, observations: 5 },
  ])
  for (const { macAddress, lat } of known)
    expect(
      await mine.call(resolveWifiLocation, {
        ...{ organization_id: mine.organizationId, project_id: mine.organizationId },
        accessPoints: [{ macAddress, signalStrength: -50 }],
      }),
    ).toMatchObject({ lat: near(lat) })
  const lats = async (only: Only) => (await exported(mine, only)).map(({ lat }) => lat)
  expect(await lats('imported')).toEqual(bssids.map(() => near(imported.lat)))
  expect(await lats('learned')).toEqual(bssids.map(() => near(learned.lat)))
})

it('has each once, in the order of addresses, however many there are and however many of others lie between', async () => {
  const mine = await callers.newOrganization()
  const first = 0x06_00_00_00_00_00
  const all = Array.from({ length: 4_500 }, (_, index) => first + index * 40)
  const imported = all.filter((_, index) => index % 3 !== 0)
  const learned = all.filter((_, index) => index % 3 !== 1)
  await importAll(
    mine,
    'positions',
    imported.map((bssid) => [formatMacAddress(bssid), HOME.lat, HOME.lon, null]),
  )
  await learnAt(mine.organizationId, learned)
  const others = Array.from({ length: 120_000 }, (_, index) => first + index)
  await learnAt(v7(), others)
  expect(macsOf(await exported(mine))).toEqual(addresses(all))
  expect(macsOf(await exported(mine, 'imported'))).toEqual(addresses(imported))
  expect(macsOf(await exported(mine, 'learned'))).toEqual(addresses(learned))
})

it('has nothing that was erased, although it was not swept yet', async () => {
  const mine = await callers.newOrganization()
  const [kept, inArea, byAddress, importedToo] = [1, 2, 3, 4].map(newAccessPoint)
  await importAll(mine, 'observations', [[formatMacAddress(importedToo ?? 0), HOME.lat, HOME.lon, -50]])
  await learnAt(mine.organizationId, [kept ?? 0, byAddress ?? 0])
  await learnAt(mine.organizationId, [inArea ?? 0, importedToo ?? 0], north(500), 2)
  // As if it had been swept before this was learned: nobody looks there again.
  await database.query('INSERT INTO forgotten_access_points VALUES ($1, $2, now(), now())', [
    mine.organizationId,
    byAddress,
  ])
  const middle = north(510)
  await database.query('INSERT INTO forgotten_areas VALUES ($1, $2, $3, $4, 50, now(), now())', [
    ...[v7(), mine.organizationId, middle.lat, middle.lon],
  ])
  expect(await exported(mine)).toMatchObject([
    { macAddress: formatMacAddress(kept ?? 0), learned: true },
    { macAddress: formatMacAddress(importedToo ?? 0), learned: false, lat: near(HOME.lat) },
  ])
  expect(macsOf(await exported(mine, 'learned'))).toEqual(addresses([kept ?? 0]))
})
