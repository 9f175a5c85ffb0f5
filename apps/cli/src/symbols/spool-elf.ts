import { open, rm } from 'node:fs/promises'
import { MAX_PARTS, PART_BYTES } from '@bearing/contracts/management/upload'
import type { LocalFile } from '../uploads/local-file.js'
import { UsageError } from '../usage-error.js'
import { ELF_MAGIC } from './elf-file.js'
import type { TemporaryFolder } from './temporary-folder.js'

/** No server takes more, and a few kilobytes of a hostile archive can be unpacked to fill any disk. In bytes. */
const MAX_BYTES = MAX_PARTS * PART_BYTES

/**
 * Writes the content of an archive's entry to a file, where it is an ELF file. The name of the entry is shown, and is no path: it
 * may be any text.
 *
 * @param name what the file is shown as
 * @returns undefined where it is none; not all of the content was read then
 * @throws UsageError where it is larger than any server takes
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
      if (size > MAX_BYTES) throw new UsageError(`${name} is larger than any server takes.`)
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
