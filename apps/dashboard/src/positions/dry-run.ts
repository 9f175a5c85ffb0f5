import type { SkipReason } from '@bearing/files/access-points/skipped'
import { readRows, type OpenFile, type SkippedRow } from './read-file.js'

/** Skipped rows that are shown with their lines. */
const MOST_LINES = 50

/** Result of a dry run of an import. */
export interface DryRun {
  readonly file: OpenFile
  readonly rows: number
  /** Distinct addresses in the rows. */
  readonly accessPoints: number
  readonly skipped: ReadonlyMap<SkipReason, number>
  /** The first skipped rows. */
  readonly lines: readonly SkippedRow[]
}

/** Reads a file without sending anything. @throws as `readRows` */
export async function dryRun(
  file: OpenFile,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): Promise<DryRun> {
  const skipped = new Map<SkipReason, number>()
  const lines: SkippedRow[] = []
  const addresses = new Set<number>()
  let rows = 0
  const skip = (row: SkippedRow) => {
    skipped.set(row.reason, (skipped.get(row.reason) ?? 0) + 1)
    if (lines.length < MOST_LINES) lines.push(row)
  }
  for await (const piece of readRows(file, signal, onRead, skip)) {
    rows += piece.length
    for (const [bssid] of piece) addresses.add(bssid)
  }
  return { file, rows, accessPoints: addresses.size, skipped, lines }
}
