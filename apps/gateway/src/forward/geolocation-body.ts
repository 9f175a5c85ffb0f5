import { gunzipSync } from 'node:zlib'
import { OperationError } from '@bearing/contracts/errors'

/** What some programs write in front of UTF-8. */
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf)
const GZIP = /^(?:x-)?gzip$/i

/**
 * The body of a client that was written for another service. Those do not look at the content type, so their clients send any,
 * as often that of forms, which their libraries send unless told otherwise; and they take gzip. The body is JSON all the same.
 *
 * That a page of another site can send such types too is no danger where no cookie is a credential: routes of devices.
 *
 * @param coding `Content-Encoding`
 * @param limit the most bytes that there may be without gzip; no more than those are ever unpacked
 * @throws OperationError `payload_too_large`, `malformed_json` where it is no gzip though it says so
 */
export function foreignBody(body: Buffer, coding: string, limit: number): Buffer {
  const plain = GZIP.test(coding.trim()) ? unpack(body, limit) : body
  const hasMark = plain.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  return hasMark ? plain.subarray(BYTE_ORDER_MARK.length) : plain
}

function unpack(body: Buffer, limit: number): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new OperationError(
        'payload_too_large',
        'The body is larger than this address takes, once unpacked.',
      )
    throw new OperationError('malformed_json', 'The body is announced as gzip, and is none.')
  }
}
