import { Buffer, isUtf8 } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'

/**
 * Reads the JSON object that somebody has sent.
 *
 * @param bytes none at all are an object without fields
 * @throws OperationError `malformed_json`, `invalid_input` where it is something else than an object
 */
export function readJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const json = readJson(bytes)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new OperationError('invalid_input', 'The body must be a JSON object.', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    })
  return json as Record<string, unknown> // an object, as was checked
}

/** @throws OperationError `malformed_json` where the bytes are not JSON in UTF-8 */
export function readJson(bytes: Uint8Array): unknown {
  try {
    if (isUtf8(bytes))
      return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as unknown
  } catch {
    // Reported below, as invalid UTF-8 is.
  }
  throw malformedJson()
}

/** What was sent is not JSON. */
export function malformedJson(): OperationError {
  return new OperationError('malformed_json', 'The body is not well-formed JSON in UTF-8.')
}
