import { connectTo } from '@bearing/testing/connect-to'
import {
  exportObservations,
  type ExportedObservation,
} from '@bearing/contracts/location/observations/exported-observation'
import { forgetAccessPoint } from '@bearing/contracts/location/access-points/erase-stations'
import { changeLocationSettings } from '@bearing/contracts/location/settings/location-settings'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { findObservations, submitObservations } from '@bearing/contracts/location/observations/observation'
import type { Request } from '@bearing/contracts/operation'
import { encodeContribution } from '@bearing/positioning/learning/evidence/contribution-codec'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { Callers, type Caller } from '../../testing/test-caller.js'

type Organization = Caller & { readonly organizationId: string }
type Item = Request<typeof submitObservations>['items'][number]

const callers = forSuite(() => Callers.open(testStack().natsUrl))
const database = forSuite(() => connectTo(testStack().databaseUrls.location))

const PATIENCE = { withinMs: 30_000, everyMs: 100 }
const PROJECT = v7()
const BEGUN = Date.now() - 3_600_000
const address = (number: number) => formatMacAddress(0x02_c0_00_00_00_00 + number * 256)

const scopeOf = ({ organizationId }: Organization, project_id = PROJECT) => ({
  ...{ organization_id: organizationId, project_id },
})

async function exported(caller: Organization, project = PROJECT): Promise<ExportedObservation[]> {
  const all: ExportedObservation[] = []
  for (let cursor: string | undefined, isOver = false; !isOver;) {
    const part = await caller.call(exportObservations, { ...scopeOf(caller, project), cursor })
    all.push(...part.data)
    isOver = part.next === null
    cursor = part.next ?? undefined
  }
  return all
}

async function stored({ organizationId }: Organization): Promise<number> {
  const { rows } = await database.query('SELECT FROM observations WHERE organization_id = $1', [
    organizationId,
  ])
  return rows.length
}

/** Submits, and waits until that was learned from. */
async function submit(caller: Organization, items: Item[], known = 0): Promise<void> {
  const before = await stored(caller)
  await caller.call(submitObservations, { ...scopeOf(caller), items })
  await eventually(async () => expect(await stored(caller)).toBe(before + items.length - known), PATIENCE)
}

/** Returns what an organization has learned, bit by bit. */
async function learned({ organizationId }: Organization): Promise<unknown> {
  const points =
    'SELECT bssid, statistics FROM learned_access_points WHERE organization_id = $1 ORDER BY bssid'
  const cells = 'SELECT cell, statistics FROM learned_cells WHERE organization_id = $1 ORDER BY cell'
  const read = async (statement: string) =>
    (await database.query<{ statistics: Buffer }>(statement, [organizationId])).rows.map(
      ({ statistics, ...key }) => [key, statistics.toString('hex')],
    )
  return [await read(points), await read(cells)]
}

/** Two devices that are far from each other, in the same seconds; each scan repeats a reading of the one before. */
const drive = Array.from({ length: 12 }, (_, index): Item => {
  const isFirst = index % 2 === 0
  return {
    device_id: isFirst ? 'one' : 'other',
    timestamp: BEGUN + index * 5_000,
    position: {
      ...{ latitude: isFirst ? 48 : 49, longitude: 11 + index * 1e-4, accuracy: 4 + index },
      ...(isFirst && { speed: 1.25, age: 700 }),
    },
    wifiAccessPoints: [
      { macAddress: address(1 + (index % 2)), signalStrength: -50 },
      { macAddress: address(3 + index), signalStrength: -60 - index, age: index * 300 },
      { macAddress: address(40), signalStrength: -70, ssid: 'x_nomap' },
      { macAddress: address(41), signalStrength: -70 - index, age: 60_000 },
    ],
    cellTowers: [
      {
        ...{ radioType: isFirst ? 'lte' : 'nr', mobileCountryCode: 262, mobileNetworkCode: 1 },
        ...{ locationAreaCode: 7, cellId: index, ...(isFirst && { signalStrength: -90 }) },
      },
    ],
  }
})

/** A scan that nothing was sent before or after. */
const alone = (earlierMs: number): Item => ({
  timestamp: BEGUN - earlierMs,
  position: { latitude: 48, longitude: 11, accuracy: 5 },
  wifiAccessPoints: [{ macAddress: address(90), signalStrength: -50 }],
})

it('submitted to another organization is learned the same, bit by bit, and changes nothing in its own, however often', async () => {
  const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
  const implausible: Item = { ...alone(0), position: { latitude: 48, longitude: 11, accuracy: 900 } }
  await submit(mine, [...drive, implausible], 1)
  const lines = await exported(mine)
  expect(lines).toHaveLength(drive.length)
  await submit(theirs, lines)
  expect(await learned(theirs)).toEqual(await learned(mine))
  const before = await learned(mine)
  await submit(mine, [...lines, alone(1e6)], lines.length)
  await submit(theirs, [...lines, alone(1e6)], lines.length)
  expect(await learned(theirs)).toEqual(await learned(mine))
  expect(await learned(mine)).not.toEqual(before)
  const again = await exported(theirs)
  const known = async (caller: Organization, ids: string[]) =>
    (await caller.call(findObservations, { ...scopeOf(caller), ids })).known
  const names = [...lines.map(({ id }) => id), 'another']
  // Those of a file that was exported, where it comes from, where it was submitted, and where neither is so.
  for (const caller of [mine, theirs])
    expect(await known(caller, names)).toEqual([...lines.map(() => true), false])
  expect(await known(await callers.newOrganization(), names)).not.toContain(true)
  await submit(theirs, [...again, alone(2e6)], again.length)
  expect(await exported(theirs)).toHaveLength(again.length + 1)
})

