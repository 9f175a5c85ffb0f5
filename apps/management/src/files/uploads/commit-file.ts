import { OperationError } from '@bearing/contracts/errors'
import type { File, FileKind } from '@bearing/contracts/management/file'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, type Transaction } from '../../ground/database.js'
import type { Prisma } from '../../generated/prisma/client.js'
import { SHOWN, toFile } from '../file-row.js'
import { attributesOf, deviceSerialOf, meaningOf, unstorableText } from '../rules/commit-meaning.js'
import { RecordEvents } from '../../webhooks/enqueue-deliveries.js'
import { lockCommits, lockRoom } from './commit-lock.js'
import { requireRoom, type Room } from './storage-quota.js'
import { requireKnown } from './require-known-device.js'
import { ReceivedObjects, type ReceivedObject } from './received-objects.js'
import { UploadLimits, tooLarge, type FilesQuota } from './upload-limits.js'
import { UploadTokens } from './upload-tokens.js'

/** What every commit has. */
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

/** A file that is about to be. */
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

/** What webhooks are told of. */
const COREDUMPS: readonly FileKind[] = ['coredump', 'elf_coredump']

/** Makes files of uploads. */
@Injectable()
export class Commits {
  constructor(
    private readonly database: Database,
    private readonly tokens: UploadTokens,
    private readonly limits: UploadLimits,
    private readonly objects: ReceivedObjects,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly events: RecordEvents,
  ) {}

  /**
   * Makes a file of an upload, or finds the one that it is already: the same commit again changes nothing.
   *
   * @param buildIdOf reads the build id of symbols
   * @throws OperationError as the operations say
   */
  async commit(
    kind: FileKind,
    input: CommitInput,
    by: Principal,
    buildIdOf?: (object: ReceivedObject) => Promise<string>,
  ): Promise<z.output<typeof File>> {
    const attributes = attributesOf(input)
    const meaning = meaningOf({ kind, ...attributes })
    if (meaning === undefined) throw invalid('', 'must not be nested more than 32 deep')
    const unstorable = unstorableText(attributes)
    if (unstorable !== undefined) throw invalid(unstorable, 'must not contain NUL or half of a character')
    const upload = await this.find(input)
    const done = upload.fileId && (await this.again(upload.fileId, meaning))
    if (done) return done
    const object = await this.objects.of(upload)
    const limits = await this.limits.in(this.database, upload.projectId)
    refuseWrong(object, input.file.md5, upload.size, Math.min(Number(upload.maxBytes), limits.of(kind)))
    const file: NewFile = {
      uploadId: upload.id,
      organizationId: upload.organizationId,
      projectId: upload.projectId,
      kind,
      meaning,
      attributes,
      name: input.file.name ?? null,
      gnuBuildId: buildIdOf ? await buildIdOf(object) : null,
    }
    const { quotas } = limits
    return this.database.transaction((transaction) => this.write(transaction, file, { object, quotas, by }))
  }

  private async find(input: CommitInput) {
    const id = this.tokens.readCommit(input.file.token)
    const upload = id && (await this.database.upload.findUnique({ where: { id } }))
    if (!upload || upload.projectId !== input.project_id || upload.organizationId !== input.organization_id)
      throw new OperationError(
        'upload_not_found',
        'There is no such upload in this project, or it is over. Prepare it anew.',
      )
    return upload
  }

