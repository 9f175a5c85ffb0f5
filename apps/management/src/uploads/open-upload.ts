import { openUpload } from '@bearing/contracts/management/upload'
import { OperationError } from '@bearing/contracts/errors'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { Storages } from '../storage/storage.js'
import { UploadTokens, uploadUrlInvalid } from './upload-tokens.js'

/** How often somebody may begin to put bytes to one address: each time may leave that many until the sweeper comes. */
const MAX_ATTEMPTS = 20

@Controller()
export class OpenUpload {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly tokens: UploadTokens,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(openUpload)
  async execute({ upload_token }: Input<typeof openUpload>): Promise<Output<typeof openUpload>> {
    const id = this.tokens.readPut(upload_token, false)
    const objectId = this.randomness.newId()
    const storage = this.storages.named('jetstream')
    const maxBytes = await this.database.$transaction(async (transaction) => {
      const { count } = await transaction.upload.updateMany({
        where: { id, fileId: null, attempts: { lt: MAX_ATTEMPTS } },
        data: { attempts: { increment: 1 } },
      })
      if (count === 0) throw await this.refusal(id)
      const upload = await transaction.upload.findUniqueOrThrow({ where: { id } })
      await transaction.storedObject.create({
        data: {
          id: objectId,
          projectId: upload.projectId,
          storage: storage.name,
          createdAt: this.clock.now(),
        },
      })
      return upload.maxBytes
    })
    return { object_id: objectId, max_bytes: Number(maxBytes) }
  }

  private async refusal(id: string): Promise<OperationError> {
    const upload = await this.database.upload.findUnique({ where: { id }, select: { fileId: true } })
    if (!upload) return uploadUrlInvalid()
    return new OperationError(
      'upload_url_invalid',
      upload.fileId === null
        ? 'The upload was tried too often. Prepare it anew.'
        : 'The upload is committed: its file cannot be replaced. Prepare another one.',
    )
  }
}
