import type { Operation } from '@bearing/contracts/operation'
import { z } from 'zod'
import type { Type, Value } from '../wire/value.js'

/** A field of a contract, as Terraform needs it. */
export interface Field {
  readonly type: Type
  readonly description: string
  readonly isRequired: boolean
  readonly isNullable: boolean
  /** Undefined: none. */
  readonly byDefault: Value | undefined
  readonly schema: z.core.$ZodType
}

/** The part of JSON Schema that is read. */
interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string
  readonly description?: string
  readonly default?: Value
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
}

/** Fields that the gateway or the client fills. */
const FILLED = new Set(['organization_id', 'idempotency_key', 'page', 'per_page', 'cursor'])

/** Returns the fields that a caller sends. */
export function inputFields({ input }: Operation): ReadonlyMap<string, Field> {
  return fieldsOf(input)
}

/** Returns the fields of an object. */
export function fieldsOf(object: z.core.$ZodType): ReadonlyMap<string, Field> {
  if (!(object instanceof z.ZodObject)) return new Map()
  const shape = object.shape as Readonly<Record<string, z.ZodType>>
  const fields = Object.entries(shape).filter(([name]) => !FILLED.has(name))
  return new Map(fields.map(([name, schema]) => [name, fieldOf(schema)]))
}

function fieldOf(schema: z.ZodType): Field {
  const json = inlined(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  const parts = json.anyOf ?? [json]
  const isNullable = schema.safeParse(null).success
  const byDefault = json.default
  return {
    type: typeOf(json),
    description: withChoices(json, parts),
    isRequired: !schema.safeParse(undefined).success,
    isNullable,
    byDefault,
    schema,
  }
}

/** Replaces references to named schemas by these. */
function inlined<Part>(part: Part, defs: JsonSchema['$defs'] = (part as JsonSchema).$defs ?? {}): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((item: unknown) => inlined(item, defs)) as Part
  const { $ref, ...own } = part as JsonSchema
  const named = defs[$ref?.split('/').at(-1) ?? '']
  const entries = Object.entries({ ...named, ...own }).filter(([name]) => name !== '$defs')
  return Object.fromEntries(
    entries.map(([name, of]) => [name, inlined(name === 'type' ? oneOf(of) : of, defs)]),
  ) as Part
}

/** Nullable scalars have two types. */
function oneOf(type: unknown): unknown {
  return Array.isArray(type) ? type.find((name) => name !== 'null') : type
}

/** Returns the type of a JSON Schema. Terraform has no unions: those of scalars are text. */
function typeOf(json: JsonSchema): Type {
  const parts = (json.anyOf ?? [json]).filter(({ type }) => type !== 'null')
  const [part = {}] = parts
  if (parts.length > 1) return 'string'
  if (part.anyOf) return typeOf(part)
  switch (part.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'bool'
    case 'array':
      return ['set', typeOf(part.items ?? {})]
    case 'object':
      if (!part.properties) return ['map', typeOf(part.additionalProperties ?? {})]
      return [
        'object',
        Object.fromEntries(Object.entries(part.properties).map(([name, of]) => [name, typeOf(of)])),
      ]
    default:
      return 'string'
  }
}

function withChoices({ description = '' }: JsonSchema, parts: readonly JsonSchema[]): string {
  const choices = parts.find((part) => part.enum)?.enum ?? []
  if (choices.length === 0 || choices.length > 8) return description
  return `${description} One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.`.trim()
}
