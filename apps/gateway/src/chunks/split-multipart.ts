import { OperationError } from '@bearing/contracts/errors'

const LF = 0x0a
const CR = 0x0d
/** What a line of a header is: a token, a colon, and text. */
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*:[\t\x20-\x7e\x80-\xff]*$/
const CONTENT_LENGTH = /content-length[ \t]*:[ \t]*(\d{1,9})/i
/** No block of headers is longer, in bytes; what looks like one is data. */
const MAX_HEADERS = 16_384

/** A line that parts begin or end with. */
interface Delimiter {
  /** Where the line break before it begins: the end of the part. */
  readonly end: number
  /** Where the next line begins. */
  readonly next: number
  /** Whether it is the last one. */
  readonly last: boolean
}

/**
 * Cuts a multipart body (RFC 2046 §5.1) into its parts, as tolerantly as small clients need it: parts may have any headers, none,
 * or ones that ran into each other; lines may end with LF alone. A `Content-Length` of a part is believed where a boundary
 * follows right there, so that a part may hold the boundary itself. Parts without content are left out.
 *
 * @param boundary as the Content-Type names it, without the leading "--"
 * @param atMost parts that there may be, those without content included: what is behind them is not looked at
 * @returns the parts, as views of the body
 * @throws OperationError `malformed_chunks` where the boundary is not there, the body ends within a part, or there are more
 */
export function splitMultipart(body: Uint8Array, boundary: string, atMost: number): Uint8Array[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  let at = findDelimiter(bytes, delimiter, 0)
  if (!at) throw malformed('The boundary that the Content-Type names is not in the body.')
  const parts: Uint8Array[] = []
  let count = 0
  while (!at.last && at.next < bytes.length) {
    const { start, length } = readHeaders(bytes, at.next)
    const next: Delimiter | undefined =
      (length === undefined ? undefined : delimiterAfter(bytes, delimiter, start + length)) ??
      findDelimiter(bytes, delimiter, start)
    if (!next) throw malformed('The body ends within a part: its last boundary is missing.')
    if (++count > atMost)
      throw malformed(`There are more parts in one request than ${String(atMost)}: send them in several.`)
    if (next.end > start) parts.push(bytes.subarray(start, next.end))
    at = next
  }
  return parts
}

/** The first delimiter that stands at the beginning of a line. */
function findDelimiter(bytes: Buffer, delimiter: Buffer, from: number): Delimiter | undefined {
  for (let i = bytes.indexOf(delimiter, from); i >= 0; i = bytes.indexOf(delimiter, i + 1)) {
    const startsLine = i === 0 || bytes[i - 1] === LF
    const line = startsLine ? delimiterLine(bytes, delimiter, i) : undefined
    if (line) return { ...line, end: i > 1 && bytes[i - 2] === CR ? i - 2 : Math.max(0, i - 1) }
  }
  return undefined
}

/** The delimiter right after a part of a known length, with or without a line break in between. */
function delimiterAfter(bytes: Buffer, delimiter: Buffer, end: number): Delimiter | undefined {
  let at = end
  if (bytes[at] === CR) at++
  if (bytes[at] === LF) at++
  const found = bytes.subarray(at, at + delimiter.length).equals(delimiter)
  const line = found ? delimiterLine(bytes, delimiter, at) : undefined
  return line && { ...line, end }
}

/** What follows a delimiter: "--" where it is the last, else blanks and the end of the line. */
function delimiterLine(
  bytes: Buffer,
  delimiter: Buffer,
  start: number,
): Pick<Delimiter, 'next' | 'last'> | undefined {
  const after = start + delimiter.length
  if (bytes[after] === 0x2d && bytes[after + 1] === 0x2d) return { next: after + 2, last: true }
  let at = after
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++
  if (at === bytes.length) return { next: at, last: false }
  if (bytes[at] === CR && bytes[at + 1] === LF) return { next: at + 2, last: false }
  return bytes[at] === LF ? { next: at + 1, last: false } : undefined
}

/**
 * Where the content of a part begins, and the length that its headers tell. Headers end with an empty line; where there is
 * none, lines that name the content (`Content-…`) are headers all the same, and everything else is content.
 */
function readHeaders(bytes: Buffer, from: number): { readonly start: number; readonly length?: number } {
  let at = from
  const lines: string[] = []
  for (;;) {
    const end = bytes.indexOf(LF, at)
    const line = end < 0 ? undefined : bytes.toString('latin1', at, bytes[end - 1] === CR ? end - 1 : end)
    if (line === '') return { start: end + 1, ...lengthOf(lines) }
    if (line === undefined || !HEADER.test(line) || end - from > MAX_HEADERS) break
    lines.push(line)
    at = end + 1
  }
  return /^content-/i.test(lines[0] ?? '') ? { start: at, ...lengthOf(lines) } : { start: from }
}

function lengthOf(lines: readonly string[]): { readonly length?: number } {
  const told = CONTENT_LENGTH.exec(lines.join('\n'))?.[1]
  return told === undefined ? {} : { length: Number(told) }
}

function malformed(detail: string): OperationError {
  return new OperationError('malformed_chunks', detail)
}
