import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable, type LocalFile } from '../uploads/local-file.js'
import { UsageError } from '../usage-error.js'
import { ELF_MAGIC, asElfFile, type ElfFile } from './elf-file.js'
import type { TemporaryFolder } from './temporary-folder.js'
import { unpackTar } from './unpack-tar.js'
import { unpackZip } from './unpack-zip.js'

/** Offset of the magic of a tar archive (POSIX ustar), in bytes. */
const USTAR_OFFSET = 257

/**
 * Finds ELF files in files, folders and archives. Symbolic links in folders are not followed.
 *
 * @throws UsageError if a path cannot be read, or is none of these
 */
export async function* findElfFiles(
  paths: readonly string[],
  folder: TemporaryFolder,
  signal: AbortSignal,
): AsyncGenerator<ElfFile> {
  for (const path of paths) {
    const status = await stat(path).catch((error: unknown) => {
      throw unreadable(path, error)
    })
    if (status.isDirectory()) {
      yield* inFolder(path, signal)
      continue
    }
    const file = { name: path, path, size: status.size }
    switch (status.isFile() ? await contentOf(file) : 'other') {
      case 'elf':
        yield await asElfFile(file)
        break
      case 'zip':
        for await (const unpacked of unpackZip(file, folder, signal)) yield await asElfFile(unpacked)
        break
      case 'tar':
        for await (const unpacked of unpackTar(file, folder, signal)) yield await asElfFile(unpacked)
        break
      case 'other':
        throw new UsageError(`${path} is not an ELF file, folder or archive.`)
    }
  }
}

async function* inFolder(path: string, signal: AbortSignal): AsyncGenerator<ElfFile> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted()
    const inside = join(path, entry.name)
    if (entry.isDirectory()) yield* inFolder(inside, signal)
    if (!entry.isFile()) continue
    const { size } = await stat(inside)
    const file = { name: inside, path: inside, size }
    if ((await contentOf(file)) === 'elf') yield await asElfFile(file)
  }
}

/** By the first bytes: names lie. Gzip means a compressed tar archive. */
async function contentOf({ name, path }: LocalFile): Promise<'elf' | 'zip' | 'tar' | 'other'> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    if (bytesRead < 4) return 'other'
    if (buffer.readUInt32BE(0) === ELF_MAGIC) return 'elf'
    if (buffer.readUInt32BE(0) === 0x504b0304) return 'zip'
    if (buffer.readUInt16BE(0) === 0x1f8b) return 'tar'
    return buffer.toString('latin1', USTAR_OFFSET, USTAR_OFFSET + 5) === 'ustar' ? 'tar' : 'other'
  } catch (error) {
    throw unreadable(name, error)
  }
}
