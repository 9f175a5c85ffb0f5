import { OperationError } from '@bearing/contracts/errors'
import { FILE_KINDS } from '@bearing/contracts/management/file'
import type { QuotaUse } from '@bearing/contracts/quota-use'
import { toDataPolicy } from '../../ingest/data-policy/data-policy-row.js'
import type { Transaction } from '../../ground/database.js'

/** How many bytes the files of a project or an organization may have together. */
export interface FilesQuota {
  /** Infinity for any number. */
  readonly bytes: number
  readonly scope: QuotaUse['scope']
  readonly raisedBy: QuotaUse['raised_by']
  /** What has to be raised. */
  readonly setting: string
}

/** How large files may be. */
export class UploadLimits {
  readonly quotas: readonly FilesQuota[]

  /**
   * @param byKind the most bytes of one file, by its kind; `default` for every other
   * @param ofProject the most bytes of all files of a project, and `ofOrganization` of an organization; Infinity for any number
   * @param ownOfProject the same as the project's data policy has it
   */
  constructor(
    private readonly byKind: Readonly<Record<string, number>>,
    private readonly ofProject: number,
    private readonly ofOrganization: number,
    ownOfProject = Infinity,
  ) {
    const project: FilesQuota =
      ownOfProject < ofProject
        ? {
            bytes: ownOfProject,
            scope: 'project',
            raisedBy: 'project_manager',
            setting: 'files_bytes of its data policy',
          }
        : { bytes: ofProject, scope: 'project', raisedBy: 'operator', setting: 'PROJECT_FILES_MAX_BYTES' }
    const setting = 'ORGANIZATION_FILES_MAX_BYTES'
    this.quotas = [project, { bytes: ofOrganization, scope: 'organization', raisedBy: 'operator', setting }]
  }

  /** The most bytes that a file of a kind may have. A kind that was not said, or that nobody knows, may be any. */
  of(kind: string | undefined): number {
    const { default: usual = 0 } = this.byKind
    const known = FILE_KINDS.find((candidate) => candidate === kind)
    if (known) return this.byKind[known] ?? usual
    return Math.max(...FILE_KINDS.map((candidate) => this.byKind[candidate] ?? usual))
  }

  /** These limits and those of a project: of two, the smaller one. */
  async in(database: Pick<Transaction, 'dataPolicy'>, projectId: string): Promise<UploadLimits> {
    const own = toDataPolicy(await database.dataPolicy.findUnique({ where: { projectId } }))
    const byKind = FILE_KINDS.map((kind) => [kind, Math.min(this.of(kind), own.file_bytes[kind] ?? Infinity)])
    return new UploadLimits(
      Object.fromEntries(byKind) as Record<string, number>, // pairs of those
      this.ofProject,
      this.ofOrganization,
      own.files_bytes ?? Infinity,
    )
  }
}

/** The error for too many bytes. Command lines in the field look for its first words. */
export function tooLarge(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: more than ${String(maxBytes)} bytes are not taken here.`,
  )
}

/**
 * The error for a project or an organization that has no room for a file.
 *
 * @param used bytes without the file
 */
export function quotaExceeded({ bytes, scope, raisedBy, setting }: FilesQuota, used: number): OperationError {
  const who = raisedBy === 'operator' ? 'the operator of Bearing' : 'a manager of the project'
  return new OperationError(
    'storage_quota_exceeded',
    `The files of the ${scope} use ${String(used)} of ${String(bytes)} bytes, and there is no room for this one. Delete files, or ask ${who} to raise ${setting}.`,
    { quota: { resource: 'files', limit: bytes, used, scope, raised_by: raisedBy } },
  )
}
