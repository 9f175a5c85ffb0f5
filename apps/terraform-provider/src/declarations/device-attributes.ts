import type { Value, Values } from '../wire/value.js'
import type { Call } from './resource.js'

/** Returns the values of attributes as text, the one type of a map in Terraform. */
export function attributesAsText({ attributes = null }: Values): Values {
  const entries = Object.entries((attributes ?? {}) as Values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { attributes: Object.fromEntries(entries) as Values }
}

/** Writes values of attributes, which are text in Terraform, as their declared types; removed ones are null. */
export async function withDeclaredTypes(input: Values, prior: Values, call: Call): Promise<Values> {
  const { project_id = null, attributes = null } = input
  if (attributes === null) return input
  const { data = null } = await call('listAttributes', { project_id, per_page: 100 })
  const types = new Map((data as readonly Values[]).map(({ name = null, type = null }) => [name, type]))
  const written = Object.entries(attributes as Values).map(([name, value]) => [
    name,
    typed(value, types.get(name)),
  ])
  const removed = Object.keys((prior['attributes'] ?? {}) as Values).map((name) => [name, null])
  return { ...input, attributes: Object.fromEntries([...removed, ...written]) as Values }
}

function typed(value: Value, type: Value | undefined): Value {
  if (type === 'number') return Number(value)
  return type === 'boolean' && typeof value === 'string' ? value === 'true' : value
}
