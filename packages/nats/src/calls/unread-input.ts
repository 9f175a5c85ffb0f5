import { Buffer } from 'node:buffer'
import { readJsonObject } from './json-object.js'

/** An input that was not read on its way: a JSON object as somebody outside has sent it. */
export interface UnreadInput {
  /** UTF-8, which nobody has looked at. */
  readonly json: Uint8Array
  /** Fields that count in the place of those of the same name, whatever the object says; null: there is none of that name. */
  readonly over: Readonly<Record<string, unknown>>
}

/**
 * Reads it. Only what devices send is handed on unread, so integers beyond 2^53 are read as text.
 *
 * @throws OperationError `malformed_json`, `invalid_input`
 */
export function readUnread({ json, over }: UnreadInput): Record<string, unknown> {
  const input = { ...readJsonObject(json, 'as_text'), ...over }
  for (const [name, value] of Object.entries(over)) if (value === null) Reflect.deleteProperty(input, name)
  return input
}

/** Characters of JSON in ASCII. */
const [OBJECT_START, OBJECT_END] = [0x7b, 0x7d]
const BLANKS: readonly number[] = [0x20, 0x0a, 0x0d, 0x09]

/**
 * Returns the text of an input that says the same, without reading it: the fields that count are put behind those of the object, and the last
 * field of a name is the one that counts. It is JSON if, and only if, the input is a JSON object. A number that no double holds is not
 * refused in a field that does not count.
 *
 * @returns undefined where fields are removed, or the text does not end as an object
 */
export function joinUnread({ json, over }: UnreadInput): Buffer | undefined {
  const fields = JSON.stringify(over)
  const end = lastOf(json, json.length)
  if (json[end] !== OBJECT_END || Object.values(over).includes(null)) return undefined
  if (fields === '{}') return Buffer.from(json.buffer, json.byteOffset, json.length)
  const isEmpty = json[lastOf(json, end)] === OBJECT_START
  return Buffer.concat([json.subarray(0, end), Buffer.from(`${isEmpty ? '' : ','}${fields.slice(1)}`)])
}

/** Returns where the last byte before a place is that is no blank; −1 if there is none. */
function lastOf(json: Uint8Array, before: number): number {
  let at = before - 1
  while (BLANKS.includes(json[at] ?? 0)) at--
  return at
}
