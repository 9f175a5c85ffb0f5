import { once } from 'node:events'
import type { ValuesOf } from '../ground/arguments.js'
import { checkFile, toFile } from '../ground/output/destination.js'
import { counted } from '../ground/output/format.js'
import type { Cli } from './cli.js'

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

/**
 * Writes a line for each item as {@link writeLines} does, and says how many there were.
 *
 * @param noun an item, in words
 * @param shape lines before and after, and the line of an item (default: JSON)
 */
export async function exportItems<Item>(
  cli: Cli,
  flags: ValuesOf<typeof OUTPUT_FLAGS>,
  noun: string,
  items: AsyncIterable<Item>,
  { header = [], line = (item) => JSON.stringify(item), footer = [] }: Partial<LineShape<Item>> = {},
): Promise<void> {
  let written = 0
  const lines = async function* () {
    yield* header
    for await (const item of items) yield line(item, written++ === 0)
    yield* footer
  }
  const where = await writeLines(cli, flags, lines())
  cli.output.done(`${counted(written, noun)} exported${where}.`)
}

/** Lines of a format: those before the first item, one for each, those after the last. */
export interface LineShape<Item> {
  readonly header: readonly string[]
  /** @param isFirst whether no other was written before */
  readonly line: (item: Item, isFirst: boolean) => string
  readonly footer: readonly string[]
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
