import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperationError } from '@bearing/contracts/errors'
import { MAX_PARTS, PART_BYTES } from '@bearing/contracts/management/upload'

/** A stored body. Digests are hexadecimal, sizes in bytes. */
export interface StoredBody {
  readonly sequences: number[]
  readonly size: number
  readonly md5: string
  readonly sha256: string
  /** Size of the bytes as the client sent them, possibly compressed. */
  readonly sent_size: number
  readonly sent_md5: string
}

interface StoreOptions {
  readonly gzip: boolean
  readonly maxBytes: number
}

/**
 * Stores one part and returns its sequence. The buffer is reused after that.
 *
 * @param after the sequence of the part before; 0 for the first
 */
export type Append = (data: Uint8Array, after: number) => Promise<number>

/**
 * Stores a body part by part: at most one part is in memory, and the client sends no faster than parts are stored.
 *
 * @param gzip whether the body is compressed; it is stored decompressed
 * @param maxBytes of the decompressed content
 * @throws OperationError `upload_too_large`, `upload_mismatch` if the body is not gzip, `invalid_input` if it is incomplete; or
 *   an error of `body` or `append`
 */
export async function storeParts(
  body: AsyncIterable<Buffer>,
  { gzip, maxBytes }: StoreOptions,
  append: Append,
): Promise<StoredBody> {
  const [md5, sha256, sentMd5] = [createHash('md5'), createHash('sha256'), createHash('md5')]
  const limit = Math.min(maxBytes, MAX_PARTS * PART_BYTES)
  const sequences: number[] = []
  let [size, sentSize] = [0, 0]
  const part = Buffer.allocUnsafe(PART_BYTES)
  let filled = 0
  const flush = async () => {
    sequences.push(await append(part.subarray(0, filled), sequences.at(-1) ?? 0))
    filled = 0
  }
  const sent = (bytes: Buffer) => {
    sentMd5.update(bytes)
    sentSize += bytes.length
  }
  try {
    for await (const bytes of gzip ? decompressed(body, sent) : body) {
      size += bytes.length
      if (size > limit) throw tooLarge(limit)
      md5.update(bytes)
      sha256.update(bytes)
      for (let from = 0; from < bytes.length;) {
        const copied = bytes.copy(part, filled, from)
        filled += copied
        from += copied
        if (filled === PART_BYTES) await flush()
      }
    }
    if (filled > 0) await flush()
  } catch (error) {
    throw asOperationError(error)
  }
  const digest = md5.digest('hex')
  return {
    sequences,
    size,
    md5: digest,
    sha256: sha256.digest('hex'),
    sent_size: gzip ? sentSize : size,
    sent_md5: gzip ? sentMd5.digest('hex') : digest,
  }
}

export function tooLarge(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: more than ${String(maxBytes)} bytes are not accepted.`,
  )
}

function decompressed(body: AsyncIterable<Buffer>, sent: (bytes: Buffer) => void): AsyncIterable<Buffer> {
  const counted = async function* () {
    for await (const bytes of body) {
      sent(bytes)
      yield bytes
    }
  }
  // Errors come out of the last stream.
  return pipeline(counted, createGunzip(), () => undefined)
}

function asOperationError(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code)
  if (code.startsWith('Z_'))
    return new OperationError(
      'upload_mismatch',
      'The Content-Encoding is gzip, but the body is not valid gzip, or incomplete. Send it again.',
      {},
      { cause: error },
    )
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new OperationError('invalid_input', 'The body is incomplete.', {}, { cause: error })
  return error
}
