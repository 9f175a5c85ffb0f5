import { OperationError } from '@bearing/contracts/errors'
import type { File, FileKind } from '@bearing/contracts/management/file'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { Database, type Transaction } from '../../ground/database.js'
import { lockCommits, lockStorageQuota } from '../../ground/locks.js'
import { recordAudit } from '../../ground/record-audit.js'
import type { Prisma } from '../../generated/prisma/client.js'
import { SHOWN, toFile, type FileRow } from '../file-row.js'
import { attributesOf, deviceSerialOf } from '../rules/commit-meaning.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import { checkAttributes, checkContent } from './check-commit.js'
import { checkQuota, type StorageScope } from './storage-quota.js'
import { requireKnownDevice } from './require-known-device.js'
import { ReceivedObjects, type ReceivedObject } from './received-objects.js'
import { UploadLimits, type FilesQuota } from './upload-limits.js'
import { UploadTokens } from './upload-tokens.js'

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

/** A file to create. */
interface NewFile {
  readonly uploadId: string
  readonly organizationId: string
  readonly projectId: string
  readonly kind: FileKind
  readonly meaning: string
  readonly attributes: Record<string, unknown>
  readonly name: string | null
  readonly gnuBuildId: string | null
}

/** Kinds of files that webhooks are notified of. */
const COREDUMPS: readonly FileKind[] = ['coredump', 'elf_coredump']

/** Creates files from uploads. */
@Injectable()
export class CommitFile {
  constructor(
    private readonly database: Database,
    private readonly tokens: UploadTokens,
    private readonly limits: UploadLimits,
    private readonly objects: ReceivedObjects,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly deliveries: EnqueueDeliveries,
  ) {}

  /**
   * Creates a file from an upload, or returns the file if the commit is repeated.
   *
   * @param readBuildId reads the build id of symbols
   * @throws OperationError as declared by the operations
   */
  async execute(
    kind: FileKind,
    input: CommitInput,
    by: Principal,
    readBuildId?: (object: ReceivedObject) => Promise<string>,
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
    const file: NewFile = {
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
        'A file with this content exists, and was committed with other attributes. Commit it with the same attributes, or delete the file first.',
      )
    return file ? toFile(file) : undefined
  }

  private async write(
    transaction: Transaction,
    file: NewFile,
    { object, quotas, by }: { object: ReceivedObject; quotas: readonly FilesQuota[]; by: Principal },
  ): Promise<z.output<typeof File>> {
    const { uploadId, organizationId, projectId, kind, meaning } = file
    await lockCommits(transaction, projectId)
    const upload = await transaction.upload.findUnique({ where: { id: uploadId } })
    const existing = upload?.fileId && (await this.findFile(upload.fileId, meaning, transaction))
    if (existing) return existing
    if (by.kind === 'project_key')
      await requireKnownDevice(transaction, projectId, deviceSerialOf(file.attributes))
    const objectId = await this.keep(transaction, { organizationId, projectId, quotas }, object)
    const same = await transaction.storedFile.findUnique({
      where: { projectId_kind_objectId: { projectId, kind, objectId } },
      select: { id: true },
    })
    const found = same && (await this.findFile(same.id, meaning, transaction))
    const committed = found ?? (await this.create(transaction, file, objectId, by))
    await transaction.upload.updateMany({ where: { id: uploadId }, data: { fileId: committed.id } })
    return committed
  }

  /** Returns the project's object with this content, or keeps this object if it is the first. */
  private async keep(transaction: Transaction, scope: StorageScope, object: ReceivedObject): Promise<string> {
    const { id, sha256, size } = object
    const { projectId } = scope
    const kept = await transaction.storedObject.findUnique({
      where: { projectId_kept: { projectId, kept: sha256 } },
      select: { id: true },
    })
    if (kept) return kept.id
    // Commits in other projects of the organization use the same quota.
    await lockStorageQuota(transaction, scope.organizationId)
    await checkQuota(transaction, scope, size)
    const { count } = await transaction.storedObject.updateMany({
      where: { id, kept: null, leaving: false },
      data: { kept: sha256 },
    })
    if (count === 0)
      throw new OperationError('upload_incomplete', 'The file was put too long ago. Put it again.')
    return id
  }

  /** Records an audit event, except for files from devices. */
  private async create(
    transaction: Transaction,
    file: NewFile,
    objectId: string,
    by: Principal,
  ): Promise<z.output<typeof File>> {
    const { uploadId: _, attributes, ...columns } = file
    const created = await transaction.storedFile.create({
      data: {
        ...columns,
        id: this.randomness.newId(),
        objectId,
        attributes: attributes as Prisma.InputJsonObject, // parsed from JSON
        deviceSerial: deviceSerialOf(attributes),
        createdAt: this.clock.now(),
        createdBy: 'credential_id' in by ? by.credential_id : null,
      },
      select: SHOWN,
    })
    if (by.kind !== 'project_key')
      recordAudit(transaction, by, {
        action: 'file.created',
        target: ['file', created.id],
        organizationId: file.organizationId,
        details: { project_id: file.projectId, kind: file.kind, size: Number(created.object.size) },
      })
    await this.notify(transaction, file, created)
    return toFile(created)
  }

  private async notify(
    transaction: Transaction,
    { kind, projectId }: NewFile,
    created: FileRow,
  ): Promise<void> {
    if (!COREDUMPS.includes(kind)) return
    const { id, size, sha256, device_serial } = toFile(created)
    const data = { device_serial, file: { id, kind, size, sha256 } }
    const event = {
      id,
      type: 'coredump.uploaded' as const,
      projectId,
      deviceSerial: device_serial,
      at: created.createdAt,
      data,
    }
    await this.deliveries.execute(transaction, [event])
  }
}
