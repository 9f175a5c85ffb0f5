import { connectTo } from '@bearing/testing/connect-to'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { TestDatabase } from '@bearing/testing/test-database'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { openLearningPool } from '../ground/database.js'
import { testPools } from '../testing/test-pools.js'
import { SweepPositions } from './sweep-positions.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))
const pool = forSuite(
  () => openLearningPool(postgres.databaseUrls.location),
  (it) => it.end(),
)
beforeEach(async () => {
  await database.query('DELETE FROM position_policies')
})

const NOW = new Date('2026-03-31T12:00:00Z')
const organizationId = v7()

/** Returns a project that keeps positions for so many days, and has some that are each so many days old. */
async function projectWith(retentionDays: number, ages: readonly number[], stores = true): Promise<string> {
  const id = v7()
  await database.query('INSERT INTO position_policies VALUES ($1, $2, $3, $4, now())', [
    organizationId,
    id,
    stores,
    retentionDays,
  ])
  await database.query(
    `INSERT INTO device_positions
     SELECT $1, $2, 'UNIT-7', $3::timestamptz - make_interval(days => age), gen_random_uuid(), 1, 2, 3, 68, 'WIFI'
     FROM unnest($4::int[]) AS age`,
    [organizationId, id, NOW, ages],
  )
  return id
}

/** Returns how many days old the positions are that a project has. */
async function agesOf(projectId: string): Promise<number[]> {
  const { rows } = await database.query<{ age: number }>(
    `SELECT extract(day FROM $2::timestamptz - at)::int AS age FROM device_positions WHERE project_id = $1 ORDER BY age`,
    [projectId, NOW],
  )
  return rows.map(({ age }) => age)
}

function sweeper(sizes?: { atOnce: number; statements: number }): SweepPositions {
  return new SweepPositions(
    testPools(pool),
    new Clock(() => NOW.getTime()),
    createLogger('spec', 'silent'),
    sizes,
  )
}

describe('positions', () => {
  it('are deleted once they are older than their project keeps them, also where it stores no more', async () => {
    const month = await projectWith(30, [1, 29, 31, 400])
    const day = await projectWith(1, [0, 2, 29], false)
    expect(await sweeper().sweep()).toBe(4)
    expect(await agesOf(month)).toEqual([1, 29])
    expect(await agesOf(day)).toEqual([0])
  })

  it('of a project that has many hold up nobody else, and what is left goes with the next sweep', async () => {
    const many = await projectWith(
      1,
      Array.from({ length: 25 }, () => 9),
    )
    const few = await projectWith(1, [9, 9])
    const small = sweeper({ atOnce: 5, statements: 2 })
    expect(await small.sweep()).toBe(7)
    expect(await agesOf(few)).toEqual([])
    while ((await small.sweep()) > 0);
    expect(await agesOf(many)).toEqual([])
  })

  it('are deleted once where two processes sweep at the same time', async () => {
    await projectWith(
      1,
      Array.from({ length: 500 }, () => 9),
    )
    const sizes = { atOnce: 7, statements: 1_000 }
    const gone = await Promise.all([sweeper(sizes).sweep(), sweeper(sizes).sweep()])
    expect(gone[0] + gone[1]).toBe(500)
  })
})
