import { OperationError } from '@bearing/contracts/errors'
import { MAX_CHUNKS } from '@bearing/contracts/management/data/chunk'
import { isIdentityCoding } from '../forward/read-input.js'
import { splitMultipart } from './split-multipart.js'

const BOUNDARY = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))/i
/** RFC 2046 allows 70; some clients send longer ones. */
const MAX_BOUNDARY = 200
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export interface BodyHeaders {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
}

/**
 * Returns the chunks of a request: its body, or the parts of a multipart body; none if the body is empty.
 *
 * @throws OperationError `unsupported_media_type`, or `malformed_chunks` if the body contradicts its headers
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
    throw new OperationError(
      'unsupported_media_type',
      'Send the body without a Content-Encoding, or as base64.',
    )
  // Base64 often has line breaks and no padding.
  const text = Buffer.from(body).toString('latin1').replaceAll(/\s+/g, '')
  if (!BASE64.test(text) || text.replace(/=+$/, '').length % 4 === 1)
    throw new OperationError('malformed_chunks', 'The Content-Encoding is base64, but the body is not.')
  return Buffer.from(text, 'base64')
}

function boundaryOf(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY)
    throw new OperationError(
      'malformed_chunks',
      'The Content-Type multipart/mixed has no boundary, or one that is too long.',
    )
  return boundary
}
