import { open, rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { Cli } from '../cli.js'

/** Lines that are written at once. */
const WRITTEN_AT_ONCE = 500

/**
 * Writes lines to a file, or to standard output. A file appears once all of it is there: what is cut off by an error must
 * not be taken for the whole. Nobody else can read it.
 *
 * @param path of the file; undefined: standard output
 * @param lines without their ends
 */
export async function writeLines(
  { terminal: { stdout } }: Cli,
  path: string | undefined,
  lines: AsyncIterable<string>,
): Promise<void> {
  if (path !== undefined) return toFile(path, lines)
  await inPieces(lines, async (text) => {
    if (!stdout.write(text)) await once(stdout, 'drain')
  })
}

async function toFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await inPieces(lines, (text) => file.appendFile(text))
    await file.sync()
    await file.close()
    await rename(part, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true })
    throw error
  }
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
