import { count } from '../output/format.js'
import { UsageError } from '../usage-error.js'
import type { BatchSource, OpenedFile } from './batch-source.js'
import type { Batch } from './cut-batches.js'
import type { ImportFile } from './import-file.js'
import { Tally } from './read-rows.js'

/** A file that has rows. */
export interface OpenRows extends OpenedFile {
  readonly tally: Tally
  readonly close: () => Promise<unknown>
}

/**
 * Opens a file, and reads as far as its first rows.
 *
 * @throws UsageError where it has none that could be imported
 */
export async function openRows(
  file: ImportFile,
  source: BatchSource,
  signal: AbortSignal,
): Promise<OpenRows> {
  const tally = new Tally()
  const { batches, ...opened } = await source.open(file, tally, signal)
  const close = () => batches.return(undefined)
  try {
    const first = await batches.next()
    if (first.done) throw noRows(file, tally)
    return { ...opened, batches: withFirst(first.value, batches), tally, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* withFirst(first: Batch, rest: AsyncGenerator<Batch>): AsyncGenerator<Batch> {
  yield first
  yield* rest
}

/** What is said of a file without a row that could be imported: what was skipped, and why. */
export function noRows(file: ImportFile, tally: Tally): UsageError {
  const reasons = Object.entries(tally.skipped).filter(([, rows]) => rows > 0)
  return new UsageError(
    `${file.name} has no row that can be imported.`,
    reasons.length > 0
      ? `Skipped were ${reasons.map(([reason, rows]) => `${count(rows)} (${reason})`).join(', ')}.`
      : 'There is nothing after its header.',
  )
}
