import { Buffer, isUtf8 } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'
import type { Operation } from '@bearing/contracts/operation'
import { NumberError, parseJson } from '@bearing/contracts/text/parse-json'
import { invalidInput } from './validate.js'

/** Treatment of integers: see {@link parseJson}. Devices are not refused for an integer that they need not have sent. */
export type Integers = Parameters<typeof parseJson>[1]

/** Returns how the numbers of an operation's input are read. */
export function integersOf({ lenient }: Pick<Operation, 'lenient'>): Integers {
  return lenient ? 'as_text' : 'refuse'
}

/**
 * Reads the JSON object that somebody has sent.
 *
 * @param bytes none at all are an object without fields
 * @throws OperationError `malformed_json`, `invalid_input` where it is something else than an object
 */
export function readJsonObject(bytes: Uint8Array, integers?: Integers): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const json = readJson(bytes, integers)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new OperationError('invalid_input', 'The body must be a JSON object.', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    })
  return json as Record<string, unknown> // an object, as was checked
}

/** @throws OperationError `malformed_json` where the bytes are not JSON in UTF-8, `invalid_input` for a number that would change */
export function readJson(bytes: Uint8Array, integers?: Integers): unknown {
  if (!isUtf8(bytes)) throw malformedJson()
  return readJsonText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'), integers)
}

/** @throws OperationError as {@link readJson} */
export function readJsonText(text: string, integers?: Integers): unknown {
  try {
    return parseJson(text, integers)
  } catch (error) {
    if (error instanceof NumberError) throw invalidInput([{ pointer: error.pointer, detail: error.message }])
    throw malformedJson()
  }
}

/** Returns the error for a body that is not JSON. */
export function malformedJson(): OperationError {
  return new OperationError('malformed_json', 'The body is not well-formed JSON in UTF-8.')
}
