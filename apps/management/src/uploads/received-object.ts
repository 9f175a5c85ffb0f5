import { OperationError } from '@bearing/contracts/errors'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../database.js'
import type { Stored } from '../storage/storage.js'
import { Storages } from '../storage/storage.js'
import { tooLarge } from './upload-limits.js'

/** What was put for an upload, completely. */
export interface ReceivedObject extends Stored {
  readonly storage: string
  readonly md5: string
  readonly sha256: string
  readonly sentSize: number
  readonly sentMd5: string
}

/** Finds what was put for an upload. */
@Injectable()
export class ReceivedObjects {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * What was put last. Where clients put it by themselves it is looked at now, and taken out of their reach.
   *
   * @throws OperationError `upload_incomplete`, `upload_too_large` or `upload_mismatch`
   */
  async of(upload: {
    readonly id: string
    readonly projectId: string
    readonly objectId: string | null
    readonly maxBytes: bigint
  }): Promise<ReceivedObject> {
    const { objectId } = upload
    const row = objectId && (await this.database.storedObject.findUnique({ where: { id: objectId } }))
    if (!row) throw incomplete()
    if (row.sha256 === null) return this.collect(upload, row)
    const { id, storage, parts, gzip, sha256, md5, size, sentSize, sentMd5 } = row
    return {
      id,
      storage,
      parts,
      gzip,
      sha256,
      md5: md5 ?? '',
      size: Number(size),
      sentSize: Number(sentSize),
      sentMd5: sentMd5 ?? '',
    }
  }

  private async collect(
    upload: { readonly id: string; readonly projectId: string; readonly maxBytes: bigint },
    put: { readonly id: string; readonly storage: string },
  ): Promise<ReceivedObject> {
    const { projectId, maxBytes } = upload
    const { storage } = put
    const id = this.randomness.newId()
    const createdAt = this.clock.now()
    await this.database.storedObject.create({ data: { id, projectId, storage, createdAt } })
    const collected = await this.storages.named(storage).collect(put.id, id, Number(maxBytes))
    switch (collected.outcome) {
      case 'nothing':
        throw incomplete()
      case 'too_large':
        throw tooLarge(Number(maxBytes))
      case 'damaged':
        throw new OperationError(
          'upload_mismatch',
          'What was put says that it is compressed with gzip, and is not, or not completely. Put it again.',
        )
      case 'taken': {
        const { received, gzip } = collected
        await this.database.$transaction([
          this.database.storedObject.update({ where: { id }, data: { ...received, gzip } }),
          this.database.upload.updateMany({
            where: { id: upload.id, fileId: null },
            data: { objectId: id },
          }),
        ])
        return { id, storage, parts: [], gzip, ...received }
      }
    }
  }
}

function incomplete(): OperationError {
  return new OperationError(
    'upload_incomplete',
    'No file was put to the upload address yet, or it was never committed in time. Prepare the upload anew, put the file, and commit it.',
  )
}
