import type { Cli } from '../cli.js'
import { count, counted, size } from '../output/format.js'
import { spinning, startProgress } from '../output/progress.js'
import { UsageError } from '../usage-error.js'
import type { BatchSource } from './batch-source.js'
import type { Batch } from './cut-batches.js'
import type { ImportFile } from './import-file.js'
import type { Import, ImportTarget } from './import-target.js'
import { Tally } from './read-rows.js'
import {
  commit,
  sendBatches,
  storedBatches,
  waitForCommit,
  type Destination,
  type Sent,
} from './send-import.js'
import type { SkipReason } from './skipped.js'

/** What became of one file. */
export interface Imported {
  readonly file: string
  readonly content: Import['content']
  /** `dry_run`: nothing was sent. */
  readonly state: Import['state'] | 'dry_run'
  /** Whether an earlier run had imported the same content. */
  readonly already_imported: boolean
  /** Null: nothing was sent. */
  readonly import_id: string | null
  readonly rows_read: number
  readonly rows_sent: number
  readonly skipped: Readonly<Record<SkipReason, number>>
  readonly added: number | null
  readonly updated: number | null
  readonly failure: string | null
}

/**
 * Imports one file.
 *
 * @throws UsageError where there is no row in it that could be sent
 */
export async function importFile(
  cli: Cli,
  target: ImportTarget,
  file: ImportFile,
  source: BatchSource,
): Promise<Imported> {
  const { output, terminal } = cli
  const tally = new Tally()
  const { content, batches } = await source.open(file, tally, terminal.signal)
  try {
    const first = await batches.next()
    if (first.done) throw noRows(file, tally)
    const begun = await target.begin(content, source.digestOf(file))
    const outcome = (ended: Import, rowsSent: number): Imported => ({
      file: file.name,
      content,
      state: ended.state,
      already_imported: rowsSent === 0,
      import_id: ended.id,
      rows_read: tally.rows,
      rows_sent: rowsSent,
      skipped: tally.skipped,
      added: ended.added,
      updated: ended.updated,
      failure: ended.failure,
    })
    if (begun.state === 'committed') {
      output.done(`${file.name}: already imported, nothing to do.`)
      return outcome(begun, 0)
    }
    if (begun.state === 'failed') return report(cli, outcome(begun, 0))
    if (begun.state === 'committing') {
      const waiting = () => waitForCommit(target, begun.id, terminal.signal)
      return report(
        cli,
        outcome(await spinning(output, `${file.name}: is being imported already, waiting`, waiting), 0),
      )
    }
    if (begun.batches > 0)
      output.tell(`${file.name}: an earlier run was interrupted; going on where it stopped.`)
    const sent = await sendAll(cli, target, file, {
      to: { importId: begun.id, stored: storedBatches(begun, source.batchRows) },
      batches: withFirst(first.value, batches),
      tally,
    })
    const committing = () => commit(target, begun.id, sent, terminal.signal)
    const ended = await spinning(
      output,
      `${file.name}: making ${counted(sent.rows, 'row')} visible`,
      committing,
    )
    return report(cli, outcome(ended, sent.rows))
  } finally {
    // Closes the file where it was not read to its end.
    await batches.return(undefined)
  }
}

/**
 * Reads one file, and says what an import of it would send.
 *
 * @throws as {@link importFile}
 */
export async function tryFile(
  { output, terminal }: Cli,
  file: ImportFile,
  source: BatchSource,
): Promise<Imported> {
  const tally = new Tally()
  const { content, batches } = await source.open(file, tally, terminal.signal)
  const progress = startProgress(output, file.name, file.bytes, terminal.stderr)
  let rows = 0
  try {
    for await (const batch of batches) {
      rows += batch.rows
      progress.update(tally.bytes, `${size(tally.bytes)} of ${size(file.bytes)}`)
    }
  } finally {
    progress.stop()
  }
  if (rows === 0) throw noRows(file, tally)
  output.done(`${file.name}: read. Nothing was sent.`)
  return {
    file: file.name,
    content,
    state: 'dry_run',
    already_imported: false,
    import_id: null,
    rows_read: tally.rows,
    rows_sent: rows,
    skipped: tally.skipped,
    added: null,
    updated: null,
    failure: null,
  }
}

interface Sending {
  readonly to: Destination
  readonly batches: AsyncIterable<Batch>
  readonly tally: Tally
}

async function sendAll(
  { output, terminal }: Cli,
  target: ImportTarget,
  file: ImportFile,
  { to, batches, tally }: Sending,
): Promise<Sent> {
  const progress = startProgress(output, file.name, file.bytes, terminal.stderr)
  try {
    return await sendBatches(target, to, batches, terminal.signal, ({ rows }) => {
      progress.update(
        tally.bytes,
        `${size(tally.bytes)} of ${size(file.bytes)}, ${counted(rows, 'row')} sent`,
      )
    })
  } finally {
    progress.stop()
  }
}

async function* withFirst(first: Batch, rest: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  yield first
  yield* rest
}

function noRows(file: ImportFile, tally: Tally): UsageError {
  const reasons = Object.entries(tally.skipped).filter(([, rows]) => rows > 0)
  return new UsageError(
    `${file.name} has no row that can be imported.`,
    reasons.length > 0
      ? `Skipped were ${reasons.map(([reason, rows]) => `${count(rows)} (${reason})`).join(', ')}.`
      : 'There is nothing after its header.',
  )
}

function report({ output }: Cli, imported: Imported): Imported {
  if (imported.state === 'failed')
    output.notice(`${imported.file}: ${imported.failure ?? 'the import failed'}`)
  else output.done(`${imported.file}: imported.`)
  return imported
}
