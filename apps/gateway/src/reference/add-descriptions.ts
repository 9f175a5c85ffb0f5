import { FIELD_DESCRIPTIONS } from './field-descriptions.js'

type Json = Record<string, unknown>

/** The keywords of JSON Schema whose values are schemas, or lists of them. */
const NESTED = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'] as const

/** Adds {@link FIELD_DESCRIPTIONS} to the properties of a schema, at any depth, that have no description of their own. */
export function addDescriptions(schema: unknown): void {
  if (Array.isArray(schema)) for (const part of schema) addDescriptions(part)
  if (!isObject(schema) || Array.isArray(schema)) return
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    property['description'] ??= FIELD_DESCRIPTIONS[name]
    addDescriptions(property)
  }
  for (const keyword of NESTED) addDescriptions(schema[keyword])
}

/** Returns a parameter with the description of its schema, or the one for its name. */
export function parameter(name: string, place: 'path' | 'query', schema: unknown, required: boolean): Json {
  const own = isObject(schema) ? schema['description'] : undefined
  return { name, in: place, required, description: own ?? FIELD_DESCRIPTIONS[name], schema }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
