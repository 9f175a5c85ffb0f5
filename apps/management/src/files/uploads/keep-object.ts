import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'
import { lockStorageQuota } from '../../ground/locks.js'
import type { ReceivedObject } from './received-objects.js'
import { checkQuota, type StorageScope } from './storage-quota.js'

/** Returns the project's object with this content, or keeps this object if it is the first. */
export async function keepObject(
  transaction: Transaction,
  scope: StorageScope,
  object: ReceivedObject,
): Promise<{ objectId: string; isKnown: boolean }> {
  const { id, sha256, size } = object
  const { projectId } = scope
  const kept = await transaction.storedObject.findUnique({
    where: { projectId_kept: { projectId, kept: sha256 } },
    select: { id: true },
  })
  if (kept) return { objectId: kept.id, isKnown: true }
  // Commits in other projects of the organization use the same quota.
  await lockStorageQuota(transaction, scope.organizationId)
  await checkQuota(transaction, scope, size)
  const { count } = await transaction.storedObject.updateMany({
    where: { id, kept: null, leaving: false },
    data: { kept: sha256 },
  })
  if (count === 0)
    throw new OperationError('upload_incomplete', 'The file was put too long ago. Put it again.')
  return { objectId: id, isKnown: false }
}