  private async again(
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
        'A file with this content is there already, and was committed with other particulars.',
      )
    return file ? toFile(file) : undefined
  }

  /** One commit of a project after the other: of two with the same content, the second one finds the first. */
  private async write(
    transaction: Transaction,
    file: NewFile,
    { object, quotas, by }: { object: ReceivedObject; quotas: readonly FilesQuota[]; by: Principal },
  ): Promise<z.output<typeof File>> {
    const { uploadId, organizationId, projectId, kind, meaning } = file
    await lockCommits(transaction, projectId)
    const upload = await transaction.upload.findUnique({ where: { id: uploadId } })
    const done = upload?.fileId && (await this.again(upload.fileId, meaning, transaction))
    if (done) return done
    if (by.kind === 'project_key') await requireKnown(transaction, projectId, deviceSerialOf(file.attributes))
    const objectId = await this.keep(transaction, { organizationId, projectId, quotas }, object)
    const same = await transaction.storedFile.findUnique({
      where: { projectId_kind_objectId: { projectId, kind, objectId } },
      select: { id: true },
    })
    const found = same && (await this.again(same.id, meaning, transaction))
    const committed = found ?? (await this.create(transaction, file, objectId, by))
    await transaction.upload.updateMany({ where: { id: uploadId }, data: { fileId: committed.id } })
    return committed
  }

  /** The object with this content that the project keeps; this one, where it is the first. */
  private async keep(transaction: Transaction, room: Room, object: ReceivedObject): Promise<string> {
    const { id, sha256, size } = object
    const { projectId } = room
    const kept = await transaction.storedObject.findUnique({
      where: { projectId_kept: { projectId, kept: sha256 } },
      select: { id: true },
    })
    if (kept) return kept.id
    // Commits in other projects of the organization use the same quota.
    await lockRoom(transaction, room.organizationId)
    await requireRoom(transaction, room, size)
    const { count } = await transaction.storedObject.updateMany({
      where: { id, kept: null, leaving: false },
      data: { kept: sha256 },
    })
    if (count === 0)
      throw new OperationError('upload_incomplete', 'The file was put too long ago. Put it again.')
    return id
  }

  /** Data from devices is not in the audit log; uploads by people and programs are. */
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
        attributes: attributes as Prisma.InputJsonObject, // it came as JSON
        deviceSerial: deviceSerialOf(attributes),
        createdAt: this.clock.now(),
        createdBy: 'credential_id' in by ? by.credential_id : null,
      },
      select: SHOWN,
    })
    if (by.kind !== 'project_key')
      await this.audit.record(transaction, by, {
        action: 'file.created',
        target: ['file', created.id],
        organizationId: file.organizationId,
        details: { project_id: file.projectId, kind: file.kind, size: Number(created.object.size) },
      })
    const shown = toFile(created)
    if (COREDUMPS.includes(file.kind))
      await this.events.record(transaction, [
        {
          id: created.id,
          type: 'coredump.uploaded',
          projectId: file.projectId,
          deviceSerial: shown.device_serial,
          at: created.createdAt,
          data: {
            device_serial: shown.device_serial,
            file: { id: shown.id, kind: shown.kind, size: shown.size, sha256: shown.sha256 },
          },
        },
      ])
    return shown
  }
}

function invalid(pointer: string, detail: string): OperationError {
  return new OperationError('invalid_input', `The commit has a mistake: ${pointer} ${detail}.`, {
    errors: [{ pointer, detail }],
  })
}

/** @throws OperationError where the content is not what was announced, or too large */
function refuseWrong(
  { size, md5, sentSize, sentMd5 }: ReceivedObject,
  announcedMd5: string | undefined,
  announcedSize: bigint | null,
  maxBytes: number,
): void {
  if (size > maxBytes) throw tooLarge(maxBytes)
  // Of compressed bytes some clients announce what they have sent, and others what it was made of.
  if (announcedMd5 !== undefined && announcedMd5 !== md5 && announcedMd5 !== sentMd5)
    throw new OperationError(
      'upload_mismatch',
      `The MD5 of what was put is ${md5}, not the one of the commit. Put it again.`,
    )
  if (announcedSize !== null && Number(announcedSize) !== size && Number(announcedSize) !== sentSize)
    throw new OperationError(
      'upload_mismatch',
      `${String(sentSize)} bytes were put, and ${String(announcedSize)} announced. Put it again.`,
    )
}
