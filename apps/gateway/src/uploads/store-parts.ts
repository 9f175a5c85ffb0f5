import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import { MAX_PARTS, PART_BYTES } from '@bearing/contracts/management/data/upload'
import {
  MOST_PER_BYTE,
  InflationError,
  type Inflation,
  type InflationFault,
} from '@bearing/service/ground/inflation'

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
  /** Inflates the body, if it is compressed; it is stored inflated. */
  readonly inflation: Inflation | undefined
  readonly maxBytes: number
  /** Bytes that the preparation announced. */
  readonly announced: number | undefined
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
 * @param maxBytes of the content
 * @throws OperationError `upload_too_large`, `upload_mismatch` if the body is not as announced, `invalid_input` if it is
 *   incomplete; or an error of `body` or `append`
 */
export async function storeParts(
  body: AsyncIterable<Buffer>,
  { inflation, maxBytes, announced = Infinity }: StoreOptions,
  append: Append,
): Promise<StoredBody> {
  const [md5, sha256, sentMd5] = [createHash('md5'), createHash('sha256'), createHash('md5')]
  const limit = Math.min(maxBytes, MAX_PARTS * PART_BYTES)
  const sequences: number[] = []
  let size = 0
  const part = Buffer.allocUnsafe(PART_BYTES)
  let filled = 0
  const flush = async () => {
    sequences.push(await append(part.subarray(0, filled), sequences.at(-1) ?? 0))
    filled = 0
  }
  const sent = async function* () {
    for await (const bytes of body) {
      sentMd5.update(bytes)
      yield bytes
    }
  }
  try {
    for await (const bytes of inflation ? inflation.stream(sent()) : body) {
      size += bytes.length
      if (size > limit) throw tooLarge(limit)
      if (!inflation && size > announced) throw moreThanAnnounced()
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
    throw asOperationError(error, limit)
  }
  const digest = md5.digest('hex')
  return {
    sequences,
    size,
    md5: digest,
    sha256: sha256.digest('hex'),
    sent_size: inflation?.received ?? size,
    sent_md5: inflation ? sentMd5.digest('hex') : digest,
  }
}

export function tooLarge(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: more than ${String(maxBytes)} bytes are not accepted.`,
  )
}

function moreThanAnnounced(cause?: unknown): OperationError {
  return new OperationError(
    'upload_mismatch',
    'The file has more bytes than the preparation announced. Prepare it again with its size.',
    {},
    { cause },
  )
}

function inflationRefused(cause: InflationError, limit: number): OperationError {
  const refused: Readonly<Record<InflationFault, () => OperationError>> = {
    too_large: () => tooLarge(limit),
    not_announced: () => moreThanAnnounced(cause),
    too_dense: () =>
      new OperationError(
        'upload_too_large',
        `Uploaded file is too big for its compressed size: it becomes more than ${String(MOST_PER_BYTE)} times as large. Send it without compression.`,
        {},
        { cause },
      ),
    damaged: () =>
      new OperationError(
        'upload_mismatch',
        'The Content-Encoding is gzip, but the body is not valid gzip, or incomplete. Send it again.',
        {},
        { cause },
      ),
  }
  return refused[cause.fault]()
}

function asOperationError(error: unknown, limit: number): unknown {
  if (error instanceof InflationError) return inflationRefused(error, limit)
  const code = String((error as { code?: unknown }).code)
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new OperationError('invalid_input', 'The body is incomplete.', {}, { cause: error })
  return error
}
