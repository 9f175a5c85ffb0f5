import { open } from 'node:fs/promises'
import { readGnuBuildId } from '@bearing/elf/gnu-build-id'
import { unreadable, type LocalFile } from '../uploads/local-file.js'

/** A file that starts like an ELF file. */
export interface ElfFile extends LocalFile {
  /** Hexadecimal, lower case; undefined if there is none. */
  readonly buildId: string | undefined
}

/** A file that can be found by its build id. */
export interface SymbolsFile extends LocalFile {
  readonly buildId: string
}

/** First bytes of an ELF file. */
export const ELF_MAGIC = 0x7f454c46

/**
 * Reads the build id of a file.
 *
 * @throws UsageError where it cannot be read
 */
export async function asElfFile(file: LocalFile): Promise<ElfFile> {
  try {
    await using handle = await open(file.path)
    const readAt = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    return { ...file, buildId: await readGnuBuildId(readAt, file.size) }
  } catch (error) {
    throw unreadable(file.name, error)
  }
}
