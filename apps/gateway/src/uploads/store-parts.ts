import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperationError } from '@bearing/contracts/errors'
import { MAX_PARTS, PART_BYTES } from '@bearing/contracts/management/upload'
import { until } from './until-aborted.js'

/** What was handed on. Digests are hexadecimal, sizes in bytes. */
export interface HandedOn {
  readonly sequences: number[]
  readonly size: number
  readonly md5: string
  readonly sha256: string
  /** Of the bytes as they came, which may have been compressed. */
  readonly sent_size: number
  readonly sent_md5: string
}

/** How a body is handed on. */
interface HandOnOptions {
  readonly gzip: boolean
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Takes one part, which is another one once it was taken. `after` is what the part before was answered with; 0 for the first. */
export type Append = (data: Uint8Array, after: number) => Promise<number>

/**
 * Hands the bytes of a body on, part by part: no more than one part is in memory, and the client sends no faster than parts
 * are stored.
 *
 * @param gzip whether the body is compressed; what is handed on is not
 * @param maxBytes of the content
 * @param signal ends it, with its reason; what is left of the body can still be read
 * @throws OperationError `upload_too_large`, `upload_mismatch` where it is not compressed as it says, `invalid_input` where it
 *   ends before its end; and what `append` throws
 */
export async function handOn(
  request: Readable,
  { gzip, maxBytes, signal }: HandOnOptions,
  append: Append,
): Promise<HandedOn> {
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
  // The body stays open for what is left of it to be read: a client that is still sending would not hear the answer.
  const body = until<Buffer>(request.iterator({ destroyOnReturn: false }), signal)
  try {
    for await (const bytes of gzip ? unpacked(body, sent) : body) {
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

/** The error for more bytes than are taken. */
export function tooLarge(maxBytes: number): OperationError {
  return new OperationError(
    'upload_too_large',
    `Uploaded file is too big: more than ${String(maxBytes)} bytes are not taken here.`,
  )
}

function unpacked(body: AsyncIterable<Buffer>, sent: (bytes: Buffer) => void): AsyncIterable<Buffer> {
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
      'The body says that it is compressed with gzip, and is not, or not completely. Send it again.',
      {},
      { cause: error },
    )
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new OperationError('invalid_input', 'The body ended before its end.', {}, { cause: error })
  return error
}
