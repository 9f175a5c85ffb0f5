import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../database.js'
import { tooMuchTogether } from './upload-limits.js'

/**
 * How much of what an upload may need a project has room for. What was put and not committed counts until it is swept, and what
 * is on its way with the most that it may become: or else both could be any number of bytes.
 *
 * @param limit of all files of the project together, in bytes; Infinity for any number
 * @param least what the upload needs at least, in bytes
 * @param most what it may use, in bytes
 * @param replaced the object that it takes the place of, which does not count; null for none
 * @returns a number from `least` to `most`
 * @throws OperationError `upload_too_large`; `overloaded` where there will be room unless all becomes complete that is on its way
 */
export async function findRoom(
  database: Pick<Transaction, '$queryRaw'>,
  projectId: string,
  limit: number,
  [least, most]: readonly [number, number],
  replaced: string | null,
): Promise<number> {
  if (limit === Infinity) return most
  const [{ here, coming } = { here: 0, coming: 0 }] = await database.$queryRaw<
    { here: number; coming: number }[]
  >`
    SELECT coalesce(sum(size) FILTER (WHERE sha256 IS NOT NULL), 0)::float8 AS here,
      coalesce(sum(size) FILTER (WHERE sha256 IS NULL AND NOT leaving), 0)::float8 AS coming
    FROM stored_objects WHERE project_id = ${projectId}::uuid AND id IS DISTINCT FROM ${replaced}::uuid`
  if (here + least > limit) throw tooMuchTogether(limit)
  const left = limit - here - coming
  if (left >= least) return Math.min(left, most)
  throw new OperationError(
    'overloaded',
    'Uploads of the project that are under way may need all the room that its files have. Try again shortly.',
    { retry_after: 5 },
  )
}
