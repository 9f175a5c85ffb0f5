import { isMap, isScalar, parse, parseDocument, type Pair } from 'yaml'
import type { Schema } from './chart-settings.js'

/** Defaults of the chart, and what the comments of values.yaml say about them. */
export interface ValuesFile {
  /** By path, such as `gateway.secret.name`. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly defaults: unknown
}

/** Reads values.yaml: the comment above a key describes it. */
export function readValues(text: string): ValuesFile {
  const descriptions = new Map<string, string>()
  collect(parseDocument(text).contents, '', descriptions)
  return { descriptions, defaults: parse(text) }
}

function collect(node: unknown, path: string, descriptions: Map<string, string>): void {
  if (!isMap(node)) return
  node.items.forEach((pair: Pair, index) => {
    if (!isScalar(pair.key)) return
    const own = path === '' ? String(pair.key.value) : `${path}.${String(pair.key.value)}`
    // The comment above the first key of a map belongs to the map, and that at the head of the file to the file.
    const above = index === 0 && path !== '' ? node.commentBefore : pair.key.commentBefore
    const comment = (above ?? '').split('\n').map((line) => line.trim())
    if (comment.join('') !== '') descriptions.set(own, comment.join(' '))
    collect(pair.value, own, descriptions)
  })
}

/**
 * Requires every property that has a default. Helm removes a key that is set to null before it checks the schema, and templates
 * would read a missing number as 0.
 */
export function withDefaultsRequired(schema: Schema, defaults: unknown): Schema {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined // as JSON Schema has it
  if (!properties || typeof defaults !== 'object' || defaults === null) return schema
  const present = defaults as Readonly<Record<string, unknown>> // a map of YAML, by name
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        withDefaultsRequired(property, present[name]),
      ]),
    ),
    required: Object.keys(properties).filter((name) => name in present),
  }
}

/** Adds the descriptions to the properties of a schema. A description that is there stays. */
export function withDescriptions(schema: Schema, { descriptions }: ValuesFile, path = ''): Schema {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined // as JSON Schema has it
  const description = descriptions.get(path)
  return {
    ...(description !== undefined && { description }),
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          withDescriptions(
            property,
            { descriptions, defaults: undefined },
            path === '' ? name : `${path}.${name}`,
          ),
        ]),
      ),
    }),
  }
}
