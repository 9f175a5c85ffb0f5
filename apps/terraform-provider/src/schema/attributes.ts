import { createPublicKey } from 'node:crypto'
import type { Operation } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'
import { z } from 'zod'
import type { Resource } from '../declarations/resource.js'
import { Unknown, type Type, type Value, type Values } from '../wire/value.js'
import { fieldsOf, inputFields, type Field } from './fields.js'

/** An attribute of a resource, a data source or the provider. */
export interface Attribute {
  readonly name: string
  readonly type: Type
  readonly description: string
  readonly mode: 'required' | 'optional' | 'optional-computed' | 'computed'
  /** Its default. Undefined: the server decides. */
  readonly byDefault?: Value | undefined
  /** Checks and normalizes a value. */
  readonly schema?: z.core.$ZodType | undefined
  readonly replaces?: boolean
  readonly isWriteOnly?: boolean
  readonly isSensitive?: boolean
  /** True if the API does not show it: the state keeps the planned value. */
  readonly isKept?: boolean
}

export type Attributes = ReadonlyMap<string, Attribute>

const known = new WeakMap<Resource, Attributes>()

/** Returns the attributes of a resource, by name. */
export function attributesOf(resource: Resource): Attributes {
  const cached = known.get(resource)
  if (cached) return cached
  const made = new Map(declared(resource).map((attribute) => [attribute.name, attribute]))
  known.set(resource, made)
  return made
}

export function typesOf(attributes: Attributes): Readonly<Record<string, Type>> {
  return Object.fromEntries([...attributes].map(([name, { type }]) => [name, type]))
}

export function operationOf(name: RouteName): Operation {
  const route: Route = ROUTES[name]
  return route.operation
}

/** Returns the names of the parameters in the path of a route. */
export function parametersOf(name: RouteName): readonly string[] {
  return [...ROUTES[name].path.matchAll(/:([a-z_]+)/g)].map(([, parameter = '']) => parameter)
}

/** Returns the fields of what a resource is read as: of an item, if it is found in a list. */
export function shownFields({ read }: Pick<Resource, 'read'>): ReadonlyMap<string, Field> {
  const { output } = operationOf('show' in read ? read.show : read.list)
  return fieldsOf('show' in read ? output : itemOf(output))
}

/** Returns the schema of the items of a page. */
export function itemOf(page: z.core.$ZodType): z.core.$ZodType {
  const { data } = page instanceof z.ZodObject ? (page.shape as Readonly<Record<string, unknown>>) : {}
  if (!(data instanceof z.ZodArray)) throw new Error('the operation returns no list')
  return data.element
}

/** Returns the fields of all contracts of a resource, also those that are no attributes. */
export function contractFields(resource: Resource): readonly string[] {
  const { create, update } = resource
  const created = [...inputFields(operationOf(create)).keys()]
  const changed = update ? [...inputFields(operationOf(update)).keys()] : []
  // Ids in the path, such as `webhook_id`, are the attribute `id`.
  const inPath = update ? parametersOf(update).flatMap((name) => [name, `${name}_id`]) : []
  const own = changed.filter((name) => !inPath.includes(name))
  return [...new Set([...created, ...own, ...shownFields(resource).keys()])]
}

function declared(resource: Resource): readonly Attribute[] {
  const created = inputFields(operationOf(resource.create))
  const changed = resource.update ? inputFields(operationOf(resource.update)) : new Map<string, Field>()
  const shown = shownFields(resource)
  const names = contractFields(resource).filter((name) => !(name in resource.without))
  const own = names.map((name): Attribute => {
    const of = { created: created.get(name), changed: changed.get(name), shown: shown.get(name) }
    return attributeOf(resource, name, of)
  })
  return [
    ...own,
    ...(resource.secrets ?? []).map(versionOf),
    ...onceOf(resource),
    ...(resource.isProtected ? [PROTECTION] : []),
    TIMEOUTS,
  ]
}

interface Fields {
  readonly created: Field | undefined
  readonly changed: Field | undefined
  readonly shown: Field | undefined
}

