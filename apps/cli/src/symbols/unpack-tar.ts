import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Parser, type ReadEntry } from 'tar'
import { PIECE_BYTES, type LocalFile } from '../uploads/local-file.js'
import { UsageError } from '../usage-error.js'
import { spoolElf } from './spool-elf.js'
import type { TemporaryFolder } from './temporary-folder.js'

/**
 * Unpacks the ELF files of a tar archive, which may be compressed with gzip.
 *
 * @throws UsageError where it is damaged, or none
 */
export async function* unpackTar(
  archive: LocalFile,
  folder: TemporaryFolder,
  signal: AbortSignal,
): AsyncGenerator<LocalFile> {
  const entries: { readonly entry: ReadEntry; readonly unpacked: Promise<LocalFile | undefined> }[] = []
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const unpacked = unpack(archive, entry, folder)
      // Looked at when all of them are there.
      unpacked.catch(() => undefined)
      entries.push({ entry, unpacked })
    },
  })
  try {
    await parse(parser, archive.path, signal)
  } catch (error) {
    // Those that are not complete would be waited for.
    for (const { entry } of entries) entry.destroy()
    await Promise.allSettled(entries.map(({ unpacked }) => unpacked))
    signal.throwIfAborted()
    throw damaged(archive, error)
  }
  for (const { unpacked } of entries) {
    const file = await unpacked
    if (file) yield file
  }
}

/** The parser gives out one entry after the other, and takes no more of the archive than is unpacked. */
async function parse(parser: Parser, path: string, signal: AbortSignal): Promise<void> {
  const ended = once(parser, 'end') // or rejected with what is wrong
  ended.catch(() => undefined)
  // The first mistake is enough, and the others are no crash.
  parser.on('error', () => undefined)
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES, signal }))
    if (!parser.write(bytes as Buffer)) await Promise.race([once(parser, 'drain'), ended]) // no encoding was set
  parser.end()
  await ended
}

/** What is not read of an entry keeps the next one from coming. */
async function unpack(
  archive: LocalFile,
  entry: ReadEntry,
  folder: TemporaryFolder,
): Promise<LocalFile | undefined> {
  try {
    if (!['File', 'OldFile', 'ContiguousFile'].includes(entry.type)) return undefined
    return await spoolElf(`${archive.name}:${entry.path}`, contentOf(entry), folder)
  } finally {
    entry.resume()
  }
}

/** An entry that was destroyed between two of its pieces would be waited for. */
async function* contentOf(entry: ReadEntry): AsyncGenerator<Buffer> {
  const pieces = entry[Symbol.asyncIterator]()
  for (;;) {
    if (entry.destroyed) throw new Error('the archive is cut off')
    const piece = await pieces.next()
    if (piece.done) return
    yield piece.value
  }
}

function damaged(archive: LocalFile, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException // what node:fs throws
  const reason = code?.startsWith('E') ? code : 'it is no tar archive, or a damaged one'
  return new UsageError(`${archive.name} cannot be read: ${reason}.`)
}
