import { SKIP_REASONS } from '@bearing/files/access-points/skipped'
import { count } from '../../ground/output/format.js'
import type { Output } from '../../ground/output/output.js'
import { printSkipped } from '../tally.js'
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
  printSkipped(output, imported, SKIP_REASONS, ['Skipped', 'Rows'])
}

function countOrNone(number: number | null): string {
  return number === null ? '–' : count(number)
}
