import { openPromise } from 'yauzl'
import type { LocalFile } from '../uploads/local-file.js'
import { UsageError } from '../usage-error.js'
import { spoolSymbols } from './spool-symbols.js'
import type { TemporaryFolder } from './temporary-folder.js'

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
    throw damaged(archive, error)
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
    throw damaged(archive, error)
  } finally {
    zip.close()
  }
}

function damaged(archive: LocalFile, error: unknown): unknown {
  if (error instanceof UsageError) return error
  const { code } = error as NodeJS.ErrnoException // what node:fs throws
  return new UsageError(`${archive.name} cannot be read: ${code ?? 'it is not a zip archive, or damaged'}.`)
}
