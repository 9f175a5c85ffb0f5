import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { UsageError } from '../usage-error.js'

/** How much of a file is in memory at once, in bytes. */
export const PIECE_BYTES = 262_144

/** A file of this machine. */
export interface LocalFile {
  /** What it is shown and known as: people know where it is from that. */
  readonly name: string
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/** Digests of the bytes of a file, in hexadecimal. */
export interface Digests {
  readonly md5: string
  readonly sha256: string
}

/**
 * Finds a file that a user has named.
 *
 * @throws UsageError where it is none, is empty or cannot be read
 */
export async function namedFile(path: string): Promise<LocalFile> {
  const status = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (!status.isFile()) throw new UsageError(`${path} is not a file.`)
  if (status.size === 0) throw new UsageError(`${path} is empty.`)
  return { name: path, path, size: status.size }
}

/**
 * Reads a file for its digests, piece by piece.
 *
 * @throws UsageError where it cannot be read
 */
export async function digestsOf({ name, path }: LocalFile, signal: AbortSignal): Promise<Digests> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES, signal })) {
      md5.update(bytes as Buffer) // no encoding was set
      sha256.update(bytes as Buffer)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw unreadable(name, error)
  }
  return { md5: md5.digest('hex'), sha256: sha256.digest('hex') }
}

/** The error for a file that the system does not let us read. */
export function unreadable(name: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException // what node:fs throws
  return new UsageError(`${name} cannot be read (${code ?? 'unknown error'}).`)
}
