import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { quotaExceeded, type FilesQuota } from './upload-limits.js'

/** The owner of an upload, and its storage quotas. */
export interface StorageScope {
  readonly organizationId: string
  readonly projectId: string
  readonly quotas: readonly FilesQuota[]
}

/** Bytes that a project, an organization or the organizations of one creator use. */
interface Usage {
  readonly files: number
  /** Of complete uploads without a commit. */
  readonly uncommitted: number
  /** Reserved by incomplete uploads. */
  readonly reserved: number
}

/**
 * Returns how many bytes an upload may use. Uncommitted uploads count until they are swept, incomplete uploads with their
 * maximum: otherwise both could be unlimited. An upload of unknown length gets at most half of the free bytes, so that it leaves
 * room for others.
 *
 * @param least the bytes that the upload needs, and the bytes that it may use at most
 * @param replaced the object that it replaces, which does not count; null for none
 * @returns a number from `least` to `most`
 * @throws OperationError `storage_quota_exceeded`; `overloaded` if other incomplete uploads may need the free bytes
 */
export async function availableBytes(
  database: Pick<Transaction, '$queryRaw'>,
  scope: StorageScope,
  [least, most]: readonly [number, number],
  replaced: string | null,
): Promise<number> {
  const bounded = boundedQuotas(scope)
  if (bounded.length === 0) return most
  const [usages, replacedBytes] = [
    await readUsages(database, scope),
    await uncommittedBytes(database, replaced),
  ]
  let available = most
  for (const quota of bounded) {
    const { files, uncommitted, reserved } = usages[quota.scope]
    const used = files + uncommitted - replacedBytes
    if (used + least > quota.bytes) throw quotaExceeded(quota, used)
    const free = quota.bytes - used - reserved
    available = Math.min(available, least === most ? free : Math.ceil(free / 2))
  }
  if (available >= least) return available
  throw new OperationError(
    'overloaded',
    'Other incomplete uploads may need the rest of the storage quota. Try again shortly.',
    { retry_after: 5 },
  )
}

/**
 * Verifies that the quotas allow so many more bytes of files.
 *
 * @throws OperationError `storage_quota_exceeded`
 */
export async function checkQuota(
  database: Pick<Transaction, '$queryRaw'>,
  scope: StorageScope,
  bytes: number,
): Promise<void> {
  const bounded = boundedQuotas(scope)
  if (bounded.length === 0) return
  const usages = await readUsages(database, scope)
  for (const quota of bounded) {
    const { files } = usages[quota.scope]
    if (files + bytes > quota.bytes) throw quotaExceeded(quota, files)
  }
}

function boundedQuotas({ quotas }: StorageScope): FilesQuota[] {
  return quotas.filter(({ bytes }) => bytes !== Infinity)
}

/** Reads the usage that triggers count in the rows of projects. */
async function readUsages(
  database: Pick<Transaction, '$queryRaw'>,
  { organizationId, projectId }: StorageScope,
): Promise<Record<FilesQuota['scope'], Usage>> {
  const rows = await database.$queryRaw<(Usage & { own: boolean; ours: boolean })[]>`
    SELECT p.id = ${projectId}::uuid AS own, p.organization_id = ${organizationId}::uuid AS ours,
      sum(p.file_bytes)::float8 AS files, sum(p.uncommitted_bytes)::float8 AS uncommitted,
      sum(p.coming_bytes)::float8 AS reserved
    FROM organizations this
    JOIN organizations o ON o.created_by = this.created_by
    JOIN projects p ON p.organization_id = o.id
    WHERE this.id = ${organizationId}::uuid GROUP BY 1, 2`
  return {
    project: total(rows.filter(({ own }) => own)),
    organization: total(rows.filter(({ ours }) => ours)),
    creator: total(rows),
  }
}

function total(rows: readonly Usage[]): Usage {
  const sum = (name: keyof Usage) => rows.reduce((all, row) => all + row[name], 0)
  return { files: sum('files'), uncommitted: sum('uncommitted'), reserved: sum('reserved') }
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
