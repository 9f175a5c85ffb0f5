import { open, rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_PARTS, PART_BYTES } from '@bearing/contracts/management/data/upload'
import { KIND_BYTES, symbolsKind } from '@bearing/files/elf/symbols-kind'
import type { LocalFile } from './local-file.js'
import { UsageError } from '../../ground/usage-error.js'

/** Maximum of any server, in bytes. Protects the disk from small archives that expand without limit. */
const MAX_BYTES = MAX_PARTS * PART_BYTES

/**
 * Writes an entry of an archive to a temporary file, if it is an ELF file or a ProGuard mapping. The entry's name is only
 * printed, never used as a path.
 *
 * @param name the printed name
 * @returns undefined if it is neither; then the content was not read to its end
 * @throws UsageError if it is larger than any server accepts
 */
export async function spoolSymbols(
  name: string,
  content: AsyncIterable<Buffer>,
  folder: TemporaryFolder,
): Promise<LocalFile | undefined> {
  const path = await folder.newPath()
  let start: Buffer | undefined = Buffer.alloc(0)
  let size = 0
  const file = await open(path, 'wx', 0o600)
  const write = async (piece: Buffer) => {
    size += piece.length
    if (size > MAX_BYTES) throw new UsageError(`${name} is larger than any server accepts.`)
    await file.writeFile(piece)
  }
  try {
    for await (const bytes of content) {
      if (!start) {
        await write(bytes)
        continue
      }
      start = Buffer.concat([start, bytes])
      if (start.length < KIND_BYTES) continue
      if (!symbolsKind(start)) break
      await write(start)
      start = undefined
    }
    // Shorter than what the decision needs.
    if (start && start.length < KIND_BYTES && symbolsKind(start)) await write(start)
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

/** A private temporary folder, created when needed and removed with its content. */
export class TemporaryFolder implements AsyncDisposable {
  private made: Promise<string> | undefined
  private files = 0

  /** Returns an unused path in it. */
  async newPath(): Promise<string> {
    this.made ??= mkdtemp(join(tmpdir(), 'bearing-'))
    return join(await this.made, String(this.files++))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.made) await rm(await this.made, { recursive: true, force: true })
  }
}
