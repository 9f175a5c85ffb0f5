/*
 * Every lock of management, in the order in which a transaction must take them:
 *
 * 0. call: advisory, `IdempotentCalls`. A call is made once, then its reply is repeated.
 * 1. deletions: advisory, {@link lockDeletions}. Keeps the erasure of a device apart from storing its data.
 * 2. commits of a project: advisory, {@link lockCommits}. Keeps files of the same content apart.
 * 3. storage quota of an organization: advisory, {@link lockStorageQuota}. Makes reservations count each other.
 * 4. rows of `organizations`, by id: {@link lockOrganizations}. Makes projects and devices count each other.
 * 5. rows of `projects`: {@link lockProject}. Makes the webhooks of a project count each other.
 * 6. rows of `declared_attributes`, by number: values of devices, and the deletion of an attribute.
 * 7. rows of `devices`, by id: `StoreMessages`, changes and the deletion of a device.
 * 8. rows of `chunk_objects`, by id: `StoreMessages` and the deletion of a device.
 * 9. rows of `webhooks`, by id: `EnqueueDeliveries`, and rotation of a secret.
 * 10. rows of `webhook_deliveries`, by id: the deletion of a device or a webhook, and redelivery.
 * 11. rows of `reserved_slugs`, one at most of each owner: renames and creations.
 *
 * Sweeps and workers use `SKIP LOCKED`: they wait for nobody. Partitions of chunks are created and dropped under an advisory lock
 * that nobody waits for, and wait at most 1 s for the table (`create_chunk_day`, `drop_chunk_day`).
 */
import type { Transaction } from './database.js'

/** First number of the advisory locks of deletions. No other lock uses two numbers. */
const DELETIONS = 4_103_900
/** Projects share this many locks, so that a batch of many projects takes at most that many. */
const DELETION_LOCKS = 64
/** Seeds that keep advisory locks of different kinds apart. */
const COMMITS_SEED = 40
const STORAGE_QUOTA_SEED = 41

/**
 * Keeps the erasure of devices apart from storing their data, until the transaction ends. A transaction that stores sees
 * every completed erasure. Call it once, before any other lock.
 *
 * @param mode `shared` to store, `exclusive` to erase
 */
export async function lockDeletions(
  transaction: Transaction,
  mode: 'shared' | 'exclusive',
  projectIds: readonly string[],
): Promise<void> {
  const locks = [...new Set(projectIds.map(deletionLock))].sort((a, b) => a - b)
  // Postgres reads an array in its order.
  if (mode === 'shared')
    await transaction.$executeRaw`
      SELECT pg_advisory_xact_lock_shared(${DELETIONS}::integer, lock) FROM unnest(${locks}::integer[]) lock`
  else
    await transaction.$executeRaw`
      SELECT pg_advisory_xact_lock(${DELETIONS}::integer, lock) FROM unnest(${locks}::integer[]) lock`
}

/** Uses the end of the id, which is random. */
function deletionLock(projectId: string): number {
  return Number.parseInt(projectId.slice(-4), 16) % DELETION_LOCKS
}

/**
 * Serializes the commits of a project and the removal of its files: the second commit of the same content finds the first,
 * and no file is created from content that is being removed.
 */
export async function lockCommits(transaction: Transaction, projectId: string): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${projectId}, ${COMMITS_SEED}::bigint))`
}

/** Serializes the reservations of an organization's storage. */
export async function lockStorageQuota(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${organizationId}, ${STORAGE_QUOTA_SEED}::bigint))`
}

/**
 * Locks organizations, so that nobody else counts or adds their projects and devices.
 *
 * @returns the number of devices of each
 */
export async function lockOrganizations(
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.$queryRaw<{ id: string; device_count: bigint }[]>`
    SELECT id, device_count FROM organizations WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  return new Map(rows.map(({ id, device_count }) => [id, Number(device_count)]))
}

/** Locks a project, so that nobody else counts or adds its webhooks. */
export async function lockProject(transaction: Transaction, id: string): Promise<void> {
  await transaction.$executeRaw`SELECT FROM projects WHERE id = ${id}::uuid FOR NO KEY UPDATE`
}
