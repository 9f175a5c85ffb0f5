import { OperationError } from '@bearing/contracts/errors'
import type { Clock } from '@bearing/service/clock'
import { readUploadToken, writeUploadToken } from '../rules/upload-token.js'

/** How long somebody has to begin to put bytes, in milliseconds. */
const PUT_LIFETIME_MS = 15 * 60_000
/** How long a commit can be done, or done again, in milliseconds. */
const COMMIT_LIFETIME_MS = 7 * 24 * 3_600_000

/** Gives out tokens of uploads, and knows them again. */
export class UploadTokens {
  /** @param keys the first signs, all are known; 32 bytes or more each. Secret. */
  constructor(
    private readonly keys: readonly [Uint8Array, ...Uint8Array[]],
    private readonly clock: Clock,
  ) {}

  /** The part of an address that bytes are put to. */
  forPut(uploadId: string): string {
    const expiresMs = this.clock.nowMs() + PUT_LIFETIME_MS
    return writeUploadToken({ purpose: 'put', uploadId, expiresMs }, this.keys[0])
  }

  /** What a commit names the upload by. */
  forCommit(uploadId: string): string {
    const expiresMs = this.clock.nowMs() + COMMIT_LIFETIME_MS
    return writeUploadToken({ purpose: 'commit', uploadId, expiresMs }, this.keys[0])
  }

  /**
   * The upload that bytes may be put to.
   *
   * @param begun whether that has begun already: then it may be finished later than it had to begin
   * @throws OperationError `upload_url_invalid`
   */
  readPut(token: string, begun: boolean): string {
    const ticket = readUploadToken(token, 'put', this.keys)
    if (!ticket || (!begun && ticket.expiresMs <= this.clock.nowMs())) throw uploadUrlInvalid()
    return ticket.uploadId
  }

  /** The upload that is to be committed; undefined where there is none. */
  readCommit(token: string): string | undefined {
    const ticket = readUploadToken(token, 'commit', this.keys)
    return ticket && ticket.expiresMs > this.clock.nowMs() ? ticket.uploadId : undefined
  }
}

/** The error for an address that nobody of us has given out, or that is over. */
export function uploadUrlInvalid(): OperationError {
  return new OperationError(
    'upload_url_invalid',
    'The upload address does not work, or not any more. Prepare the upload anew and put the file to the new address.',
  )
}
