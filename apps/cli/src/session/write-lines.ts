import { once } from 'node:events'
import type { Command } from 'commander'
import type { Cli } from './cli.js'
import { checkFile, toFile } from '../ground/output/destination.js'

/** Lines of one write. */
const LINES_PER_WRITE = 500

/** Flags of commands that write lines. */
export interface OutputFlags {
  readonly output?: string
  readonly force?: boolean
}

/** Adds the output flags to a command. */
export function addOutputFlags(command: Command): Command {
  return command
    .option('--output <file>', 'output file (default: standard output, "-"); it appears when it is complete')
    .option('-f, --force', 'overwrite an existing file')
}

/**
 * Writes lines to standard output, or to a file as `toFile` does. Verifies the destination before the first request.
 *
 * @param lines without their ends
 * @returns the destination, as the end of a sentence; empty for standard output
 * @throws UsageError if the file cannot be written, or exists
 */
export async function writeLines(
  { terminal: { stdout } }: Cli,
  { output: path = '-', force }: OutputFlags,
  lines: AsyncIterable<string>,
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

async function inPieces(lines: AsyncIterable<string>, write: (text: string) => Promise<void>): Promise<void> {
  let piece: string[] = []
  for await (const line of lines) {
    piece.push(`${line}\n`)
    if (piece.length < LINES_PER_WRITE) continue
    await write(piece.join(''))
    piece = []
  }
  await write(piece.join(''))
}
