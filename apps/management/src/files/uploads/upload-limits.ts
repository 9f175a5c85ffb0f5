import { OperationError } from '@bearing/contracts/errors'
import { FILE_KINDS } from '@bearing/contracts/management/data/file'
import type { QuotaUse } from '@bearing/contracts/errors/error-details'
import { toDataPolicy } from '../../ingest/data-policy/data-policy-row.js'
import { MOST_PER_BYTE } from '@bearing/service/ground/inflation'
import type { Transaction } from '../../ground/database.js'

/** The limit of all files of a project, an organization, or all organizations of one creator. */
export interface FilesQuota {
  /** Infinity for no limit. */
  readonly bytes: number
  readonly scope: QuotaUse['scope']
  readonly raisedBy: QuotaUse['raised_by']
  /** The setting to raise. */
  readonly setting: string
}

/** Limits the size of files. */
export class UploadLimits {
  readonly quotas: readonly FilesQuota[]

  /**
   * @param byKind maximum bytes of one file, by kind; `default` for other kinds
   * @param project maximum bytes of all files of a project; Infinity for no limit
   * @param organization the same of an organization
   * @param creator the same of all organizations that one user created: organizations are free
   * @param projectPolicy the limit in the project's data policy
   */
  constructor(
    private readonly byKind: Readonly<Record<string, number>>,
    private readonly project: number,
    private readonly organization: number,
    private readonly creator: number,
    projectPolicy = Infinity,
  ) {
    const projectQuota: FilesQuota =
      projectPolicy < project
        ? {
            bytes: projectPolicy,
            scope: 'project',
            raisedBy: 'project_manager',
            setting: 'files_bytes of its data policy',
          }
        : { bytes: project, scope: 'project', raisedBy: 'operator', setting: 'ORGANIZATION_FILES_MAX_BYTES' }
    const byOperator = (scope: FilesQuota['scope'], bytes: number, setting: string): FilesQuota => ({
      ...{ bytes, scope, raisedBy: 'operator', setting },
    })
    this.quotas = [
      projectQuota,
      byOperator('organization', organization, 'ORGANIZATION_FILES_MAX_BYTES'),
      byOperator('creator', creator, 'ORGANIZATION_FILES_MAX_BYTES'),
    ]
  }

  /** Returns the maximum bytes of a file. If the kind is missing or unknown, the largest of all kinds. */
  maxBytes(kind: string | undefined): number {
    const { default: fallback = 0 } = this.byKind
    const known = FILE_KINDS.find((candidate) => candidate === kind)
    if (known) return this.byKind[known] ?? fallback
    return Math.max(...FILE_KINDS.map((candidate) => this.byKind[candidate] ?? fallback))
  }

  /** Returns the limits of a project: these or the smaller ones of its data policy. */
  async forProject(database: Pick<Transaction, 'dataPolicy'>, projectId: string): Promise<UploadLimits> {
    const own = toDataPolicy(await database.dataPolicy.findUnique({ where: { projectId } }))
    const byKind = FILE_KINDS.map((kind) => [
      kind,
      Math.min(this.maxBytes(kind), own.file_bytes[kind] ?? Infinity),
    ])
    return new UploadLimits(
      Object.fromEntries(byKind) as Record<string, number>, // of pairs of these types
      this.project,
      this.organization,
      this.creator,
      own.files_bytes ?? Infinity,
    )
  }
}

/** Returns the error for a file that is too large. Released command lines parse its first words. */
export function tooLarge(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: the limit is ${String(maxBytes)} bytes.`,
  )
}

const OWNERS = {
  project: 'the project',
  organization: 'the organization',
  creator: 'all organizations that the creator of this one created',
} as const

/** Returns the error for a compressed file that becomes too large for its bytes. */
export function tooDense(): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big for its compressed size: it becomes more than ${String(MOST_PER_BYTE)} times as large. Send it without compression.`,
  )
}

/**
 * Returns the error for a file beyond a quota.
 *
 * @param used bytes without the file
 */
export function quotaExceeded({ bytes, scope, raisedBy, setting }: FilesQuota, used: number): OperationError {
  const who = raisedBy === 'operator' ? 'the operator of Bearing' : 'a manager of the project'
  return new OperationError(
    'storage_quota_exceeded',
    `The files of ${OWNERS[scope]} use ${String(used)} of ${String(bytes)} bytes, and this file does not fit. Delete files, or ask ${who} to raise ${setting}.`,
    { quota: { resource: 'files', limit: bytes, used, scope, raised_by: raisedBy } },
  )
}
