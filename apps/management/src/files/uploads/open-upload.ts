import { openUpload } from '@bearing/contracts/management/data/upload'
import { OperationError } from '@bearing/contracts/errors'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { lockCommits, lockStorageQuota } from '../../ground/locks.js'
import { Storages } from '../../storage/storage.js'
import { requireUndeleted } from './require-undeleted.js'
import { availableBytes } from './storage-quota.js'
import { UploadLimits, tooLarge } from './upload-limits.js'
import { UploadTokens, uploadUrlInvalid } from './upload-tokens.js'

/** Attempts to put bytes to one URL: each may leave an object until the next sweep. */
const MAX_ATTEMPTS = 20

@Controller()
export class OpenUpload {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly tokens: UploadTokens,
    private readonly limits: UploadLimits,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(openUpload)
  async execute({ upload_token, size }: Input<typeof openUpload>): Promise<Output<typeof openUpload>> {
    const id = this.tokens.readPut(upload_token, false)
    const upload = await this.database.upload.findUnique({ where: { id } })
    if (!upload) throw uploadUrlInvalid()
    await requireUndeleted(this.database, upload)
    const most = Number(upload.maxBytes)
    if (size !== undefined && size > most) throw tooLarge(most)
    const objectId = this.randomness.newId()
    const maxBytes = await this.database.transaction(async (transaction) => {
      const { organizationId, projectId } = upload
      const { quotas } = await this.limits.forProject(transaction, projectId)
      // The second of two concurrent attempts counts the first.
      await lockCommits(transaction, projectId)
      await lockStorageQuota(transaction, organizationId)
      await countAttempt(transaction, id)
      const scope = { organizationId, projectId, quotas }
      const reserved = await availableBytes(transaction, scope, [size ?? 1, size ?? most], upload.objectId)
      await transaction.storedObject.create({
        data: {
          id: objectId,
          projectId,
          storage: this.storages.named('jetstream').name,
          size: reserved,
          createdAt: this.clock.now(),
        },
      })
      return reserved
    })
    return {
      object_id: objectId,
      max_bytes: maxBytes,
      ...(upload.size !== null && { announced_bytes: Number(upload.size) }),
    }
  }
}

/** @throws OperationError `upload_url_invalid` */
async function countAttempt(transaction: Transaction, id: string): Promise<void> {
  const { count } = await transaction.upload.updateMany({
    where: { id, fileId: null, attempts: { lt: MAX_ATTEMPTS } },
    data: { attempts: { increment: 1 } },
  })
  if (count > 0) return
  const upload = await transaction.upload.findUnique({ where: { id }, select: { fileId: true } })
  if (!upload) throw uploadUrlInvalid()
  throw new OperationError(
    'upload_url_invalid',
    upload.fileId === null
      ? 'The upload was attempted too often. Prepare it again.'
      : 'The upload is committed, and its file cannot be replaced. Prepare another upload.',
  )
}
