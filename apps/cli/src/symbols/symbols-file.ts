import { open } from 'node:fs/promises'
import { readGnuBuildId } from '@bearing/files/elf/gnu-build-id'
import { readSdkBuildId } from '@bearing/files/elf/sdk-build-id'
import { KIND_BYTES, isObjectFile, symbolsKind } from '@bearing/files/elf/symbols-kind'
import { unreadable, type LocalFile } from '../uploads/local-file.js'

/** An ELF file or a ProGuard mapping. */
export interface SymbolsFile extends LocalFile {
  /** The GNU build id, or that of the firmware SDK: hexadecimal, lower case. Undefined if there is none. */
  readonly buildId: string | undefined
  /** Whether it is an object file, which is no symbols of any software version. */
  readonly isObject: boolean
}

/**
 * Recognizes a file of symbols.
 *
 * @returns undefined if it is none
 * @throws UsageError if it cannot be read
 */
export async function asSymbolsFile(file: LocalFile): Promise<SymbolsFile | undefined> {
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
