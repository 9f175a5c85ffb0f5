import { pipeline } from 'node:stream'
import { createGunzip, gunzipSync } from 'node:zlib'

/** Bytes that every compressed body may become, and how many more for each byte of it. Ordinary files are below 20. */
export const FREE_BYTES = 1_048_576
export const MOST_PER_BYTE = 100

/** Limits of the content of a compressed body. */
export interface InflationLimits {
  /** Of the content, in bytes. */
  readonly maxBytes: number
  /** Bytes that the client announced. Some clients announce those of the compressed body. */
  readonly announced?: number | undefined
  /** Length of the compressed body in bytes, if it is known before it has arrived. */
  readonly length?: number | undefined
}

/**
 * The reason for which a body is not inflated any further.
 *
 * - `too_large`: larger than `maxBytes`.
 * - `too_dense`: more than {@link MOST_PER_BYTE} bytes for each byte of it.
 * - `not_announced`: larger than announced.
 * - `damaged`: no gzip, or not all of it.
 */
export type InflationFault = 'too_large' | 'too_dense' | 'not_announced' | 'damaged'

export class InflationError extends Error {
  constructor(
    readonly fault: InflationFault,
    options?: ErrorOptions,
  ) {
    super(`the compressed body is refused: ${fault}`, options)
  }
}

/**
 * Inflates one gzip body, within the limits that hold for every compressed body. Nothing beyond them is yielded, whatever the
 * body claims. Everything that inflates bodies of clients does it here.
 */
export class Inflation {
  /** Bytes of the body that have been read. */
  received = 0
  /** Bytes that they became. */
  inflated = 0

  constructor(private readonly limits: InflationLimits) {}

  /** Bytes that the body has cost: received and inflated ones. */
  get cost(): number {
    return this.received + this.inflated
  }

  /** @throws InflationError, or an error of `body` */
  async *stream(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    const count = (length: number) => {
      this.received += length
    }
    const received = async function* () {
      for await (const bytes of body) {
        count(bytes.length)
        yield bytes
      }
    }
    // Errors come out of the last stream.
    const content: AsyncIterable<Buffer> = pipeline(received, createGunzip(), () => undefined)
    try {
      for await (const bytes of content) {
        this.inflated += bytes.length
        const fault = this.fault()
        if (fault) throw new InflationError(fault)
        yield bytes
      }
    } catch (error) {
      throw isDamage(error) ? new InflationError('damaged', { cause: error }) : error
    }
  }

  /** @throws InflationError */
  all(body: Buffer): Buffer {
    this.received = body.length
    const dense = mostOf(body.length)
    const most = Math.min(this.limits.maxBytes, dense)
    try {
      const content = gunzipSync(body, { maxOutputLength: most })
      this.inflated = content.length
      return content
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') {
        this.inflated = most
        throw new InflationError(most < dense ? 'too_large' : 'too_dense', { cause: error })
      }
      throw new InflationError('damaged', { cause: error })
    }
  }

  private fault(): InflationFault | undefined {
    const { maxBytes, announced = Infinity } = this.limits
    if (this.inflated > maxBytes) return 'too_large'
    if (this.inflated > announced && !this.isOfCompressed(announced)) return 'not_announced'
    return this.inflated > mostOf(this.received) ? 'too_dense' : undefined
  }

  /** Returns whether an announced size may be that of the compressed body. */
  private isOfCompressed(announced: number): boolean {
    const { length } = this.limits
    return length === undefined ? this.received <= announced : length === announced
  }
}

function mostOf(received: number): number {
  return FREE_BYTES + MOST_PER_BYTE * received
}

function isDamage(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('Z_')
}
