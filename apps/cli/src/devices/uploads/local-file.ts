import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { unreadable, UsageError } from '../../ground/usage-error.js'

/** Bytes of a file in memory. */
export const PIECE_BYTES = 262_144

export interface LocalFile {
  /** The printed name. */
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
 * Finds a file.
 *
 * @throws UsageError if it is not a file, is empty or cannot be read
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
 * Computes the digests of a file.
 *
 * @throws UsageError if it cannot be read
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
