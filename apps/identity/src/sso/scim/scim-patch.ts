import { z } from 'zod'
import { scimInvalid } from './scim-error.js'
import { attributeOf, parseFilter, type Condition } from './scim-filter.js'

/** Attributes of a resource by their names as the schema writes them. */
export type Attributes = Readonly<Record<string, unknown>>
type Values = Record<string, unknown>

const MAX_OPERATIONS = 1_000
const Patch = z.object({
  Operations: z
    .array(
      z.object({
        // Entra ID writes "Add" and "Replace".
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'remove', 'replace'])),
        path: z.string().max(1_024).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
})

/** `name.givenName`, `emails[type eq "work"].value`, `members[value eq "…"]`. */
const PATH = /^([\w$-]+)(?:\[(.+)\])?(?:\.([\w$-]+))?$/s
/** The names of attributes, by their lower-case form: SCIM ignores the case. */
const NAMES = new Map(
  ['userName', 'externalId', 'displayName', 'name', 'emails', 'active', 'members'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)
const SUB_NAMES = new Map(
  ['givenName', 'familyName', 'formatted', 'value', 'type', 'primary', 'display'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)

/**
 * Returns the attributes after a PATCH (RFC 7644 §3.5.2), in the forms of Okta and Entra ID: with and without a path, dotted names as keys
 * of a value, and members to remove as a value. Attributes that Bearing does not store are ignored.
 *
 * @throws OperationError `scim_request_invalid`
 */
export function patched(before: Attributes, body: unknown): Attributes {
  const { success, data } = Patch.safeParse(body)
  if (!success)
    throw scimInvalid(
      'invalidSyntax',
      'Send Operations, each with op (add, remove, replace), path and value.',
    )
  const after = structuredClone(before) as Values
  for (const { op, path, value } of data.Operations)
    if (path !== undefined) change(after, op, path, value)
    else if (op === 'remove') throw scimInvalid('noTarget', 'An operation "remove" needs a path.')
    else if (isRecord(value)) for (const [name, part] of Object.entries(value)) change(after, op, name, part)
    else throw scimInvalid('invalidValue', 'An operation without a path needs an object as its value.')
  return after
}

function change(after: Values, op: 'add' | 'remove' | 'replace', path: string, value: unknown): void {
  const [, first = '', filter, sub] = PATH.exec(attributeOf(path)) ?? []
  const name = NAMES.get(first)
  if (first === '' && !path.includes(':')) throw scimInvalid('invalidPath', `The path "${path}" is none.`)
  if (name === undefined) return
  const subName = sub === undefined ? undefined : SUB_NAMES.get(sub)
  if (sub !== undefined && subName === undefined) return
  if (name === 'emails' || name === 'members')
    changeList(after, name, { op, filter: original(path, filter), subName, value })
  else if (subName === undefined) {
    if (op === 'remove') Reflect.deleteProperty(after, name)
    else
      after[name] =
        name === 'name' && op === 'add' && isRecord(after[name]) && isRecord(value)
          ? { ...after[name], ...value }
          : value
  } else {
    const { [subName]: _, ...rest } = isRecord(after[name]) ? after[name] : {}
    after[name] = op === 'remove' ? rest : { ...rest, [subName]: value }
  }
}

/** Returns the filter of a path as it was sent: values keep their case. */
function original(path: string, filter: string | undefined): string | undefined {
  return filter === undefined ? undefined : path.slice(path.indexOf('[') + 1, path.lastIndexOf(']'))
}

function changeList(
  after: Values,
  name: string,
  given: {
    readonly op: 'add' | 'remove' | 'replace'
    readonly filter: string | undefined
    readonly subName: string | undefined
    readonly value: unknown
  },
): void {
  const { op, filter, subName, value } = given
  const items = (Array.isArray(after[name]) ? after[name] : []).filter(isRecord)
  if (filter === undefined) {
    if (subName !== undefined) throw scimInvalid('invalidPath', `Name one of "${name}" with a filter.`)
    const listed = (Array.isArray(value) ? value : [value]).filter(isRecord)
    const keys = new Set(listed.map(keyOf))
    const others = items.filter((item) => !keys.has(keyOf(item)))
    if (op === 'remove') after[name] = value === undefined ? [] : others
    else after[name] = op === 'replace' ? listed : [...others, ...listed]
    return
  }
  const conditions = parseFilter(filter)
  const isNamed = (item: Values) => conditions.every((condition) => matches(item, condition))
  if (op === 'remove')
    after[name] =
      subName === undefined
        ? items.filter((item) => !isNamed(item))
        : items.map((item) => (isNamed(item) ? { ...item, [subName]: undefined } : item))
  else {
    const part = subName === undefined ? value : { [subName]: value }
    if (!isRecord(part)) throw scimInvalid('invalidValue', `A value of "${name}" is an object.`)
    const known = items.some(isNamed)
    // Entra ID replaces emails[type eq "work"].value of users that have none yet.
    const added = Object.fromEntries(conditions.map(({ attribute, value }) => [attribute, value]))
    after[name] = known
      ? items.map((item) => (isNamed(item) ? { ...item, ...part } : item))
      : [...items, { ...added, ...part }]
  }
}

function keyOf(item: Values): string {
  return String(item['value']).toLowerCase()
}

function matches(item: Values, { attribute, value }: Condition): boolean {
  const found = item[SUB_NAMES.get(attribute) ?? attribute]
  return (
    (typeof found === 'string' || typeof found === 'boolean') &&
    String(found).toLowerCase() === value.toLowerCase()
  )
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
