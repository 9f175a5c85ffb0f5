import { decode, encode, ExtData, ExtensionCodec } from '@msgpack/msgpack'

/** Type of a value, as Terraform writes it in JSON. */
export type Type =
  | 'string'
  | 'number'
  | 'bool'
  | readonly ['list' | 'set' | 'map', Type]
  | readonly ['object', Readonly<Record<string, Type>>]

/** A value that Terraform does not know before it applies a plan. */
export class Unknown {
  readonly isUnknown = true
}
export const UNKNOWN = new Unknown()

export type Value = null | string | number | boolean | Unknown | readonly Value[] | Values
export interface Values {
  readonly [name: string]: Value
}

/** Extension types of an unknown value: a plain one, and one of which something is known. */
const PLAIN = 0
const REFINED = 12

const codec = new ExtensionCodec()
for (const type of [PLAIN, REFINED]) codec.register({ type, encode: () => null, decode: () => UNKNOWN })

/** A value of any type, as the protocol sends it. */
export interface DynamicValue {
  readonly msgpack?: Uint8Array
  readonly json?: Uint8Array
}

/** Returns the attributes of a value; null: there is no object. */
export function readValues(dynamic: DynamicValue | null | undefined): Values | null {
  const { msgpack, json } = dynamic ?? {}
  if (msgpack && msgpack.length > 0)
    return decode(msgpack, { extensionCodec: codec, useBigInt64: false }) as Values | null // of an object type
  if (json && json.length > 0) return JSON.parse(Buffer.from(json).toString()) as Values | null
  return null
}

/** Writes an object with exactly the attributes of the types. */
export function writeValues(
  values: Values | null,
  types: Readonly<Record<string, Type>>,
): { msgpack: Uint8Array } {
  return { msgpack: encode(values && sendable(values, ['object', types]), { extensionCodec: codec }) }
}

function sendable(value: Value | undefined, type: Type): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Unknown) return new ExtData(PLAIN, new Uint8Array([0]))
  // Terraform reads decimals from text exactly, and from binary fractions not.
  if (type === 'number' && typeof value === 'number') return Number.isInteger(value) ? value : String(value)
  if (typeof type === 'string') return value
  const [kind, part] = type
  if (kind === 'object')
    return Object.fromEntries(
      Object.entries(part).map(([name, of]) => [name, sendable((value as Values)[name], of)]),
    )
  if (Array.isArray(value)) return value.map((item: Value) => sendable(item, part))
  return Object.fromEntries(
    Object.entries(value as Values).map(([name, item]) => [name, sendable(item, part)]),
  )
}

/** Returns whether two values are the same; the order of a set does not count. */
export function isSame(one: Value | undefined, other: Value | undefined, type: Type): boolean {
  return canonical(one, type) === canonical(other, type)
}

function canonical(value: Value | undefined, type: Type): string {
  if (value instanceof Unknown) return 'unknown'
  if (value === null || value === undefined) return 'null'
  if (typeof type === 'string') return JSON.stringify(type === 'number' ? Number(value) : moment(value))
  const [kind, part] = type
  if (Array.isArray(value)) {
    const items = value.map((item: Value) => canonical(item, part as Type)) // of a list or set
    return JSON.stringify(kind === 'set' ? items.toSorted() : items)
  }
  const names = kind === 'object' ? Object.keys(part) : Object.keys(value).toSorted()
  const values = value as Values
  return JSON.stringify(
    names.map((name) => [name, canonical(values[name], kind === 'object' ? (part[name] ?? 'string') : part)]),
  )
}

/** Returns a time in the one form that the API shows, and other text as it is. */
function moment(value: Value): Value {
  const isMoment = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i.test(value)
  return isMoment && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : value
}

/** Returns whether a value, or a part of it, is unknown. */
export function hasUnknown(value: Value | undefined): boolean {
  if (value instanceof Unknown) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown)
}
