import { OperationError } from '@bearing/contracts/errors'
import { Inflation, InflationError, MOST_PER_BYTE } from '@bearing/service/ground/inflation'
import { isGzip } from '../server/bodies/charge-compressed.js'

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf)
/**
 * Objects and lists that a body may have, and bytes for each further one: an access point is written in 45 or more. Parsing 100,000 takes
 * some 20 ms of the event loop.
 */
const FREE_CONTAINERS = 100_000
const BYTES_PER_CONTAINER = 40
const BRACE = 0x7b
const BRACKET = 0x5b

/**
 * Returns the JSON body of a client that was written for another geolocation service. Those services ignore the content type
 * and accept gzip, so clients send any type. A page of another site can send such types too, which is safe because no cookie is
 * a credential on routes of devices.
 *
 * @param coding `Content-Encoding`
 * @param limit largest body in bytes, uncompressed; no more is ever decompressed
 * @param inflation counts what a compressed body costs
 * @throws OperationError `payload_too_large` for too many bytes, objects or lists, `malformed_json` if it is not the gzip that
 *   it claims to be
 */
export function geolocationBody(
  body: Buffer,
  coding: string,
  limit: number,
  inflation = new Inflation({ maxBytes: limit }),
): Buffer {
  const plain = isGzip(coding) ? decompress(body, inflation) : body
  refuseCostly(plain)
  const hasMark = plain.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  return hasMark ? plain.subarray(BYTE_ORDER_MARK.length) : plain
}

/** Refuses a body of a few bytes for each object, which takes 40 times as long to parse as its size suggests. */
function refuseCostly(body: Buffer): void {
  if (body.length <= FREE_CONTAINERS) return
  const most = Math.max(FREE_CONTAINERS, body.length / BYTES_PER_CONTAINER)
  let containers = 0
  for (const byte of body)
    if ((byte === BRACE || byte === BRACKET) && ++containers > most)
      throw new OperationError(
        'payload_too_large',
        'The body has more objects and lists than this route accepts.',
      )
}

function decompress(body: Buffer, inflation: Inflation): Buffer {
  try {
    return inflation.all(body)
  } catch (error) {
    if (!(error instanceof InflationError) || error.fault === 'damaged')
      throw new OperationError('malformed_json', 'The Content-Encoding is gzip, but the body is not.')
    throw new OperationError(
      'payload_too_large',
      error.fault === 'too_dense'
        ? `The decompressed body is more than ${String(MOST_PER_BYTE)} times as large as the body. Send it without compression.`
        : 'The decompressed body is larger than this route accepts.',
    )
  }
}