it('has each observation of its project once, in the order in which they came, in parts that fit into a message', async () => {
  const mine = await callers.newOrganization()
  const other = v7()
  const readings = Array.from({ length: 256 }, (_, number) => ({
    bssid: 0x06_00_00_00_00_00 + number * 256,
    signalDbm: -60,
    ageMs: 1_000,
  }))
  const ids = Array.from({ length: 2_500 }, () => v7())
  for (const [index, id] of ids.entries()) {
    const isLarge = index >= 1_000 && index < 1_200
    const heard = isLarge ? readings : readings.slice(0, 2)
    const contribution = {
      lat: 48,
      lon: 11,
      accuracyMeters: 5,
      atSeconds: 1 + index,
      readings: heard,
      learned: heard,
    }
    await database.query('INSERT INTO observations VALUES ($1, $2, $3, to_timestamp($4), NULL, $5)', [
      ...[id, mine.organizationId, index % 5 === 4 ? other : PROJECT],
      // Many come in the same millisecond.
      Math.floor(Date.now() / 1_000) - 3_600 + Math.floor(index / 700),
      Buffer.from(encodeContribution(contribution)),
    ])
  }
  const own = ids.filter((_, index) => index % 5 !== 4).map((id) => `bearing:${id}`)
  expect((await exported(mine)).map(({ id }) => id)).toEqual(own)
  expect(await exported(mine, other)).toHaveLength(500)
})

it('has nothing that was erased or has expired, swept or not', async () => {
  const mine = await callers.newOrganization()
  await submit(mine, drive)
  await mine.call(forgetAccessPoint, { organization_id: mine.organizationId, macAddress: address(1) })
  const heard = (await exported(mine)).flatMap(({ wifiAccessPoints }) => wifiAccessPoints)
  expect(heard.map(({ macAddress }) => macAddress)).not.toContain(address(1))
  await database.query('INSERT INTO forgotten_access_points VALUES ($1, $2, now(), now())', [
    mine.organizationId,
    Number.parseInt(address(2).replaceAll(':', ''), 16),
  ])
  await database.query('INSERT INTO forgotten_cells VALUES ($1, 4, 262, 1, 7, 0, now(), now())', [
    mine.organizationId,
  ])
  await database.query('INSERT INTO forgotten_areas VALUES ($1, $2, 48, 11.0002, 5, now(), now())', [
    ...[v7(), mine.organizationId],
  ])
  const left = await exported(mine)
  expect(left).toHaveLength(drive.length - 1) // the third was heard in the area
  const all = left.flatMap(({ wifiAccessPoints }) => wifiAccessPoints)
  expect(all.map(({ macAddress }) => macAddress)).not.toContain(address(2))
  const cells = left.flatMap(({ cellTowers = [] }) => cellTowers.map(({ cellId }) => cellId))
  expect(cells.sort((a, b) => a - b)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  const settings = { observation_retention_days: 3 }
  await mine.call(changeLocationSettings, { organization_id: mine.organizationId, ...settings })
  await database.query(
    "UPDATE observations SET received_at = received_at - interval '4 days' WHERE organization_id = $1",
    [mine.organizationId],
  )
  expect(await exported(mine)).toEqual([])
})

it('is recorded, and cannot be continued by anybody else', async () => {
  const [mine, theirs] = [await callers.newOrganization(), await callers.newOrganization()]
  for (const caller of [mine, theirs])
    await database.query(
      `INSERT INTO observations SELECT gen_random_uuid(), $1, $2, now(), 'nothing_fresh', NULL FROM generate_series(1, 501)`,
      [caller.organizationId, PROJECT],
    )
  const { next } = await mine.call(exportObservations, scopeOf(mine))
  const { rows } = await database.query<{ id: string }>(
    'SELECT id, action, target, actor_kind, details FROM audit_log WHERE organization_id = $1',
    [mine.organizationId],
  )
  expect(rows).toEqual([
    {
      ...{ id: expect.any(String) as unknown, action: 'observations.exported', target: `project:${PROJECT}` },
      ...{ actor_kind: 'user', details: {} },
    },
  ])
  const cursor = next ?? ''
  expect(await mine.call(exportObservations, { ...scopeOf(mine), cursor })).toEqual({ data: [], next: null })
  const refused = { code: 'invalid_input' }
  await expect(theirs.call(exportObservations, { ...scopeOf(theirs), cursor })).rejects.toMatchObject(refused)
  await expect(mine.call(exportObservations, { ...scopeOf(mine, v7()), cursor })).rejects.toMatchObject(
    refused,
  )
  await expect(mine.call(exportObservations, { ...scopeOf(mine), cursor: 'x' })).rejects.toMatchObject(
    refused,
  )
  await expect(
    mine.call(exportObservations, { ...scopeOf(mine), cursor: cursor.replace(/^[^.]+/, v7()) }),
  ).rejects.toMatchObject(refused)
})
