import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { takeLayer } from '../ground/locks.js'
import { learn } from './learn-transaction.js'
import type { Submission } from './submission.js'

let postgres: TestDatabase
let database: pg.Client
let other: pg.Client
beforeAll(async () => {
  postgres = await TestDatabase.create()
  ;[database, other] = [
    new pg.Client(postgres.databaseUrls.location),
    new pg.Client(postgres.databaseUrls.location),
  ]
  await Promise.all([database.connect(), other.connect()])
})
afterAll(async () => {
  await Promise.all([database.end(), other.end()])
  await postgres.drop()
})

const NOW = new Date('2026-03-01T12:00:00Z')

let bssids = 0
function submission(organizationId: string): Submission {
  const [place, accuracyMeters] = [{ lat: 48, lon: 11 }, 5]
  const readings = [{ bssid: 0x02_00_00_00_00_00 + 16 * ++bssids, signalDbm: -60 }]
  const contribution = { ...place, accuracyMeters, atSeconds: NOW.getTime() / 1_000 - 60, readings }
  return [{ id: v7(), organizationId, projectId: v7(), network: null, device: null, contribution }]
}

/** Returns the layers in which something was learned from a submission. */
async function layersOf([one]: Submission): Promise<string[]> {
  const { rows } = await database.query<{ layer: string }>(
    'SELECT organization_id AS layer FROM learned_access_points WHERE bssid = $1 ORDER BY organization_id',
    [one?.contribution.readings[0]?.bssid],
  )
  return rows.map(({ layer }) => layer)
}

/** Returns what learning leaves for later while somebody has a layer for himself. */
async function postponedBeside(layer: string, submissions: readonly Submission[]) {
  await other.query('BEGIN')
  await takeLayer(other, layer)
  try {
    return (await learn(database, submissions, NOW)).postponed
  } finally {
    await other.query('ROLLBACK')
  }
}

describe('a layer that is being rebuilt', () => {
  it('keeps submissions of its organization waiting, and no others; later they count once', async () => {
    const [busy, free] = [submission(v7()), submission(v7())]
    const layer = busy[0]?.organizationId ?? ''
    expect(await postponedBeside(layer, [busy, free])).toEqual([busy])
    expect(await postponedBeside(layer, [busy])).toEqual([busy])
    expect(await layersOf(busy)).toEqual([])
    expect(await layersOf(free)).toEqual([free[0]?.organizationId])
    for (let times = 0; times < 2; times++)
      expect((await learn(database, [busy, free], NOW)).postponed).toEqual([])
    const { rows } = await database.query<{ statistics: Buffer }>(
      'SELECT statistics FROM learned_access_points WHERE organization_id = ANY ($1)',
      [[layer, free[0]?.organizationId]],
    )
    // They have heard one scan each, in the same place.
    expect(rows).toHaveLength(2)
    expect(rows[0]?.statistics).toEqual(rows[1]?.statistics)
  })
})
