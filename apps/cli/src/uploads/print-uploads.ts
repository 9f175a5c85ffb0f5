import { count, counted, size } from '../output/format.js'
import type { Output } from '../output/output.js'
import { SKIPPED, type Uploaded } from './uploaded.js'

/** Prints the results of files, as a table with totals or as JSON. */
export function printUploads(output: Output, files: readonly Uploaded[]): void {
  const of = (outcome: Uploaded['outcome']) => files.filter((file) => file.outcome === outcome)
  const [uploaded, skipped, failed] = [of('uploaded'), of('skipped'), of('failed')]
  const summary = {
    uploaded: uploaded.length,
    skipped: skipped.length,
    failed: failed.length,
    files,
  }
  output.table(
    files,
    [
      ['File', ({ file }) => file],
      ['Size', (file) => size(file.size), 'right'],
      ['Result', outcomeOf],
      ['Build id', ({ gnu_build_id }) => gnu_build_id ?? '–'],
      ['Id', ({ id }) => id ?? '–'],
    ],
    null,
    summary,
  )
  const parts = [
    `${counted(uploaded.length, 'file')} uploaded`,
    ...(skipped.length > 0 ? [`${count(skipped.length)} skipped`] : []),
    ...(failed.length > 0 ? [`${count(failed.length)} failed`] : []),
  ]
  if (failed.length > 0) output.notice(`${parts.join(', ')}.`)
  else output.done(`${parts.join(', ')}.`)
}

function outcomeOf({ outcome, reason }: Uploaded): string {
  return reason === null ? outcome : `skipped: ${SKIPPED[reason]}`
}
