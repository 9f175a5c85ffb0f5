import { open, rm } from 'node:fs/promises'
import { MAX_PARTS, PART_BYTES } from '@bearing/contracts/management/upload'
import type { LocalFile } from '../uploads/local-file.js'
import { UsageError } from '../usage-error.js'
import { ELF_MAGIC } from './elf-file.js'
import type { TemporaryFolder } from './temporary-folder.js'

/** Maximum of any server, in bytes. Protects the disk from small archives that expand without limit. */
const MAX_BYTES = MAX_PARTS * PART_BYTES

/**
 * Writes an entry of an archive to a temporary file, if it is an ELF file. The entry's name is only printed, never used as
 * a path.
 *
 * @param name the printed name
 * @returns undefined if it is not an ELF file; then the content was not read to its end
 * @throws UsageError if it is larger than any server accepts
 */
export async function spoolElf(
  name: string,
  content: AsyncIterable<Buffer>,
  folder: TemporaryFolder,
): Promise<LocalFile | undefined> {
  const path = await folder.newPath()
  let begun = Buffer.alloc(0)
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const bytes of content) {
      if (size === 0) {
        begun = Buffer.concat([begun, bytes])
        if (begun.length < 4) continue
        if (begun.readUInt32BE(0) !== ELF_MAGIC) break
      }
      const piece = size === 0 ? begun : bytes
      size += piece.length
      if (size > MAX_BYTES) throw new UsageError(`${name} is larger than any server accepts.`)
      await file.writeFile(piece)
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  if (size > 0) return { name, path, size }
  await rm(path, { force: true })
  return undefined
}
