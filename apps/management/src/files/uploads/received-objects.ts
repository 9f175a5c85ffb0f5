import { OperationError } from '@bearing/contracts/errors'
import { ConcurrencyLimit } from '@bearing/nats/concurrency-limit'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Storages, type Storage, type Stored } from '../../storage/storage.js'
import { InspectionLeases } from './inspection-leases.js'
import { tooDense, tooLarge } from './upload-limits.js'

/** Files that a process reads concurrently for one organization: a fifth of all. */
const MAX_READS_OF_ORGANIZATION = 10

/** The complete object of an upload. */
export interface ReceivedObject extends Stored {
  readonly storage: string
  readonly md5: string
  readonly sha256: string
  readonly sentSize: number
  readonly sentMd5: string
  /** Empty: there is none. Null: not read yet. */
  readonly gnuBuildId: string | null
}

/** The columns of an upload that identify its bytes. */
interface Upload {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly objectId: string | null
  readonly maxBytes: bigint
  readonly size: bigint | null
  readonly refusedBecause: string | null
}

/** Finds the objects of uploads. */
@Injectable()
export class ReceivedObjects {
  private readonly leases: InspectionLeases
  private readonly reads = new ConcurrencyLimit({
    limit: Infinity,
    tooMany: 'Too many files of the organization are being read from the file storage',
    retryAfterS: 5,
  })

  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    this.leases = new InspectionLeases(database, clock)
  }

  /**
   * Returns the latest object. The first commit reads what a client has put to S3, and copies it out of the client's reach;
   * concurrent commits wait for it, and later commits use its result.
   *
   * @throws OperationError `upload_incomplete`, `upload_too_large` or `upload_mismatch`; `overloaded` if another process
   *   reads it for too long, or too many files of the organization are being read
   */
  async find(upload: Upload): Promise<ReceivedObject> {
    const { objectId } = upload
    if (upload.refusedBecause !== null) throw rejection(upload.refusedBecause, upload.maxBytes)
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
    // Clients have no URL to put anything to.
    if (storage.name === 'jetstream') throw incomplete()
    const share = { key: upload.organizationId, limit: MAX_READS_OF_ORGANIZATION }
    const work = () => this.reads.run([share], () => this.inspectAndAdopt(upload, put.id, storage))
    const collected = await this.leases.hold(upload.id, put.id, work)
    if (collected) return collected
    const found = await this.database.upload.findUnique({ where: { id: upload.id } })
    if (!found) throw incomplete()
    return this.find(found)
  }

  private async inspectAndAdopt(upload: Upload, put: string, storage: Storage): Promise<ReceivedObject> {
    const inspected = await storage.inspect(put, {
      maxBytes: Number(upload.maxBytes),
      announced: upload.size === null ? undefined : Number(upload.size),
    })
    if (inspected.outcome === 'nothing') throw incomplete()
    if (inspected.outcome !== 'complete') {
      await this.database.upload.updateMany({
        where: { id: upload.id },
        data: { refusedBecause: inspected.outcome },
      })
      throw rejection(inspected.outcome, upload.maxBytes)
    }
    const { projectId } = upload
    const [id, createdAt] = [this.randomness.newId(), this.clock.now()]
    // Before the bytes, so that the sweep knows every object.
    await this.database.storedObject.create({ data: { id, projectId, storage: storage.name, createdAt } })
    if (!(await storage.adopt(put, id, inspected.version))) {
      await this.database.storedObject.deleteMany({ where: { id } })
      throw incomplete()
    }
    const { received, gzip } = inspected
    const gnuBuildId = inspected.gnuBuildId ?? ''
    await this.database.$transaction([
      this.database.storedObject.update({ where: { id }, data: { ...received, gzip, gnuBuildId } }),
      // From now on only the copy counts.
      this.database.storedObject.updateMany({ where: { id: put }, data: { size: null } }),
      this.database.upload.updateMany({ where: { id: upload.id, fileId: null }, data: { objectId: id } }),
    ])
    return { id, storage: storage.name, parts: [], gzip, gnuBuildId, ...received }
  }
}

/** The upload is over, because the same bytes would be rejected again. */
function rejection(because: string, maxBytes: bigint): OperationError {
  switch (because) {
    case 'too_large':
      return tooLarge(Number(maxBytes))
    case 'too_dense':
      return tooDense()
    case 'not_announced':
      return new OperationError(
        'upload_mismatch',
        'The file has more bytes than the preparation announced. Prepare the upload again with its size.',
      )
    default:
      return new OperationError(
        'upload_mismatch',
        'The file was sent as gzip, but it is not valid or not complete gzip. Prepare the upload again, and put the whole file to the new URL.',
      )
  }
}

function incomplete(): OperationError {
  return new OperationError(
    'upload_incomplete',
    'No file was put to the upload URL, or it was not committed in time. Prepare the upload again, put the file, and commit it.',
  )
}
