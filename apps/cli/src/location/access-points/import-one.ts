import { SKIP_REASONS, type SkipReason } from '@bearing/files/access-points/skipped'
import type { Cli } from '../../session/cli.js'
import { counted, size } from '../../ground/output/format.js'
import { spinning, startProgress } from '../../ground/output/progress.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { BatchSource } from './batch-source.js'
import type { ImportFile } from './import-file.js'
import type { Import, ImportTarget } from './import-target.js'
import { noRows, openRows, type OpenRows } from './open-rows.js'
import { Tally } from '../tally.js'
import type { RowTally } from './read-rows.js'
import {
  commit,
  isConflict,
  mayBeAll,
  sendBatches,
  storedBatches,
  waitForCommit,
  type Destination,
  type Sent,
} from './send-import.js'

/** The result of one file. */
export interface Imported {
  readonly file: string
  /** Null: unknown. */
  readonly content: Import['content'] | null
  /** `dry_run`: nothing was sent; `unusable`: nothing can be imported, see `failure`. */
  readonly state: Import['state'] | 'dry_run' | 'unusable'
  /** True if an earlier run had imported the same content. */
  readonly already_imported: boolean
  /** Null: nothing was sent. */
  readonly import_id: string | null
  /** Null: it was not read to its end. */
  readonly rows_read: number | null
  readonly rows_sent: number
  readonly skipped: Readonly<Record<SkipReason, number>> | null
  /** First row that was skipped for each reason: its line, in JSON its number. */
  readonly first_lines: Readonly<Partial<Record<SkipReason, number>>> | null
  readonly added: number | null
  readonly updated: number | null
  readonly failure: string | null
}

/**
 * Imports one file.
 *
 * @throws UsageError if it has no row to send
 */
export async function importFile(
  cli: Cli,
  target: ImportTarget,
  file: ImportFile,
  source: BatchSource,
): Promise<Imported> {
  const { output, terminal } = cli
  const { signal } = terminal
  const opened = await openRows(file, source, signal)
  try {
    const { content } = opened
    const digest = await opened.digest()
    const begun = await retryTransient(signal, () => target.begin(content, digest))
    if (begun.state === 'committed') {
      output.done(`${file.name}: already imported.`)
      return byAnother(file, begun)
    }
    if (begun.state !== 'open') return await waitForAnother(cli, target, file, begun.id)
    if (begun.batches > 0) output.say(`${file.name}: an earlier run was interrupted; resuming.`)
    try {
      return await sendAndCommit(cli, target, { file, source, opened, begun })
    } catch (error) {
      if (!isConflict(error)) throw error
      // A concurrent run has sent the same.
      const now = await retryTransient(signal, () => target.show(begun.id))
      if (now.state === 'open') throw error
      return await waitForAnother(cli, target, file, begun.id)
    }
  } finally {
    // Closes a file that was not read to its end.
    await opened.close()
  }
}

interface Sending {
  readonly file: ImportFile
  readonly source: BatchSource
  readonly opened: OpenRows
  readonly begun: Import
}

async function sendAndCommit(cli: Cli, target: ImportTarget, sending: Sending): Promise<Imported> {
  const { file, opened, begun } = sending
  const { signal } = cli.terminal
  const { sent, tally } = await sendRest(cli, target, sending)
  const committing = () => commit(target, begun.id, sent, signal)
  const visible = `${file.name}: making ${counted(sent.rows, 'row')} visible`
  const ended = await spinning(cli.output, visible, committing)
  return report(cli, {
    file: file.name,
    content: opened.content,
    state: ended.state,
    already_imported: false,
    import_id: ended.id,
    rows_read: tally.records,
    rows_sent: sent.rows,
    skipped: tally.skipped,
    first_lines: tally.firstLines,
    added: ended.added,
    updated: ended.updated,
    failure: ended.failure,
  })
}

/** Sends the batches that an earlier run has not sent. */
async function sendRest(
  cli: Cli,
  target: ImportTarget,
  { file, source, opened, begun }: Sending,
): Promise<{ readonly sent: Sent; readonly tally: RowTally }> {
  const { batchRows } = source
  const importId = begun.id
  if (!mayBeAll(begun, batchRows)) {
    const to = { importId, stored: storedBatches(begun, batchRows) }
    return { sent: await sendAll(cli, target, file, to, opened), tally: opened.tally }
  }
  const all = { batches: 0, rows: 0 }
  for await (const { rows } of opened.batches) {
    all.batches++
    all.rows += rows
  }
  if (all.batches === begun.next_batch && all.rows === begun.next_row)
    return { sent: all, tally: opened.tally }
  // The batches are different.
  const again = await openRows(file, source, cli.terminal.signal)
  try {
    return { sent: await sendAll(cli, target, file, { importId, stored: 0 }, again), tally: again.tally }
  } finally {
    await again.close()
  }
}

async function waitForAnother(
  cli: Cli,
  target: ImportTarget,
  file: ImportFile,
  importId: string,
): Promise<Imported> {
  const waiting = () => waitForCommit(target, importId, cli.terminal.signal)
  const ended = await spinning(cli.output, `${file.name}: is being imported already, waiting`, waiting)
  return report(cli, byAnother(file, ended))
}

/** Returns the result of a file that another run imports. */
function byAnother({ name }: ImportFile, ended: Import): Imported {
  const { content, state, added, updated, failure } = ended
  return {
    ...{ file: name, content, state, already_imported: true, import_id: ended.id },
    ...{ rows_read: null, rows_sent: 0, skipped: null, first_lines: null, added, updated, failure },
  }
}

/**
 * Reads a file, and returns what an import would send.
 *
 * @throws as {@link importFile}
 */
export async function tryFile(
  { output, terminal }: Cli,
  file: ImportFile,
  source: BatchSource,
): Promise<Imported> {
  const tally = new Tally(SKIP_REASONS)
  const { content, batches } = await source.open(file, tally, terminal.signal)
  using progress = startProgress(output, file.name, file.bytes)
  let rows = 0
  for await (const batch of batches) {
    rows += batch.rows
    progress.update(tally.bytes, `${size(tally.bytes)} of ${size(file.bytes)}`)
  }
  if (rows === 0) throw noRows(file, tally)
  output.done(`${file.name}: read. Nothing was sent.`)
  return {
    file: file.name,
    content,
    state: 'dry_run',
    already_imported: false,
    import_id: null,
    rows_read: tally.records,
    rows_sent: rows,
    skipped: tally.skipped,
    first_lines: tally.firstLines,
    added: null,
    updated: null,
    failure: null,
  }
}

async function sendAll(
  { output, terminal }: Cli,
  target: ImportTarget,
  file: ImportFile,
  to: Destination,
  { batches, tally }: OpenRows,
): Promise<Sent> {
  using progress = startProgress(output, file.name, file.bytes)
  return await sendBatches(target, to, batches, terminal.signal, ({ rows }) => {
    progress.update(tally.bytes, `${size(tally.bytes)} of ${size(file.bytes)}, ${counted(rows, 'row')} sent`)
  })
}

function report({ output }: Cli, imported: Imported): Imported {
  if (imported.state === 'failed')
    output.notice(`${imported.file}: ${imported.failure ?? 'the import failed'}`)
  else output.done(`${imported.file}: imported.`)
  return imported
}
