import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { quotaExceeded, type FilesQuota } from './upload-limits.js'

/** Who an upload is of, and what may be stored there. */
export interface Room {
  readonly organizationId: string
  readonly projectId: string
  readonly quotas: readonly FilesQuota[]
}

/** Bytes that a project or an organization uses: of files, of what was put and not committed, and of what uploads may become. */
interface Usage {
  readonly files: number
  readonly uncommitted: number
  readonly coming: number
}

/**
 * Returns how much of what an upload may need there is room for. What was put and not committed counts until it is swept, and what
 * is on its way with the most that it may become: or else both could be any number of bytes.
 *
 * @param least what the upload needs at least, in bytes
 * @param most what it may use, in bytes
 * @param replaced the object that it takes the place of, which does not count; null for none
 * @returns a number from `least` to `most`
 * @throws OperationError `storage_quota_exceeded`; `overloaded` where there will be room unless all becomes complete that is on its way
 */
export async function findRoom(
  database: Pick<Transaction, '$queryRaw'>,
  room: Room,
  [least, most]: readonly [number, number],
  replaced: string | null,
): Promise<number> {
  const bounded = boundedQuotas(room)
  if (bounded.length === 0) return most
  const [usages, gone] = [await usagesOf(database, room), await uncommittedBytes(database, replaced)]
  let found = most
  for (const quota of bounded) {
    const { files, uncommitted, coming } = usages[quota.scope]
    const here = files + uncommitted - gone
    if (here + least > quota.bytes) throw quotaExceeded(quota, here)
    found = Math.min(found, quota.bytes - here - coming)
  }
  if (found >= least) return found
  throw new OperationError(
    'overloaded',
    'Uploads that are under way may need all the room that is left for files. Try again shortly.',
    { retry_after: 5 },
  )
}

/**
 * Makes sure that files may become larger by so many bytes.
 *
 * @throws OperationError `storage_quota_exceeded`
 */
export async function requireRoom(
  database: Pick<Transaction, '$queryRaw'>,
  room: Room,
  bytes: number,
): Promise<void> {
  const bounded = boundedQuotas(room)
  if (bounded.length === 0) return
  const usages = await usagesOf(database, room)
  for (const quota of bounded) {
    const { files } = usages[quota.scope]
    if (files + bytes > quota.bytes) throw quotaExceeded(quota, files)
  }
}

function boundedQuotas({ quotas }: Room): FilesQuota[] {
  return quotas.filter(({ bytes }) => bytes !== Infinity)
}

/** Triggers count in the rows of projects (see the migration storage_usage), so that this reads one row for each. */
async function usagesOf(
  database: Pick<Transaction, '$queryRaw'>,
  { organizationId, projectId }: Room,
): Promise<Record<FilesQuota['scope'], Usage>> {
  const rows = await database.$queryRaw<(Usage & { own: boolean })[]>`
    SELECT id = ${projectId}::uuid AS own, sum(file_bytes)::float8 AS files,
      sum(uncommitted_bytes)::float8 AS uncommitted, sum(coming_bytes)::float8 AS coming
    FROM projects WHERE organization_id = ${organizationId}::uuid GROUP BY 1`
  return { project: total(rows.filter(({ own }) => own)), organization: total(rows) }
}

function total(rows: readonly Usage[]): Usage {
  const sum = (name: keyof Usage) => rows.reduce((all, row) => all + row[name], 0)
  return { files: sum('files'), uncommitted: sum('uncommitted'), coming: sum('coming') }
}

async function uncommittedBytes(
  database: Pick<Transaction, '$queryRaw'>,
  objectId: string | null,
): Promise<number> {
  if (objectId === null) return 0
  const [row] = await database.$queryRaw<{ size: number }[]>`
    SELECT size::float8 AS size FROM stored_objects
    WHERE id = ${objectId}::uuid AND sha256 IS NOT NULL AND kept IS NULL`
  return row?.size ?? 0
}
