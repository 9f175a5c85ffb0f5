import { OperationError } from '@bearing/contracts/errors'
import type { File, FileKind } from '@bearing/contracts/management/data/file'
import { isOfDevice, type Principal } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { Database, type Transaction } from '../../ground/database.js'
import { lockCommits, lockDeletions, lockStorageQuota } from '../../ground/locks.js'
import { SHOWN, toFile } from '../file-row.js'
import { attributesOf, deviceSerialOf } from '../rules/commit-meaning.js'
import { CreateFile, type NewFile } from './create-file.js'
import { checkAttributes, checkContent } from './check-commit.js'
import { keepObject } from './keep-object.js'
import { requireKnownDevice } from './require-known-device.js'
import { ReceivedObjects, type ReceivedObject } from './received-objects.js'
import { UploadLimits, type FilesQuota } from './upload-limits.js'
import { UploadTokens } from './upload-tokens.js'
import { checkQuota, type StorageScope } from './storage-quota.js'

/** Bytes of the row of a file with its index entries, without its attributes: about so many. */
const ROW_BYTES = 1_024

/**
 * Charges the row of a file whose content the project has already: the content costs no further storage, the row does.
 *
 * @returns the bytes that count for the storage quota
 * @throws OperationError `storage_quota_exceeded`
 */
async function chargeRow(
  transaction: Transaction,
  scope: StorageScope,
  attributes: Record<string, unknown>,
): Promise<number> {
  const bytes = ROW_BYTES + Buffer.byteLength(JSON.stringify(attributes))
  await lockStorageQuota(transaction, scope.organizationId)
  await checkQuota(transaction, scope, bytes)
  return bytes
}

/** The input of every commit. */
interface CommitInput {
  readonly organization_id: string
  readonly project_id: string
  readonly file: {
    readonly token: string
    readonly md5?: string | undefined
    readonly name?: string | null | undefined
  }
  readonly [field: string]: unknown
}

/** Creates files from uploads. */
@Injectable()
export class CommitFile {
  constructor(
    private readonly database: Database,
    private readonly tokens: UploadTokens,
    private readonly limits: UploadLimits,
    private readonly objects: ReceivedObjects,
    private readonly files: CreateFile,
  ) {}

  /**
   * Creates a file from an upload, or returns the file if the commit is repeated.
   *
   * @param readBuildId reads the build id of symbols; null if they are found by their software version alone
   * @throws OperationError as declared by the operations
   */
  async execute(
    kind: FileKind,
    input: CommitInput,
    by: Principal,
    readBuildId?: (object: ReceivedObject) => Promise<string | null>,
  ): Promise<z.output<typeof File>> {
    const attributes = attributesOf(input)
    const meaning = checkAttributes(kind, attributes)
    const upload = await this.findUpload(input)
    const existing = upload.fileId && (await this.findFile(upload.fileId, meaning))
    if (existing) return existing
    const object = await this.objects.find(upload)
    const limits = await this.limits.forProject(this.database, upload.projectId)
    const maxBytes = Math.min(Number(upload.maxBytes), limits.maxBytes(kind))
    checkContent(object, { md5: input.file.md5, size: upload.size, maxBytes })
    const file = {
      uploadId: upload.id,
      organizationId: upload.organizationId,
      projectId: upload.projectId,
      kind,
      meaning,
      attributes,
      name: input.file.name ?? null,
      gnuBuildId: readBuildId ? await readBuildId(object) : null,
    }
    const { quotas } = limits
    return this.database.transaction((transaction) => this.write(transaction, file, { object, quotas, by }))
  }

  private async findUpload(input: CommitInput) {
    const id = this.tokens.readCommit(input.file.token)
    const upload = id && (await this.database.upload.findUnique({ where: { id } }))
    if (!upload || upload.projectId !== input.project_id || upload.organizationId !== input.organization_id)
      throw new OperationError(
        'upload_not_found',
        'The project has no such upload, or it is over. Prepare the upload again.',
      )
    return upload
  }

  private async findFile(
    fileId: string,
    meaning: string,
    database: Pick<Transaction, 'storedFile'> = this.database,
  ): Promise<z.output<typeof File> | undefined> {
    const file = await database.storedFile.findUnique({
      where: { id: fileId },
      select: { ...SHOWN, meaning: true },
    })
    if (file && file.meaning !== meaning)
      throw new OperationError(
        'file_conflict',
        'This upload was already committed with other attributes. Prepare another upload to commit the content again.',
      )
    return file ? toFile(file) : undefined
  }

  private async write(
    transaction: Transaction,
    file: Omit<NewFile, 'chargedBytes'>,
    { object, quotas, by }: { object: ReceivedObject; quotas: readonly FilesQuota[]; by: Principal },
  ): Promise<z.output<typeof File>> {
    const { uploadId, organizationId, projectId, kind, meaning } = file
    await lockDeletions(transaction, 'shared', [projectId])
    await lockCommits(transaction, projectId)
    const upload = await transaction.upload.findUnique({ where: { id: uploadId } })
    const existing = upload?.fileId && (await this.findFile(upload.fileId, meaning, transaction))
    if (existing) return existing
    if (isOfDevice(by)) await requireKnownDevice(transaction, projectId, deviceSerialOf(file.attributes))
    const scope = { organizationId, projectId, quotas }
    const { objectId, isKnown } = await keepObject(transaction, scope, object)
    const same = await transaction.storedFile.findUnique({
      where: { projectId_kind_objectId_meaning: { projectId, kind, objectId, meaning } },
      select: SHOWN,
    })
    const create = async () => {
      const chargedBytes = isKnown ? await chargeRow(transaction, scope, file.attributes) : 0
      return this.files.execute(transaction, { ...file, chargedBytes }, objectId, by)
    }
    const committed = same ? toFile(same) : await create()
    await transaction.upload.updateMany({ where: { id: uploadId }, data: { fileId: committed.id } })
    return committed
  }
}
