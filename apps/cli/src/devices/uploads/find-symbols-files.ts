import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readGnuBuildId } from '@bearing/files/elf/gnu-build-id'
import { readSdkBuildId } from '@bearing/files/elf/sdk-build-id'
import { KIND_BYTES, isObjectFile, symbolsKind } from '@bearing/files/elf/symbols-kind'
import { type LocalFile } from './local-file.js'
import { unreadable, UsageError } from '../../ground/usage-error.js'
import type { TemporaryFolder } from './spool-symbols.js'
import { unpackTar, unpackZip } from './unpack.js'

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

/** An ELF file or a ProGuard mapping. */
export interface SymbolsFile extends LocalFile {
  /** The GNU build id, or that of the firmware SDK: hexadecimal, lower case. Undefined if there is none. */
  readonly buildId: string | undefined
  /** True for an object file, which is no symbols of any software version. */
  readonly isObject: boolean
}

/**
 * Recognizes a file of symbols.
 *
 * @returns undefined if it is none
 * @throws UsageError if it cannot be read
 */
async function asSymbolsFile(file: LocalFile): Promise<SymbolsFile | undefined> {
  try {
    await using handle = await open(file.path)
    const readAt = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    const start = await readAt(0, KIND_BYTES)
    switch (symbolsKind(start)) {
      case undefined:
        return undefined
      case 'proguard':
        return { ...file, buildId: undefined, isObject: false }
      case 'elf': {
        const buildId = (await readGnuBuildId(readAt, file.size)) ?? (await readSdkBuildId(readAt, file.size))
        return { ...file, buildId, isObject: isObjectFile(start) }
      }
    }
  } catch (error) {
    throw unreadable(file.name, error)
  }
}
