import { Buffer, isUtf8 } from 'node:buffer'
import { OperationError } from '@bearing/contracts/errors'

/**
 * Reads the JSON object that somebody outside has sent.
 *
 * @param bytes UTF-8; none at all is an object without fields
 * @throws OperationError `malformed_json`, `invalid_input` where it is something else than an object
 */
export function readJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const json = parse(bytes)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new OperationError('invalid_input', 'The body must be a JSON object.', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    })
  return json as Record<string, unknown> // an object, as was checked
}

function parse(bytes: Uint8Array): unknown {
  try {
    if (isUtf8(bytes))
      return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as unknown
  } catch {
    // Told below, as what is not even UTF-8.
  }
  throw new OperationError('malformed_json', 'The body is not well-formed JSON in UTF-8.')
}
