import { connectTo } from '@bearing/testing/connect-to'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { decodeContribution, decodeReadings } from '@bearing/positioning/learning/evidence/contribution-codec'
import type { CellKey } from '@bearing/contracts/location/cells/cell-identity'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { learn } from './learn-transaction.js'
import type { Submission } from './submission.js'
import { rebuild } from '../testing/rebuild.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))

const NOW = new Date('2026-03-01T12:00:00Z')
const HOME = { lat: 48.1, lon: 11.5 }
/** About 220 m to the north. */
const NEAR = { lat: 48.102, lon: 11.5 }

let others = 0
/** Three addresses that no other test uses. */
function newAddresses(): [number, number, number] {
  others++
  const first = 0x02_f1_00_00_00_00 + others * 0x1_00_00
  return [first, first + 16, first + 32]
}

function heard(
  organizationId: string,
  bssids: readonly number[],
  place = HOME,
): [Submission, ...Submission[]] {
  const readings = bssids.map((bssid, index) => ({ bssid, signalDbm: -50 - index }))
  const at = { ...place, accuracyMeters: 5, atSeconds: NOW.getTime() / 1_000 - 60 }
  const contribution = { ...at, readings, cells: bssids.map(cellOf) }
  return [[{ id: v7(), organizationId, projectId: v7(), network: null, device: null, contribution }]]
}

const cellOf = (bssid: number): CellKey => ({ radio: 4, mcc: 262, mnc: 1, area: 1, cell: bssid % 2 ** 28 })

/** Returns those of the addresses that a layer has learned. */
async function learned(layer: string, bssids: readonly number[]): Promise<number[]> {
  const { rows } = await database.query<{ bssid: string }>(
    'SELECT bssid FROM learned_access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[]) ORDER BY bssid',
    [layer, bssids],
  )
  return rows.map(({ bssid }) => Number(bssid))
}

/** Returns those of the addresses whose cells a layer has learned. */
async function learnedCells(layer: string, bssids: readonly number[]): Promise<number[]> {
  const { rows } = await database.query<{ cell: string }>(
    'SELECT cell FROM learned_cells WHERE organization_id = $1 AND cell = ANY ($2::bigint[])',
    [layer, bssids.map((bssid) => cellOf(bssid).cell)],
  )
  return bssids.filter((bssid) => rows.some(({ cell }) => Number(cell) === cellOf(bssid).cell))
}

const forgetCell = (layer: string, bssid: number) =>
  database.query('INSERT INTO forgotten_cells VALUES ($1, 4, 262, 1, 1, $2, now(), NULL)', [
    layer,
    cellOf(bssid).cell,
  ])
const erase = (layer: string, bssid: number | undefined) =>
  database.query('INSERT INTO forgotten_access_points VALUES ($1, $2, now(), NULL)', [layer, bssid])
const eraseAround = (layer: string, { lat, lon }: typeof HOME) =>
  database.query('INSERT INTO forgotten_areas VALUES ($1, $2, $3, $4, 100, now(), NULL)', [
    v7(),
    layer,
    lat,
    lon,
  ])

describe('what an organization has erased', () => {
  it('is neither learned nor stored again, and others learn it as before', async () => {
    const [mine, theirs] = [v7(), v7()]
    const all = newAddresses()
    const [first, second, third] = all
    await erase(mine, first)
    await learn(database, heard(mine, all), NOW)
    expect(await learned(mine, all)).toEqual([second, third])
    const { rows } = await database.query<{ contribution: Buffer; readings: Buffer }>(
      'SELECT contribution, readings FROM observations JOIN reference_scans USING (id) WHERE observations.organization_id = $1',
      [mine],
    )
    const [stored] = rows
    if (!stored) throw new Error('nothing was stored')
    const kept = decodeContribution(stored.contribution)
    expect(kept.readings.map(({ bssid }) => bssid)).toEqual([second, third])
    expect(decodeReadings(stored.readings).map(([bssid]) => bssid)).toEqual([second, third])
    await learn(database, heard(theirs, all), NOW)
    expect(await learned(theirs, all)).toEqual(all)
  })

  it('is read of what was heard alone, however much else there is', async () => {
    const mine = v7()
    const [first, second, third] = newAddresses()
    await database.query(
      'INSERT INTO forgotten_access_points SELECT $1, $2::bigint + number * 256, now(), NULL FROM generate_series(0, 999) AS number',
      [mine, first],
    )
    const client = new pg.Client(postgres.databaseUrls.location)
    await client.connect()
    let rows = 0
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>
    client.query = (async (...given: unknown[]) => {
      const result = await query(...given)
      rows += result.rows.length
      return result
    }) as typeof client.query // the one of its overloads that is used
    await learn(client, heard(mine, [first, second, third]), NOW)
    await client.end()
    expect(await learned(mine, [first, second, third])).toEqual([second, third])
    expect(rows).toBeLessThan(50)
  })

  it('in an area is not learned there, and elsewhere it is', async () => {
    const mine = v7()
    const [here, there] = [newAddresses(), newAddresses()]
    await eraseAround(mine, HOME)
    await learn(database, [...heard(mine, here), ...heard(mine, there, NEAR)], NOW)
    expect(await learned(mine, [...here, ...there])).toEqual(there)
  })

  it('is not learned again from what is stored and not swept yet', async () => {
    const mine = v7()
    const [all, inside] = [newAddresses(), newAddresses()]
    const [first, second, third] = all
    await learn(database, [...heard(mine, all), ...heard(mine, inside, NEAR)], NOW)
    expect(await learned(mine, [...all, ...inside])).toEqual([...all, ...inside])
    await erase(mine, first)
    await eraseAround(mine, NEAR)
    await rebuild(database, mine, NOW)
    expect(await learned(mine, [...all, ...inside])).toEqual([second, third])
    const { rows } = await database.query<{ readings: Buffer }>(
      'SELECT readings FROM reference_scans WHERE organization_id = $1',
      [mine],
    )
    expect(rows.map(({ readings }) => decodeReadings(readings).map(([bssid]) => bssid))).toEqual([
      [second, third],
    ])
  })
})

describe('an erased radio cell', () => {
  it('is neither learned nor stored again; one that was heard in an erased area is learned from elsewhere', async () => {
    const [mine, theirs] = [v7(), v7()]
    const all = newAddresses()
    const [first, second, third] = all
    await forgetCell(mine, first)
    const [here, there] = [
      { lat: 51, lon: 7 },
      { lat: 51.01, lon: 7 },
    ]
    await eraseAround(mine, here)
    const far = [second, third]
    await learn(database, [...heard(mine, all, there), ...heard(mine, far, here)], NOW)
    expect(await learnedCells(mine, all)).toEqual(far)
    const { rows } = await database.query<{ contribution: Buffer }>(
      'SELECT contribution FROM observations WHERE organization_id = $1 AND contribution IS NOT NULL',
      [mine],
    )
    const stored = rows.flatMap(({ contribution }) => decodeContribution(contribution).cells ?? [])
    expect(stored).toEqual(far.map(cellOf))
    await learn(database, heard(theirs, all), NOW)
    expect(await learnedCells(theirs, all)).toEqual(all)
  })

  it('is not learned again by a rebuild', async () => {
    const mine = v7()
    const all = newAddresses()
    const [first, second, third] = all
    await learn(database, heard(mine, all), NOW)
    expect(await learnedCells(mine, all)).toEqual(all)
    await forgetCell(mine, first)
    await rebuild(database, mine, NOW)
    expect(await learnedCells(mine, all)).toEqual([second, third])
  })
})
