import { z } from 'zod'
import type { Attribute, Attributes } from '../schema/attributes.js'
import { hasUnknown, isSame, UNKNOWN, type Value, type Values } from '../wire/value.js'

/** A mistake in a configuration. */
export interface Mistake {
  readonly attribute: string
  readonly detail: string
}

/** Returns what the contract does not accept, before anything is sent. Unknown values are checked later, by the server. */
export function mistakesIn(config: Values, attributes: Attributes): readonly Mistake[] {
  return [...attributes.values()].flatMap((attribute) => mistakeIn(config[attribute.name], attribute))
}

function mistakeIn(value: Value | undefined, { name, schema, type }: Attribute): Mistake[] {
  if (value === null || value === undefined || hasUnknown(value) || !schema) return []
  const parsed = z.safeParse(schema, type === 'number' ? Number(value) : value)
  if (!parsed.success)
    return parsed.error.issues.map(({ message, path }) => ({
      attribute: name,
      detail: `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`,
    }))
  const normal = parsed.data as Value
  const isWritten = typeof normal !== 'string' || isSame(normal, value, type)
  return isWritten ? [] : [{ attribute: name, detail: `Write it as ${JSON.stringify(normal)}.` }]
}

export interface Plan {
  readonly planned: Values
  /** Attributes whose change needs another object. */
  readonly replaces: readonly string[]
}

/** Plans what a resource will be. @param prior null: there is none yet */
export function plan(prior: Values | null, config: Values, attributes: Attributes): Plan {
  const planned = Object.fromEntries(
    [...attributes.values()].map((attribute) => [attribute.name, plannedValue(prior, config, attribute)]),
  )
  const replaces = [...attributes.values()]
    .filter(({ name, type, replaces: needs }) => prior && needs && !isSame(prior[name], planned[name], type))
    .map(({ name }) => name)
  return { planned, replaces }
}

function plannedValue(prior: Values | null, config: Values, attribute: Attribute): Value {
  const { name, byDefault, isWriteOnly } = attribute
  if (isWriteOnly) return null
  const set = config[name] ?? null
  if (set !== null) return set
  if (byDefault !== undefined) return byDefault
  return prior ? (prior[name] ?? null) : UNKNOWN
}

/**
 * Returns the state after the API has shown a resource.
 *
 * @param before what was planned, or the state before: the source of what the API does not show
 */
export function stateOf(shown: Values, before: Values, attributes: Attributes): Values {
  return Object.fromEntries(
    [...attributes.values()].map(({ name, type, isWriteOnly, isKept, byDefault }) => {
      const earlier = before[name] ?? null
      if (isWriteOnly) return [name, null]
      if (isKept) return [name, earlier ?? byDefault ?? null]
      const value = shown[name] ?? null
      return [name, isSame(earlier, value, type) ? earlier : value]
    }),
  )
}
