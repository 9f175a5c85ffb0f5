import { OperationError } from '@bearing/contracts/errors'
import { MAX_CHUNKS } from '@bearing/contracts/management/chunk'
import { isIdentityCoding } from '../forward/read-input.js'
import { splitMultipart } from './split-multipart.js'

const BOUNDARY = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))/i
/** RFC 2046 has 70; some clients make longer ones. */
const MAX_BOUNDARY = 200
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Headers that say what a body is. */
export interface BodyHeaders {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
}

/**
 * The chunks of a request: its body, or the parts of it.
 *
 * @returns none where the body is empty
 * @throws OperationError `unsupported_media_type`, or `malformed_chunks` where the body is not what its headers say
 */
export function readChunks(headers: BodyHeaders, body: Uint8Array | undefined): readonly Uint8Array[] {
  if (!body || body.length === 0) return []
  const { 'content-type': type = '', 'content-encoding': coding = '' } = headers
  const media = (type.split(';')[0] ?? '').trim().toLowerCase()
  if (media !== '' && media !== 'application/octet-stream' && media !== 'multipart/mixed')
    throw new OperationError(
      'unsupported_media_type',
      'Send one chunk as application/octet-stream, or several as multipart/mixed.',
    )
  const bytes = decode(coding.trim().toLowerCase(), body)
  const chunks = media === 'multipart/mixed' ? splitMultipart(bytes, boundaryOf(type), MAX_CHUNKS) : [bytes]
  return chunks.filter(({ length }) => length > 0)
}

function decode(coding: string, body: Uint8Array): Uint8Array {
  if (isIdentityCoding(coding)) return body
  if (coding !== 'base64')
    throw new OperationError('unsupported_media_type', 'Send the body as it is, or in base64.')
  // Line ends in between are usual, and padding is often left out.
  const text = Buffer.from(body).toString('latin1').replaceAll(/\s+/g, '')
  if (!BASE64.test(text) || text.replace(/=+$/, '').length % 4 === 1)
    throw new OperationError(
      'malformed_chunks',
      'The body is not base64, though its Content-Encoding says so.',
    )
  return Buffer.from(text, 'base64')
}

function boundaryOf(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY)
    throw new OperationError(
      'malformed_chunks',
      'The Content-Type multipart/mixed names no boundary, or one that is too long.',
    )
  return boundary
}
