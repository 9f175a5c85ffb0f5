import { z } from 'zod'

type Schema = z.core.$ZodType

/** Strict copy of each schema, so that a schema that is used twice stays one. */
const made = new WeakMap<Schema, Schema>()

/**
 * Returns the schema with objects that refuse unknown members, at any depth. An object that was declared with a rule for them
 * (`looseObject`) keeps it.
 */
export function strict<Given extends z.ZodType>(schema: Given): Given {
  return strictPart(schema) as Given // a copy with the same shape
}

function strictPart(schema: Schema): Schema {
  const known = made.get(schema)
  if (known) return known
  const copy = withStrictParts(schema)
  made.set(schema, copy)
  return copy
}

function withStrictParts(schema: Schema): Schema {
  const def = schema._zod.def as unknown as Record<string, unknown> // every kind has parts of its own
  const changed: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(def)) {
    const copy = name === 'checks' ? part : strictValue(part)
    if (copy !== part) changed[name] = copy
  }
  if (schema instanceof z.ZodObject && def['catchall'] === undefined) {
    const shape = changed['shape'] ?? schema.shape // of schemas
    changed['catchall'] = z.never()
    changed['error'] = refusing(Object.keys(shape), schema.def.error as ErrorMap | undefined)
  }
  if (Object.keys(changed).length === 0) return schema
  const copy = z.core.util.clone(
    schema,
    z.core.util.mergeDefs(schema._zod.def, changed) as typeof schema._zod.def,
  )
  const meta = z.globalRegistry.get(schema)
  if (meta) z.globalRegistry.add(copy, meta)
  return copy
}

/** Returns a part of a definition: a schema, a list of them, or the fields of an object. */
function strictValue(part: unknown): unknown {
  if (part instanceof z.core.$ZodType) return strictPart(part)
  if (Array.isArray(part)) {
    const copies = part.map(strictValue)
    return copies.some((copy, at) => copy !== part[at]) ? copies : part
  }
  if (typeof part !== 'object' || part === null || Object.getPrototypeOf(part) !== Object.prototype)
    return part
  const entries = Object.entries(part)
  const copies = entries.map(([name, value]) => [name, strictValue(value)] as const)
  return copies.some(([, copy], at) => copy !== entries[at]?.[1]) ? Object.fromEntries(copies) : part
}

type ErrorMap = z.core.$ZodErrorMap

/** Says of each unknown member, on a line of its own, which one may be meant. */
function refusing(members: readonly string[], other: ErrorMap | undefined): ErrorMap {
  return (issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => unknownMember(name, members)).join('\n')
      : other?.(issue)
}

/** Returns what is wrong with a member that a schema does not have. */
export function unknownMember(name: string, members: readonly string[]): string {
  const [meant] = members
    .map((member) => ({
      member,
      edits: member.startsWith(name) && name.length > 2 ? 1 : editsBetween(name, member),
    }))
    .filter(({ member, edits }) => edits <= Math.max(1, Math.floor(member.length / 3)))
    .sort((a, b) => a.edits - b.edits)
  return `is not a known member${meant ? `; did you mean ${JSON.stringify(meant.member)}?` : ''}`
}

/** The longest name that is compared. */
const MAX_COMPARED = 64

/** Returns how many characters must be added, removed or replaced to make one name of the other (Levenshtein). */
function editsBetween(one: string, other: string): number {
  if (one.length > MAX_COMPARED) return Infinity
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1]
    for (let column = 0; column < other.length; column++) {
      const replaced = (row[column] ?? 0) + (one[at] === other[column] ? 0 : 1)
      next.push(Math.min((row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
