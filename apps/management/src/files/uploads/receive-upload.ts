import { partBytesOf, receiveUpload } from '@bearing/contracts/management/data/upload'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Storages } from '../../storage/storage.js'
import { requireUndeleted } from './require-undeleted.js'
import { tooLarge } from './upload-limits.js'
import { UploadTokens, uploadUrlInvalid } from './upload-tokens.js'

@Controller()
export class ReceiveUpload {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly tokens: UploadTokens,
  ) {}

  /** The latest object counts; the sweep deletes earlier ones, and those whose project was deleted meanwhile. */
  @Handle(receiveUpload)
  async execute(input: Input<typeof receiveUpload>): Promise<Output<typeof receiveUpload>> {
    const { object_id: objectId, sequences, size } = input
    const id = this.tokens.readPut(input.upload_token, true)
    const upload = await this.database.upload.findUnique({ where: { id } })
    if (!upload) throw uploadUrlInvalid()
    await requireUndeleted(this.database, upload)
    if (size > upload.maxBytes) throw tooLarge(Number(upload.maxBytes))
    if (partBytesOf(size, sequences.length) === undefined) throw new Error('parts are missing')
    const received = {
      size,
      md5: input.md5,
      sha256: input.sha256,
      sentSize: input.sent_size,
      sentMd5: input.sent_md5,
    }
    await this.storages.named('jetstream').complete(objectId, sequences.length, received)
    await this.database.transaction(async (transaction) => {
      const object = await transaction.storedObject.updateMany({
        where: { id: objectId, projectId: upload.projectId, sha256: null, leaving: false },
        data: { ...received, parts: sequences.map(BigInt) },
      })
      const taken = await transaction.upload.updateMany({ where: { id, fileId: null }, data: { objectId } })
      if (object.count === 0 || taken.count === 0) throw uploadUrlInvalid()
    })
    return {}
  }
}
