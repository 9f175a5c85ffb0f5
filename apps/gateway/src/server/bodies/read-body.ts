import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { OperationError } from '@bearing/contracts/errors'
import type { BodyShare } from './body-memory.js'

/** Smallest buffer for a body that arrives in pieces, in bytes. */
const MIN_CAPACITY = 4_096

/**
 * Reads a body into one buffer, however small the pieces are that it comes in: what is counted is what it takes. The rest of a
 * refused body is discarded while the reply is sent, so the client can read the reply and use the connection again.
 *
 * @param limit largest body in bytes
 * @param share counts the memory; its opener releases it
 * @throws OperationError `payload_too_large`, `overloaded` if there is no memory for it, `invalid_input` if it is incomplete
 */
export function readBody(request: IncomingMessage, limit: number, share: BodyShare): Promise<Buffer> {
  const { 'content-length': declared } = request.headers
  const expected = declared === undefined ? undefined : Number(declared)
  if (expected !== undefined && expected > limit) return Promise.reject(tooLarge(limit))
  const body = new GrowingBuffer(expected ?? limit, share)
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      request.off('data', add).off('end', end).off('error', fail).off('close', fail)
      done()
    }
    const refuse = (error: OperationError) => {
      settle(() => {
        share.release()
        request.resume()
        reject(error)
      })
    }
    const add = (bytes: Buffer) => {
      if (body.length + bytes.length > limit) refuse(tooLarge(limit))
      else if (!body.add(bytes)) refuse(overloaded())
    }
    const end = () => {
      settle(() => {
        resolve(body.bytes)
      })
    }
    const fail = () => {
      refuse(new OperationError('invalid_input', 'The body is incomplete.'))
    }
    request.on('data', add).once('end', end).once('error', fail).once('close', fail)
  })
}

/** Bytes that come in pieces. Its memory doubles, up to the length that is expected. */
class GrowingBuffer {
  private memory: Buffer = Buffer.alloc(0)
  length = 0

  constructor(
    private readonly expected: number,
    private readonly share: BodyShare,
  ) {}

  get bytes(): Buffer {
    return this.memory.subarray(0, this.length)
  }

  /** @returns false if there is no memory for it */
  add(bytes: Buffer): boolean {
    const length = this.length + bytes.length
    if (length > this.memory.length) {
      const capacity = Math.max(length, Math.min(this.expected, Math.max(2 * length, MIN_CAPACITY)))
      if (!this.share.take(capacity - this.memory.length)) return false
      // Most bodies come in one piece.
      if (bytes.length === capacity) {
        this.memory = bytes
        this.length = length
        return true
      }
      const grown = Buffer.allocUnsafeSlow(capacity)
      this.memory.copy(grown, 0, 0, this.length)
      this.memory = grown
    }
    bytes.copy(this.memory, this.length)
    this.length = length
    return true
  }
}

function tooLarge(limit: number): OperationError {
  return new OperationError(
    'payload_too_large',
    `The body is larger than this route accepts. Send at most ${String(limit)} bytes.`,
  )
}

/** Returns the error for a body that there is no memory for. */
export function overloaded(): OperationError {
  return new OperationError(
    'overloaded',
    'More bodies are being received than there is memory for. Send the request again shortly.',
    { retry_after: 5 },
  )
}
