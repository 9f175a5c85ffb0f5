import { openUpload } from '@bearing/contracts/management/upload'
import { OperationError } from '@bearing/contracts/errors'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { Storages } from '../storage/storage.js'
import { lockCommits, lockRoom } from './commit-lock.js'
import { findRoom } from './storage-quota.js'
import { UploadLimits, tooLarge } from './upload-limits.js'
import { UploadTokens, uploadUrlInvalid } from './upload-tokens.js'

/** How often somebody may begin to put bytes to one address: each time may leave that many until the sweeper comes. */
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
    const most = Number(upload.maxBytes)
    if (size !== undefined && size > most) throw tooLarge(most)
    const objectId = this.randomness.newId()
    const maxBytes = await this.database.transaction(async (transaction) => {
      const { organizationId, projectId } = upload
      const { quotas } = await this.limits.in(transaction, projectId)
      // Of two that are begun at the same time, the second one counts the first. Before any row, as commits have it.
      await lockCommits(transaction, projectId)
      await lockRoom(transaction, organizationId)
      await countAttempt(transaction, id)
      const room = { organizationId, projectId, quotas }
      const reserved = await findRoom(transaction, room, [size ?? 1, size ?? most], upload.objectId)
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
    return { object_id: objectId, max_bytes: maxBytes }
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
      ? 'The upload was tried too often. Prepare it anew.'
      : 'The upload is committed: its file cannot be replaced. Prepare another one.',
  )
}
