import { once } from 'node:events'
import type { Cli } from './cli.js'
import { checkFile, toFile } from '../ground/output/destination.js'

/** Lines of one write. */
const LINES_PER_WRITE = 500

/** Options of commands that write lines. */
export const OUTPUT_FLAGS = {
  '--output <file>': 'output file (default: standard output, "-"); it appears when it is complete',
  '-f, --force': 'overwrite an existing file',
} as const

/**
 * Writes lines to standard output, or to a file as `toFile` does. Verifies the destination before the first request.
 *
 * @param lines without their ends
 * @returns the destination, as the end of a sentence; empty for standard output
 * @throws UsageError if the file cannot be written, or exists
 */
export async function writeLines(
  { terminal: { stdout } }: Cli,
  {
    output: path = '-',
    force,
  }: { readonly output?: string | undefined; readonly force?: boolean | undefined },
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<string> {
  if (path !== '-') {
    await checkFile({ path, force })
    await toFile(path, (file) => inPieces(lines, (text) => file.appendFile(text)))
    return ` to ${path}`
  }
  await inPieces(lines, async (text) => {
    if (!stdout.write(text)) await once(stdout, 'drain')
  })
  return ''
}

async function inPieces(
  lines: AsyncIterable<string> | Iterable<string>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let piece: string[] = []
  for await (const line of lines) {
    piece.push(`${line}\n`)
    if (piece.length < LINES_PER_WRITE) continue
    await write(piece.join(''))
    piece = []
  }
  await write(piece.join(''))
}
