import { constants } from 'node:fs'
import { access, lstat, open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../usage-error.js'

export interface Destination {
  /** A file, or "-": standard output. */
  readonly path: string
  /** True if an existing file is overwritten. */
  readonly force?: boolean | undefined
}

/**
 * Verifies, before any request, that a file can be written. Devices and pipes are written as they are.
 *
 * @throws UsageError if it cannot, or exists
 */
export async function checkFile({ path, force = false }: Destination): Promise<void> {
  const found = await kindOf(path)
  if (found === 'file' && !force)
    throw new UsageError(`${path} already exists.`, 'Use another name for --output, or --force.')
  if (found === 'folder') throw new UsageError(`${path} is a folder.`)
  if (found === 'link') throw new UsageError(`${path} is a link to nothing.`)
  try {
    await access(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/**
 * Writes a file, readable only by this user. It appears when it is complete, so that a truncated file is not mistaken for
 * a complete one. Links are kept; devices and pipes are written to directly.
 *
 * @throws UsageError if it cannot be opened
 */
export async function toFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const found = await kindOf(path)
  if (found === 'other') {
    await using device = await opened(path)
    await write(device)
    return
  }
  const target = found === 'file' ? await realpath(path) : path
  const part = `${target}.part`
  const file = await opened(part)
  try {
    await write(file)
    await file.sync()
    await file.close()
    await rename(part, target)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true })
    throw error
  }
}

/** Returns what exists at a path; undefined if nothing does. */
async function kindOf(path: string): Promise<'file' | 'folder' | 'link' | 'other' | undefined> {
  try {
    const status = await stat(path)
    return status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unwritable(path, error)
    return lstat(path).then(
      () => 'link' as const,
      () => undefined,
    )
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(`${path} cannot be written (${codeOf(error) ?? 'unknown error'}).`)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code // node:fs throws these
}
