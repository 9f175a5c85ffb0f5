import { expect, it } from '@jest/globals'
import { createLogger } from '../observe/logger.js'
import { deleteOldRows, SweepOldRows, type OldRows } from './sweep-old-rows.js'

const FIRST: OldRows = { table: 'first', key: ['id'], where: 'at < $1::date', keptMs: 1_000 }
const SECOND: OldRows = { table: 'second', key: ['id'], where: 'ended_at < $1::date', keptMs: 0 }

it('all that is old goes, batch by batch and table by table', async () => {
  const left = new Map([
    [deleteOldRows(FIRST), 12_000],
    [deleteOldRows(SECOND), 3],
  ])
  const calls: [number, number][] = []
  const database = {
    $executeRawUnsafe: (statement: string, before: Date) => {
      const rows = left.get(statement) ?? NaN
      const some = Math.min(rows, 5_000)
      left.set(statement, rows - some)
      calls.push([some, before.getTime()])
      return Promise.resolve(some)
    },
  }
  const ground = { database, clock: { nowMs: () => 5_000 }, logger: createLogger('spec', 'silent') }
  await new SweepOldRows(ground, { what: 'rows', intervalMs: 1_000, rows: [FIRST, SECOND] }).sweep()
  expect(calls).toEqual([
    [5_000, 4_000],
    [5_000, 4_000],
    [2_000, 4_000],
    [3, 5_000],
  ])
})
