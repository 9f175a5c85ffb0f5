import type { Transaction } from '../../ground/database.js'
import { lockStorageQuota } from '../../ground/locks.js'
import { checkQuota, type StorageScope } from './storage-quota.js'

/** Bytes of the row of a file with its index entries, without its attributes: about so many. */
const ROW_BYTES = 1_024

/**
 * Charges the row of a file whose content the project has already: the content costs no further storage, the row does.
 *
 * @returns the bytes that count for the storage quota
 * @throws OperationError `storage_quota_exceeded`
 */
export async function chargeRow(
  transaction: Transaction,
  scope: StorageScope,
  attributes: Record<string, unknown>,
): Promise<number> {
  const bytes = ROW_BYTES + Buffer.byteLength(JSON.stringify(attributes))
  await lockStorageQuota(transaction, scope.organizationId)
  await checkQuota(transaction, scope, bytes)
  return bytes
}
