import { OperationError } from '@bearing/contracts/errors'
import { FILE_KINDS } from '@bearing/contracts/management/file'
import { toDataPolicy } from '../data-policy/data-policy-row.js'
import type { Transaction } from '../database.js'

/** How large files may be. */
export class UploadLimits {
  constructor(
    /** Of one file, in bytes, by its kind; `default` for every other. */
    private readonly byKind: Readonly<Record<string, number>>,
    /** Of all files of a project together, in bytes; Infinity for any number. */
    readonly ofProject: number,
  ) {}

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
      Math.min(this.ofProject, own.files_bytes ?? Infinity),
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

/** The error for a project that has no room for a file. */
export function tooMuchTogether(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: the files of the project would be more than ${String(maxBytes)} bytes together.`,
  )
}
