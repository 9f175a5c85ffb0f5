import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Parser, type ReadEntry } from 'tar'
import { openPromise } from 'yauzl'
import { PIECE_BYTES, type LocalFile } from './local-file.js'
import { UsageError } from '../../ground/usage-error.js'
import { spoolSymbols, type TemporaryFolder } from './spool-symbols.js'

/**
 * Extracts the ELF files and ProGuard mappings of a tar archive, plain or gzip.
 *
 * @throws UsageError if it is damaged, or not a tar archive
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
      // Errors are handled below.
      unpacked.catch(() => undefined)
      entries.push({ entry, unpacked })
    },
  })
  try {
    await parse(parser, archive.path, signal)
  } catch (error) {
    // Incomplete entries would never end.
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

/** The parser emits one entry at a time, and its backpressure limits memory. */
async function parse(parser: Parser, path: string, signal: AbortSignal): Promise<void> {
  const ended = once(parser, 'end') // or rejected with what is wrong
  ended.catch(() => undefined)
  // Further errors must not crash the process.
  parser.on('error', () => undefined)
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES, signal }))
    if (!parser.write(bytes as Buffer)) await Promise.race([once(parser, 'drain'), ended]) // no encoding was set
  parser.end()
  await ended
}

/** The rest of an entry is skipped, or the next one would not be emitted. */
async function unpack(
  archive: LocalFile,
  entry: ReadEntry,
  folder: TemporaryFolder,
): Promise<LocalFile | undefined> {
  try {
    if (!['File', 'OldFile', 'ContiguousFile'].includes(entry.type)) return undefined
    return await spoolSymbols(`${archive.name}:${entry.path}`, contentOf(entry), folder)
  } finally {
    entry.resume()
  }
}

/** Detects an entry that was destroyed, which would never end. */
async function* contentOf(entry: ReadEntry): AsyncGenerator<Buffer> {
  const pieces = entry[Symbol.asyncIterator]()
  for (;;) {
    if (entry.destroyed) throw new Error('the archive is truncated')
    const piece = await pieces.next()
    if (piece.done) return
    yield piece.value
  }
}

function damaged(archive: LocalFile, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException // node:fs throws these
  const reason = code?.startsWith('E') ? code : 'it is not a tar archive, or damaged'
  return new UsageError(`${archive.name} cannot be read: ${reason}.`)
}

/**
 * Extracts the ELF files and ProGuard mappings of a zip archive.
 *
 * @throws UsageError if it is damaged or encrypted
 */
export async function* unpackZip(
  archive: LocalFile,
  folder: TemporaryFolder,
  signal: AbortSignal,
): AsyncGenerator<LocalFile> {
  const zip = await openPromise(archive.path, { autoClose: false }).catch((error: unknown) => {
    throw damagedUnpackZip(archive, error)
  })
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted()
      if (entry.fileName.endsWith('/')) continue
      const name = `${archive.name}:${entry.fileName}`
      if (!entry.canDecodeFileData())
        throw new UsageError(`${name} is encrypted, or its compression is not supported.`)
      const unpacked = await spoolSymbols(name, await zip.openReadStreamPromise(entry), folder)
      if (unpacked) yield unpacked
    }
  } catch (error) {
    signal.throwIfAborted()
    throw damagedUnpackZip(archive, error)
  } finally {
    zip.close()
  }
}

function damagedUnpackZip(archive: LocalFile, error: unknown): unknown {
  if (error instanceof UsageError) return error
  const { code } = error as NodeJS.ErrnoException // node:fs throws these
  return new UsageError(`${archive.name} cannot be read: ${code ?? 'it is not a zip archive, or damaged'}.`)
}
