import { SKIP_REASONS, type SkipReason } from '@bearing/files/access-points/skipped'
import { count } from '../../ground/output/format.js'
import type { Output } from '../../ground/output/output.js'
import type { Imported } from './import-one.js'

/** Prints the results of files, and why rows were skipped. */
export function printSummary(output: Output, imported: readonly Imported[]): void {
  if (output.document(imported)) return
  // The reasons of unusable files were printed.
  if (imported.every(({ state }) => state === 'unusable')) return
  output.table(
    imported,
    {
      File: 'file',
      State: ({ state, already_imported }) =>
        already_imported ? `${state} before` : state.replace('_', ' '),
      'Rows read': { right: ({ rows_read }) => countOrNone(rows_read) },
      Sent: { right: ({ rows_read, rows_sent }) => countOrNone(rows_read === null ? null : rows_sent) },
      New: { right: ({ added }) => countOrNone(added) },
      Refined: { right: ({ updated }) => countOrNone(updated) },
    },
    null,
  )
  const reasons = Object.entries(SKIP_REASONS).flatMap(([reason, words]) => {
    // The keys of SKIP_REASONS are the reasons; Object.entries widens them.
    const rows = imported.reduce((sum, { skipped }) => sum + (skipped?.[reason as SkipReason] ?? 0), 0)
    return rows > 0 ? [{ words, rows }] : []
  })
  if (reasons.length > 0) output.print('')
  output.table(reasons, { Skipped: 'words', Rows: 'rows' }, null)
}

function countOrNone(number: number | null): string {
  return number === null ? '–' : count(number)
}
