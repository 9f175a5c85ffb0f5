import type { Batch } from '@bearing/files/access-points/cut-batches'
import { UsageError } from '../../ground/usage-error.js'
import type { BatchSource, OpenedFile } from './batch-source.js'
import type { ImportFile } from './import-file.js'
import { SKIP_REASONS } from '@bearing/files/access-points/skipped'
import { Tally } from '../tally.js'
import type { RowTally } from './read-rows.js'

export interface OpenRows extends OpenedFile {
  readonly tally: RowTally
  readonly close: () => Promise<unknown>
}

/**
 * Opens a file and reads its first rows.
 *
 * @throws UsageError if it has none to import
 */
export async function openRows(
  file: ImportFile,
  source: BatchSource,
  signal: AbortSignal,
): Promise<OpenRows> {
  const tally = new Tally(SKIP_REASONS)
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

/** Returns the error for a file without usable rows, with the reasons. */
export function noRows({ name }: ImportFile, { account }: RowTally): UsageError {
  return new UsageError(`${name} has no row that can be imported.`, account ?? 'It contains only a header.')
}
