import { OperationError } from '@bearing/contracts/errors'

/** How large files may be. */
export class UploadLimits {
  constructor(
    /** Of one file, in bytes, by its kind; `default` for every other. */
    private readonly byKind: Readonly<Record<string, number>>,
    /** Of all files of a project together, in bytes; 0 for any number. */
    readonly ofProject: number,
  ) {}

  /** The most bytes that a file of a kind may have. A kind that was not said may be any. */
  of(kind: string | undefined): number {
    const { default: usual = 0 } = this.byKind
    if (kind === undefined) return Math.max(usual, ...Object.values(this.byKind))
    return this.byKind[kind] ?? usual
  }
}

/** The error for too many bytes. Command lines in the field look for its first words. */
export function tooLarge(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: more than ${String(maxBytes)} bytes are not taken here.`,
  )
}
