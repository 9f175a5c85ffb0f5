import { OperationError } from '@bearing/contracts/errors'
import { headerEnd, lineEnd } from './header-line.js'

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
const SPACE = 0x20
const TAB = 0x09
const CONTENT_LENGTH = /content-length[ \t]*:[ \t]*(\d{1,9})/i
/** Lines of headers that a part can have. More lines without an empty one are data, or malformed. */
const MAX_HEADER_LINES = 32
/** Bytes of headers that all parts together can have. */
const MAX_HEADER_BYTES = 262_144

interface Delimiter {
  /** The end of the part before it: where the line break in front of the delimiter begins. */
  readonly end: number
  /** Start of the next line. */
  readonly next: number
  /** True if it is the last delimiter. */
  readonly last: boolean
}

/**
 * Splits a multipart body (RFC 2046 §5.1) into its parts, as tolerantly as small clients need it: parts may have any headers,
 * none, or headers without a line break between them; lines may end with LF alone. If a delimiter follows at the end of the
 * `Content-Length` of a part, that length is used, so a part can contain the boundary. Parts without content are left out.
 *
 * Looks at each byte a few times at most, whatever the boundary is: headers end at the next delimiter.
 *
 * @param boundary of the Content-Type, without the leading "--"
 * @param maxParts includes parts without content
 * @returns views of the body
 * @throws OperationError `malformed_chunks` if the boundary is missing, the body ends within a part, or there are too many
 *   parts or headers
 */
export function splitMultipart(body: Uint8Array, boundary: string, maxParts: number): Uint8Array[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  let at = findDelimiter(bytes, delimiter, 0)
  if (!at) throw malformed('The boundary that the Content-Type names is not in the body.')
  const parts: Uint8Array[] = []
  let [count, headerBytes] = [0, 0]
  while (!at.last && at.next < bytes.length) {
    const { start, length } = readHeaders(bytes, delimiter, at.next)
    headerBytes += start - at.next
    if (headerBytes > MAX_HEADER_BYTES)
      throw malformed(`The headers of all parts have more than ${String(MAX_HEADER_BYTES)} bytes.`)
    const next: Delimiter | undefined =
      (length === undefined ? undefined : delimiterAfter(bytes, delimiter, start + length)) ??
      findDelimiter(bytes, delimiter, start)
    if (!next) throw malformed('The body ends within a part: its last boundary is missing.')
    if (++count > maxParts)
      throw malformed(`The request has more than ${String(maxParts)} parts. Send them in several requests.`)
    if (next.end > start) parts.push(bytes.subarray(start, next.end))
    at = next
  }
  return parts
}

/** @param from where a line begins */
function findDelimiter(bytes: Buffer, delimiter: Buffer, from: number): Delimiter | undefined {
  for (let line = from; line < bytes.length; line = lineEnd(bytes, line) + 1) {
    const found = delimiterAt(bytes, delimiter, line)
    if (found) return { ...found, end: line > 1 && bytes[line - 2] === CR ? line - 2 : Math.max(0, line - 1) }
  }
  return undefined
}

/** The delimiter right after a part of a known length, with or without a line break in between. */
function delimiterAfter(bytes: Buffer, delimiter: Buffer, end: number): Delimiter | undefined {
  let at = end
  if (bytes[at] === CR) at++
  if (bytes[at] === LF) at++
  const found = delimiterAt(bytes, delimiter, at)
  return found && { ...found, end }
}

/** A delimiter is followed by "--" if it is the last one, else by blanks and the end of the line. */
function delimiterAt(
  bytes: Buffer,
  delimiter: Buffer,
  start: number,
): Pick<Delimiter, 'next' | 'last'> | undefined {
  for (let i = 0; i < delimiter.length; i++) if (bytes[start + i] !== delimiter[i]) return undefined
  const after = start + delimiter.length
  if (bytes[after] === DASH && bytes[after + 1] === DASH) return { next: after + 2, last: true }
  let at = after
  while (bytes[at] === SPACE || bytes[at] === TAB) at++
  if (at === bytes.length) return { next: at, last: false }
  if (bytes[at] === CR && bytes[at + 1] === LF) return { next: at + 2, last: false }
  return bytes[at] === LF ? { next: at + 1, last: false } : undefined
}

/** Start of the content of a part, and the length that its headers declare. */
interface PartHeaders {
  readonly start: number
  readonly length?: number
}

/**
 * Headers end with an empty line, and in any case at the next delimiter. Without an empty line, lines that name the content
 * (`Content-…`) are headers all the same, and everything else is content.
 */
function readHeaders(bytes: Buffer, delimiter: Buffer, from: number): PartHeaders {
  let at = from
  let lines = 0
  while (!delimiterAt(bytes, delimiter, at)) {
    if (bytes[at] === LF) return headersUntil(bytes, from, at, at + 1)
    if (bytes[at] === CR && bytes[at + 1] === LF) return headersUntil(bytes, from, at, at + 2)
    const end = headerEnd(bytes, at)
    if (end === undefined) break
    if (++lines > MAX_HEADER_LINES) return withoutEnd(bytes, from)
    at = end + 1
  }
  return lines > 0 && namesContent(bytes, from) ? headersUntil(bytes, from, at, at) : { start: from }
}

function withoutEnd(bytes: Buffer, from: number): PartHeaders {
  if (namesContent(bytes, from))
    throw malformed(`A part has more than ${String(MAX_HEADER_LINES)} lines of headers.`)
  return { start: from }
}

function headersUntil(bytes: Buffer, from: number, end: number, start: number): PartHeaders {
  const declared = CONTENT_LENGTH.exec(bytes.toString('latin1', from, end))?.[1]
  return declared === undefined ? { start } : { start, length: Number(declared) }
}

function namesContent(bytes: Buffer, from: number): boolean {
  return bytes.toString('latin1', from, from + 'content-'.length).toLowerCase() === 'content-'
}

function malformed(detail: string): OperationError {
  return new OperationError('malformed_chunks', detail)
}
