const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
/** Bytes to search one by one: starting a native search costs as much as about 100 bytes. */
const SHORT_LINE = 64

/** By byte: whether it can be in the name of a header (a token of RFC 9110 §5.6.2). */
const IN_NAME = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/** Returns where the LF of a line is, or the length of the buffer if there is none. */
export function lineEnd(bytes: Buffer, from: number): number {
  const short = Math.min(from + SHORT_LINE, bytes.length)
  for (let at = from; at < short; at++) if (bytes[at] === LF) return at
  const found = bytes.indexOf(LF, short)
  return found < 0 ? bytes.length : found
}

/** Returns where the LF of a header line is: a name, blanks, a colon and text. Undefined if the line is no header. */
export function headerEnd(bytes: Buffer, from: number): number | undefined {
  let at = from
  while (IN_NAME[bytes[at] ?? 0] === 1) at++
  if (at === from) return undefined
  while (isBlank(bytes[at])) at++
  if (bytes[at] !== COLON) return undefined
  at++
  while (isText(bytes[at])) at++
  if (bytes[at] === CR) at++
  return bytes[at] === LF ? at : undefined
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}

function isText(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x09 || (byte >= 0x20 && byte !== 0x7f))
}
