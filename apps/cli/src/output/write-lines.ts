import { once } from 'node:events'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { checkFile, toFile } from './destination.js'

/** Lines that are written at once. */
const WRITTEN_AT_ONCE = 500

/** Flags of commands that write lines. */
export interface OutputFlags {
  readonly output?: string
  readonly force?: boolean
}

/** Gives a command the flags that say where its lines go. */
export function addOutputFlags(command: Command): Command {
  return command
    .option('--output <file>', 'a file, instead of standard output ("-"); it appears once all of it is there')
    .option('--force', 'replace a file that is there')
}

/**
 * Writes lines to standard output, or to a file as `toFile` does. Whether that can be is known before the first line is asked for.
 *
 * @param lines without their ends
 * @returns where they went, as the end of a sentence; nothing where it was standard output
 * @throws UsageError where a file cannot be written, or is there
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
    if (piece.length < WRITTEN_AT_ONCE) continue
    await write(piece.join(''))
    piece = []
  }
  await write(piece.join(''))
}