function attributeOf(resource: Resource, name: string, { created, changed, shown }: Fields): Attribute {
  const sent = created ?? changed
  const field = sent ?? shown
  if (!field) throw new Error(`${resource.name} has no field ${name}`)
  const isText = resource.json?.includes(name)
  const common = {
    name,
    type: isText ? ('string' as const) : (shown ?? field).type,
    description: [shown?.description, created?.description, changed?.description].find(Boolean) ?? '',
  }
  if (!sent) return { ...common, mode: 'computed' }
  const isSecret = resource.secrets?.includes(name) === true
  const byDefault = defaultOf(resource, name, sent, shown)
  return {
    ...common,
    mode: modeOf(sent, byDefault),
    ...{ byDefault, schema: isText ? undefined : sent.schema },
    replaces: !changed || ADDRESS.has(name),
    ...{
      isWriteOnly: isSecret,
      isSensitive: isSecret,
      isKept: !shown && !isSecret && resource.shownOtherwise?.includes(name) !== true,
    },
  }
}

/** Fields that say where something is: changing one means another object. */
const ADDRESS = new Set(['project_id', 'user_id', 'device_serial', 'domain', 'attribute'])

function defaultOf(
  { defaults, reset, decided }: Resource,
  name: string,
  sent: Field,
  shown: Field | undefined,
) {
  const declaredDefault = { ...reset, ...defaults }[name]
  if (declaredDefault !== undefined) return declaredDefault
  if (decided?.includes(name)) return undefined
  if (sent.byDefault !== undefined) return sent.byDefault
  return sent.isRequired && !sent.isNullable ? undefined : !shown || shown.isNullable ? null : undefined
}

function modeOf(sent: Field, byDefault: Value | undefined): Attribute['mode'] {
  if (byDefault === null) return 'optional'
  if (byDefault !== undefined) return 'optional-computed'
  return sent.isRequired ? 'required' : 'optional-computed'
}

function versionOf(secret: string): Attribute {
  return {
    ...{ name: `${secret}_version`, type: 'number', mode: 'optional', byDefault: null, isKept: true },
    description: `Change it to send \`${secret}\` again: Terraform does not store the secret.`,
  }
}

/** Returns the attributes of a secret that is shown once. */
function onceOf({ shownOnce }: Resource): Attribute[] {
  if (!shownOnce) return []
  const key: Attribute = {
    ...{
      name: 'public_key',
      type: 'string',
      mode: 'optional',
      byDefault: null,
      isKept: true,
      replaces: true,
      schema: z.string().refine(isRsa, 'must be an RSA public key in PEM'),
    },
    description: `RSA public key (PEM) that the ${shownOnce} is encrypted with. Without one it is not in the state, and cannot be read later.`,
  }
  const encrypted: Attribute = {
    ...{ name: `encrypted_${shownOnce}`, type: 'string', mode: 'computed', isKept: true },
    description: `The ${shownOnce}, for \`rsadecrypt\`. Null after an import.`,
  }
  return [key, encrypted]
}

/** Checked before anything is created: a secret that cannot be encrypted would be lost. */
function isRsa(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const PROTECTION: Attribute = {
  ...{ name: 'deletion_protection', type: 'bool', mode: 'optional-computed', byDefault: true, isKept: true },
  description: 'Whether Terraform refuses to destroy it. Set it to false and apply, before you destroy it.',
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

const Timeouts = z.partialRecord(
  z.enum(['create', 'read', 'update', 'delete']),
  z.string().regex(/^[1-9]\d{0,4}[smh]$/, 'write it as `30s`, `5m` or `1h`'),
)

const TIMEOUTS: Attribute = {
  ...{ name: 'timeouts', type: ['map', 'string'], mode: 'optional', byDefault: null, isKept: true },
  schema: Timeouts,
  description:
    'How long `create`, `read`, `update` and `delete` may take, such as `{ create = "10m" }`, each with its retries (default: `timeout_seconds` of the provider).',
}

/** Returns how long an operation of a resource may take. Undefined: as long as any of the provider. */
export function timeoutMsOf(
  operation: 'create' | 'read' | 'update' | 'delete',
  { timeouts = null }: Values,
): number | undefined {
  const text = Timeouts.safeParse(timeouts).data?.[operation]
  return text === undefined ? undefined : Number.parseInt(text) * UNIT_MS[text.at(-1) as keyof typeof UNIT_MS] // by its pattern
}

/** Returns the input of an operation: the fields that it takes, from attributes. */
export function inputOf(resource: Resource, name: RouteName, values: Values): Values {
  const input: Record<string, Value> = {}
  for (const [field, { isNullable, type }] of inputFields(operationOf(name))) {
    const value = values[field]
    if (value === undefined || value instanceof Unknown || (value === null && !isNullable)) continue
    const isText = typeof value === 'string'
    if (isText && resource.json?.includes(field)) input[field] = JSON.parse(value) as Value
    else input[field] = isText && type === 'number' ? Number(value) : value
  }
  return input
}
