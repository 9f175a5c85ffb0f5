import { hkdfSync } from 'node:crypto'
import { DAY_MS } from '@bearing/contracts/durations'
import { OperationError } from '@bearing/contracts/errors'
import type { Clock } from '@bearing/service/ground/clock'
import type { NamedKey } from '@bearing/service/ground/named-keys'
import { readUploadToken, writeUploadToken } from '../rules/upload-token.js'

/** Within this time a PUT must start, in milliseconds. */
const PUT_LIFETIME_MS = 15 * 60_000
/** Within this time a commit can be done and repeated, in milliseconds. */
const COMMIT_LIFETIME_MS = 7 * DAY_MS

export class UploadTokens {
  private readonly keys: readonly [Uint8Array, ...Uint8Array[]]

  /** @param keys of management: with keys derived from them (HKDF-SHA-256, RFC 5869), the first signs, all verify */
  constructor(
    [first, ...others]: readonly [NamedKey, ...NamedKey[]],
    private readonly clock: Clock,
  ) {
    this.keys = [keyFrom(first), ...others.map(keyFrom)]
  }

  /** Returns the token in the URL that bytes are put to. */
  forPut(uploadId: string): string {
    const expiresMs = this.clock.nowMs() + PUT_LIFETIME_MS
    return writeUploadToken({ purpose: 'put', uploadId, expiresMs }, this.keys[0])
  }

  /** Returns the token of a commit. */
  forCommit(uploadId: string): string {
    const expiresMs = this.clock.nowMs() + COMMIT_LIFETIME_MS
    return writeUploadToken({ purpose: 'commit', uploadId, expiresMs }, this.keys[0])
  }

  /**
   * Returns the upload that bytes may be put to.
   *
   * @param started whether the PUT has started: it may finish after the token has expired
   * @throws OperationError `upload_url_invalid`
   */
  readPut(token: string, started: boolean): string {
    const ticket = readUploadToken(token, 'put', this.keys)
    if (!ticket || (!started && ticket.expiresMs <= this.clock.nowMs())) throw uploadUrlInvalid()
    return ticket.uploadId
  }

  /** Returns the upload of a commit; undefined if the token is invalid. */
  readCommit(token: string): string | undefined {
    const ticket = readUploadToken(token, 'commit', this.keys)
    return ticket && ticket.expiresMs > this.clock.nowMs() ? ticket.uploadId : undefined
  }
}

function keyFrom({ key }: NamedKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', 'bearing upload tokens', 32))
}

export function uploadUrlInvalid(): OperationError {
  return new OperationError(
    'upload_url_invalid',
    'The upload URL is invalid or expired. Prepare the upload again, and put the file to the new URL.',
  )
}
