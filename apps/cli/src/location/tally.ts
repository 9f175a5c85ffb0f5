import { count } from '../ground/output/format.js'
import type { Output } from '../ground/output/output.js'

/** Texts of the reasons why records of a file are skipped. */
type Reasons<Reason extends string> = Readonly<Record<Reason, string>>

/** Counts the bytes read of a file, and its records. */
export class Tally<Reason extends string> {
  bytes = 0
  records = 0
  readonly skipped: Record<Reason, number>
  /** Line of the first record that was skipped for a reason; in JSON the number of the record. Counted from 1. */
  readonly firstLines: Partial<Record<Reason, number>> = {}

  constructor(readonly reasons: Reasons<Reason>) {
    // The keys of the texts are the reasons; Object.fromEntries widens them.
    this.skipped = Object.fromEntries(
      Object.keys(reasons).map((reason) => [reason, 0]),
    ) as typeof this.skipped
  }

  /** Counts a record of a line. @returns the record to send, if any */
  count<Row extends object>(reading: Row | Reason | undefined, line: number): Row | undefined {
    if (reading === undefined) return undefined
    this.records++
    if (typeof reading === 'object') return reading
    this.skipped[reading]++
    this.firstLines[reading] ??= line
    return undefined
  }

  /** Says how many records were skipped for each reason, and where the first of each is; undefined if none was. */
  get account(): string | undefined {
    const reasons = reasonsOf(this.reasons).filter((reason) => this.skipped[reason] > 0)
    const accounts = reasons.map(
      (reason) =>
        `${count(this.skipped[reason])} (${reason}, first in line ${String(this.firstLines[reason])})`,
    )
    return accounts.length > 0 ? `Skipped were ${accounts.join(', ')}.` : undefined
  }
}

/** A file of which records were skipped; null where it was not read. */
interface Counted<Reason extends string> {
  readonly file: string
  readonly skipped: Readonly<Record<Reason, number>> | null
  readonly first_lines: Readonly<Partial<Record<Reason, number>>> | null
}

/** Prints why records of files were skipped, with the first line of each reason. @param heads of the reasons and of the records */
export function printSkipped<Reason extends string>(
  output: Output,
  files: readonly Counted<Reason>[],
  reasons: Reasons<Reason>,
  [head, records]: readonly [string, string],
): void {
  const rows = reasonsOf(reasons).flatMap((reason) => {
    const skipped = files.reduce((sum, file) => sum + (file.skipped?.[reason] ?? 0), 0)
    const first = files.find(({ first_lines }) => first_lines?.[reason] !== undefined)
    const line = `line ${count(first?.first_lines?.[reason] ?? 0)}`
    return skipped > 0
      ? [{ words: reasons[reason], skipped, first: files.length > 1 ? `${first?.file ?? ''} ${line}` : line }]
      : []
  })
  if (rows.length > 0) output.print('')
  output.table(
    rows,
    { [head]: 'words', [records]: { right: ({ skipped }) => count(skipped) }, First: 'first' },
    null,
  )
}

function reasonsOf<Reason extends string>(reasons: Reasons<Reason>): Reason[] {
  // Object.keys widens them.
  return Object.keys(reasons) as Reason[]
}
