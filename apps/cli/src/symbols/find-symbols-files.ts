import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable, type LocalFile } from '../uploads/local-file.js'
import { UsageError } from '../usage-error.js'
import { asSymbolsFile, type SymbolsFile } from './symbols-file.js'
import type { TemporaryFolder } from './temporary-folder.js'
import { unpackTar } from './unpack-tar.js'
import { unpackZip } from './unpack-zip.js'

/** Offset of the magic of a tar archive (POSIX ustar), in bytes. */
const USTAR_OFFSET = 257

/**
 * Finds symbols in files, folders and archives. Symbolic links in folders are not followed.
 *
 * @throws UsageError if a path cannot be read, or is none of these
 */
export async function* findSymbolsFiles(
  paths: readonly string[],
  folder: TemporaryFolder,
  signal: AbortSignal,
): AsyncGenerator<SymbolsFile> {
  for (const path of paths) {
    const status = await stat(path).catch((error: unknown) => {
      throw unreadable(path, error)
    })
    if (status.isDirectory()) {
      yield* inFolder(path, signal)
      continue
    }
    const file = { name: path, path, size: status.size }
    const archive = status.isFile() ? await archiveOf(file) : undefined
    const found = status.isFile() && !archive ? await asSymbolsFile(file) : undefined
    if (archive) yield* inArchive(archive(file, folder, signal))
    else if (found) yield found
    else throw new UsageError(`${path} is not an ELF file, ProGuard mapping, folder or archive.`)
  }
}

async function* inFolder(path: string, signal: AbortSignal): AsyncGenerator<SymbolsFile> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted()
    const inside = join(path, entry.name)
    if (entry.isDirectory()) yield* inFolder(inside, signal)
    if (!entry.isFile()) continue
    const { size } = await stat(inside)
    const found = await asSymbolsFile({ name: inside, path: inside, size })
    if (found) yield found
  }
}

async function* inArchive(unpacked: AsyncGenerator<LocalFile>): AsyncGenerator<SymbolsFile> {
  for await (const file of unpacked) {
    const found = await asSymbolsFile(file)
    if (found) yield found
  }
}

/** By the first bytes: names lie. Gzip means a compressed tar archive. */
async function archiveOf({ name, path }: LocalFile): Promise<typeof unpackZip | undefined> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    if (bytesRead < 4) return undefined
    if (buffer.readUInt32BE(0) === 0x504b0304) return unpackZip
    if (buffer.readUInt16BE(0) === 0x1f8b) return unpackTar
    return buffer.toString('latin1', USTAR_OFFSET, USTAR_OFFSET + 5) === 'ustar' ? unpackTar : undefined
  } catch (error) {
    throw unreadable(name, error)
  }
}
