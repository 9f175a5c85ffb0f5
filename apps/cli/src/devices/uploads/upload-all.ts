import { ProblemError } from '@bearing/client/errors'
import type { Cli } from '../../session/cli.js'
import { printError, reportOf } from '../../session/error-report.js'
import { counted, size, count } from '../../ground/output/format.js'
import { startProgress } from '../../ground/output/progress.js'
import { UsageError } from '../../ground/usage-error.js'
import type { LocalFile } from './local-file.js'
import { type Putting, NOTHING_KNOWN, type Uploaded, SKIPPED } from './put-file.js'
import { wholeNumber, parsed } from '../../ground/arguments.js'
import type { Output } from '../../ground/output/output.js'

/** Options of an upload. */
interface Uploads<File extends LocalFile> {
  readonly files: readonly File[]
  /** Concurrent files. */
  readonly jobs: number
  /** Results that are known already. */
  readonly before?: readonly Uploaded[]
  readonly upload: (file: File, putting: Putting) => Promise<Uploaded>
}

/**
 * Uploads files concurrently and prints the results. An error of one file does not stop the others; an error of the
 * credential, the project or the server stops all.
 *
 * @throws the error that stopped all
 */
export async function uploadAll<File extends LocalFile>(cli: Cli, uploads: Uploads<File>): Promise<void> {
  const done = [...(uploads.before ?? [])]
  try {
    await inParallel(cli, uploads, done)
  } catch (error) {
    if (!cli.output.forPrograms && done.length > 0) printUploads(cli.output, done)
    throw error
  }
  printUploads(cli.output, done)
  if (done.some(({ outcome }) => outcome === 'failed')) cli.exitCode = 1
}

async function inParallel<File extends LocalFile>(
  cli: Cli,
  { files, jobs, upload }: Uploads<File>,
  done: Uploaded[],
): Promise<void> {
  const { output, terminal } = cli
  const all = files.reduce((sum, file) => sum + file.size, 0)
  using progress = startProgress(output, 'Uploading', all)
  const stopping = new AbortController()
  const signal = AbortSignal.any([terminal.signal, stopping.signal])
  let [bytes, finished] = [0, 0]
  const onBytes = (more: number) => {
    bytes += more
    progress.update(
      bytes,
      `${size(bytes)} of ${size(all)}, ${String(finished)} of ${counted(files.length, 'file')}`,
    )
  }
  let failed: { readonly error: unknown } | undefined
  const left = files.values()
  const work = async () => {
    for (const file of left) {
      let ofThis = 0
      const counting = (more: number) => {
        ofThis += more
        onBytes(more)
      }
      try {
        done.push(await upload(file, { signal, onBytes: counting }))
        finished++
        onBytes(file.size - ofThis)
      } catch (error) {
        if (failed || terminal.signal.aborted || !isOfOneFile(error)) {
          failed ??= { error }
          stopping.abort()
          return
        }
        const report = reportOf(error, cli.opened)
        done.push({ ...NOTHING_KNOWN, file: file.name, size: file.size, outcome: 'failed', error: report })
        finished++
        onBytes(file.size - ofThis)
      }
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  if (failed) throw failed.error
  if (output.forPrograms) return
  for (const { file, error } of done)
    if (error) {
      output.notice(`${file}:`)
      printError(output, error)
    }
}

/** Returns true if other files may still succeed. */
function isOfOneFile(error: unknown): boolean {
  if (error instanceof UsageError) return true
  return error instanceof ProblemError && [400, 409, 413].includes(error.status)
}

const MAX_JOBS = 16

/** Concurrent uploads. */
export const JOBS = {
  '--jobs <number>': {
    ...parsed(`concurrent files, 1 to ${String(MAX_JOBS)}`, wholeNumber(1, MAX_JOBS)),
    initial: 4,
  },
} as const

/** Prints the results of files, as a table with totals or as JSON. */
function printUploads(output: Output, files: readonly Uploaded[]): void {
  const of = (outcome: Uploaded['outcome']) => files.filter((file) => file.outcome === outcome)
  const [uploaded, skipped, failed] = [of('uploaded'), of('skipped'), of('failed')]
  const summary = { uploaded: uploaded.length, skipped: skipped.length, failed: failed.length, files }
  output.table(
    files,
    {
      File: 'file',
      Size: { right: (file) => size(file.size) },
      Result: outcomeOf,
      'Build id': 'gnu_build_id',
      Id: 'id',
    },
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
