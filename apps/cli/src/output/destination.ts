import { constants } from 'node:fs'
import { access, lstat, open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../usage-error.js'

/** Where something is written. */
export interface Destination {
  /** A file, or "-": standard output. */
  readonly path: string
  /** Whether a file that is there is replaced. */
  readonly force?: boolean | undefined
}

/**
 * Makes sure, before anything is asked for, that a file can be written. Devices and pipes can, as they are.
 *
 * @throws UsageError where it cannot, or where a file is there
 */
export async function checkFile({ path, force = false }: Destination): Promise<void> {
  const found = await kindOf(path)
  if (found === 'file' && !force)
    throw new UsageError(`${path} is there already.`, 'Give --output another name, or --force.')
  if (found === 'folder') throw new UsageError(`${path} is a folder.`)
  if (found === 'link') throw new UsageError(`${path} is a link to nothing.`)
  try {
    await access(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/**
 * Writes a file. It appears once all of it is there: what is cut off by an error must not be taken for the whole. Nobody else can read
 * it. A link stays one, and what is no file is written to as it is.
 *
 * @throws UsageError where it cannot be opened
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

/** What is at a path; undefined where nothing is. */
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
  return (error as NodeJS.ErrnoException).code // what node:fs throws
}
