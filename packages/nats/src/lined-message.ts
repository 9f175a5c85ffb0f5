import { Buffer } from 'node:buffer'
import { malformedJson, readJson } from './calls/json-object.js'

// A message with several parts: a line of JSON that describes them, then the parts, each as long as the line says. Lengths are counted,
// so no part can be taken for the line or for another part.

/** Writes a message of several parts. */
export function joinParts(head: string, parts: readonly Uint8Array[]): Buffer {
  const line = `${head}\n`
  let at = Buffer.byteLength(line)
  const message = Buffer.allocUnsafe(parts.reduce((length, part) => length + part.length, at))
  message.write(line)
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  return message
}

/**
 * Divides a message into what its line contains and the bytes after it.
 *
 * @throws OperationError `malformed_json`
 */
export function readLine(message: Uint8Array): { readonly head: unknown; readonly body: Buffer } {
  const all = Buffer.from(message.buffer, message.byteOffset, message.length)
  const end = all.indexOf('\n')
  if (end === -1) throw malformedJson()
  return { head: readJson(all.subarray(0, end)), body: all.subarray(end + 1) }
}

/** Returns the parts of these lengths; undefined if there are more or fewer bytes. */
export function cutParts(body: Buffer, lengths: readonly number[]): Buffer[] | undefined {
  let at = 0
  const parts = lengths.map((length) => body.subarray(at, (at += length)))
  return at === body.length ? parts : undefined
}
