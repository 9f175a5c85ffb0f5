import { OperationError } from '@bearing/contracts/errors'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Storages, type Storage, type Stored } from '../storage/storage.js'
import { LookLeases } from './inspection-leases.js'
import { tooLarge } from './upload-limits.js'

/** What was put for an upload, completely. */
export interface ReceivedObject extends Stored {
  readonly storage: string
  readonly md5: string
  readonly sha256: string
  readonly sentSize: number
  readonly sentMd5: string
  /** Empty: none. Null: nobody has looked. */
  readonly gnuBuildId: string | null
}

/** What of an upload says where its bytes are. */
interface Upload {
  readonly id: string
  readonly projectId: string
  readonly objectId: string | null
  readonly maxBytes: bigint
  readonly refusedBecause: string | null
}

/** Finds what was put for an upload. */
@Injectable()
export class ReceivedObjects {
  private readonly leases: LookLeases

  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    this.leases = new LookLeases(database, clock)
  }

  /**
   * Returns what was put last. What clients put to S3 is read by the first commit alone, and taken out of their reach; commits at
   * the same time wait for that one, and a later commit reads the outcome.
   *
   * @throws OperationError `upload_incomplete`, `upload_too_large` or `upload_mismatch`; `overloaded` if another process reads it
   *   for too long
   */
  async of(upload: Upload): Promise<ReceivedObject> {
    const { objectId } = upload
    if (upload.refusedBecause !== null) throw refusal(upload.refusedBecause, upload.maxBytes)
    const row = objectId && (await this.database.storedObject.findUnique({ where: { id: objectId } }))
    if (!row) throw incomplete()
    if (row.sha256 === null) return this.collect(upload, row)
    const { id, storage, parts, gzip, gnuBuildId, sha256, md5, size, sentSize, sentMd5 } = row
    return {
      id,
      storage,
      parts,
      gzip,
      gnuBuildId,
      sha256,
      md5: md5 ?? '',
      size: Number(size),
      sentSize: Number(sentSize),
      sentMd5: sentMd5 ?? '',
    }
  }

  private async collect(upload: Upload, put: { readonly id: string; readonly storage: string }) {
    const storage = this.storages.named(put.storage)
    // Nothing can be there: no client has an address to put it to.
    if (storage.name === 'jetstream') throw incomplete()
    const work = () => this.lookAndTake(upload, put.id, storage)
    const collected = await this.leases.hold(upload.id, put.id, work)
    if (collected) return collected
    const found = await this.database.upload.findUnique({ where: { id: upload.id } })
    if (!found) throw incomplete()
    return this.of(found)
  }

  private async lookAndTake(upload: Upload, put: string, storage: Storage): Promise<ReceivedObject> {
    const looked = await storage.look(put, Number(upload.maxBytes))
    if (looked.outcome === 'nothing') throw incomplete()
    if (looked.outcome !== 'complete') {
      await this.database.upload.updateMany({
        where: { id: upload.id },
        data: { refusedBecause: looked.outcome },
      })
      throw refusal(looked.outcome, upload.maxBytes)
    }
    const { projectId } = upload
    const [id, createdAt] = [this.randomness.newId(), this.clock.now()]
    // Before the bytes, so that the sweeper knows of all that there are.
    await this.database.storedObject.create({ data: { id, projectId, storage: storage.name, createdAt } })
    if (!(await storage.take(put, id, looked.version))) {
      await this.database.storedObject.deleteMany({ where: { id } })
      throw incomplete()
    }
    const { received, gzip } = looked
    const gnuBuildId = looked.gnuBuildId ?? ''
    await this.database.$transaction([
      this.database.storedObject.update({ where: { id }, data: { ...received, gzip, gnuBuildId } }),
      // What was put counts no longer: its copy does.
      this.database.storedObject.updateMany({ where: { id: put }, data: { size: null } }),
      this.database.upload.updateMany({ where: { id: upload.id, fileId: null }, data: { objectId: id } }),
    ])
    return { id, storage: storage.name, parts: [], gzip, gnuBuildId, ...received }
  }
}

/** The same bytes would be refused again, so the upload is over. */
function refusal(because: string, maxBytes: bigint): OperationError {
  return because === 'too_large'
    ? tooLarge(Number(maxBytes))
    : new OperationError(
        'upload_mismatch',
        'The file was sent as gzip, and is not valid or not complete gzip. Prepare the upload again, and put the whole file to the new address.',
      )
}

function incomplete(): OperationError {
  return new OperationError(
    'upload_incomplete',
    'No file was put to the upload address yet, or it was never committed in time. Prepare the upload anew, put the file, and commit it.',
  )
}
