import { DAY_MS } from '@bearing/contracts/durations'
import type { Database } from '../../ground/database.js'

interface Day {
  readonly name: string
  readonly range: string
  readonly is_over: boolean
}

/** Outcome for the partitions that are over. */
export interface DroppedDays {
  /** The number of dropped partitions. */
  readonly dropped: number
  /** Ranges of those that will be dropped within a day. Nothing in them needs to be deleted. */
  readonly waiting: readonly string[]
  /** The errors of those that could not be dropped, such as a lock that a backup holds. */
  readonly errors: readonly unknown[]
}

/** Drops the partitions of chunks of which no project keeps anything. */
export async function dropChunkDays(database: Pick<Database, '$queryRaw'>, now: Date): Promise<DroppedDays> {
  const soon = new Date(now.getTime() + DAY_MS)
  const days = await database.$queryRaw<Day[]>`
    SELECT name, tstzrange(first, until)::text AS range, until <= ${now}::timestamptz AS is_over
    FROM chunk_days WHERE until <= ${soon}::timestamptz ORDER BY first`
  let dropped = 0
  const waiting: string[] = []
  const errors: unknown[] = []
  for (const { name, range, is_over: isOver } of days)
    try {
      if (isOver && (await isDropped(database, name, now))) dropped++
      else if (!(await isKept(database, name, soon))) waiting.push(range)
    } catch (error) {
      errors.push(error)
      waiting.push(range)
    }
  return { dropped, waiting, errors }
}

async function isDropped(database: Pick<Database, '$queryRaw'>, name: string, now: Date): Promise<boolean> {
  const [row] = await database.$queryRaw<{ dropped: boolean }[]>`
    SELECT drop_chunk_day(${name}, ${now}::timestamptz) AS dropped`
  return row?.dropped === true
}

async function isKept(database: Pick<Database, '$queryRaw'>, name: string, at: Date): Promise<boolean> {
  const [row] = await database.$queryRaw<{ kept: boolean }[]>`
    SELECT is_chunk_day_kept(${name}, ${at}::timestamptz) AS kept`
  return row?.kept !== false
}
