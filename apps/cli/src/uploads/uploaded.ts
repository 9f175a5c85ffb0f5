import type { ErrorReport } from '../error-report.js'
import type { LocalFile } from './local-file.js'
import type { StoredFile } from './upload-file.js'

/** Reasons why a file was not uploaded, with their texts. */
export const SKIPPED = {
  already_there: 'there already',
  same_build_id: 'a larger file has the same build id',
  no_build_id: 'no build id; set the software type and version',
} as const
export type SkipReason = keyof typeof SKIPPED

/** The result of one file. */
export interface Uploaded {
  readonly file: string
  /** In bytes. */
  readonly size: number
  readonly outcome: 'uploaded' | 'skipped' | 'failed'
  readonly reason: SkipReason | null
  /** Id on the server; null if unknown. */
  readonly id: string | null
  readonly sha256: string | null
  readonly gnu_build_id: string | null
  readonly error: ErrorReport | null
}

/** The initial result. */
export const NOTHING_KNOWN = { reason: null, id: null, sha256: null, gnu_build_id: null, error: null }

/** The result of a file that is on the server. */
export function onServer(file: LocalFile, stored: StoredFile, reason: 'already_there' | null): Uploaded {
  const { id, sha256, gnu_build_id } = stored
  const outcome = reason === null ? 'uploaded' : 'skipped'
  return { ...NOTHING_KNOWN, file: file.name, size: file.size, outcome, reason, id, sha256, gnu_build_id }
}
