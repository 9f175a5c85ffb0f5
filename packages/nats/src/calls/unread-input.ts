import { readJsonObject } from './json-object.js'

/** An input that was not read on its way: a JSON object as somebody outside has sent it. */
export interface UnreadInput {
  /** UTF-8, which nobody has looked at. */
  readonly json: Uint8Array
  /** Fields that count in the place of those of the same name, whatever the object says; null: there is none of that name. */
  readonly over: Readonly<Record<string, unknown>>
}

/**
 * Reads it.
 *
 * @throws OperationError `malformed_json`, `invalid_input`
 */
export function readUnread({ json, over }: UnreadInput): Record<string, unknown> {
  const input = { ...readJsonObject(json), ...over }
  for (const [name, value] of Object.entries(over)) if (value === null) Reflect.deleteProperty(input, name)
  return input
}
