import type { DataSource, EphemeralResource } from '../declarations/resource.js'
import { itemOf, operationOf, type Attribute, type Attributes } from './attributes.js'
import { fieldsOf, inputFields, type Field } from './fields.js'

type Left = Readonly<Record<string, string>>

/** Returns the attributes of a data source, by name. */
export function sourceAttributes({ name, summary, read, without }: DataSource): Attributes {
  if ('values' in read)
    return new Map<string, Attribute>([
      [
        'permissions',
        { ...COMPUTED, name: 'permissions', type: ['set', 'string'], description: 'All of them.' },
      ],
      [
        'presets',
        {
          ...COMPUTED,
          name: 'presets',
          type: ['map', ['set', 'string']],
          description: 'Permissions of each preset.',
        },
      ],
    ])
  const { input, output } = operationOf('list' in read ? read.list : read.show)
  const asked = [...fieldsOf(input)]
    .filter(([field]) => !(field in without))
    .map(([field, of]) => sent(field, of))
  const shown: Attribute[] =
    'show' in read
      ? computedFields(fieldsOf(output), without)
      : [
          {
            ...{ ...COMPUTED, name, description: summary },
            type: ['list', ['object', typesIn(fieldsOf(itemOf(output)), without)]],
          },
        ]
  return byName([...asked, ...shown])
}

/** Returns the attributes of an ephemeral resource, by name. */
export function ephemeralAttributes({ open, secrets, without }: EphemeralResource): Attributes {
  const shown = computedFields(fieldsOf(operationOf(open).output), without).map((attribute) => ({
    ...attribute,
    isSensitive: secrets.includes(attribute.name),
  }))
  const asked = [...inputFields(operationOf(open))].filter(([name]) => !(name in without))
  const both = new Set(shown.map(({ name }) => name))
  const inputs = asked.map(([name, field]) => {
    const attribute = sent(name, field)
    return both.has(name) && !field.isRequired
      ? { ...attribute, mode: 'optional-computed' as const }
      : attribute
  })
  return byName([...shown, ...inputs])
}

const COMPUTED = { mode: 'computed' } as const

function sent(name: string, { type, description, isRequired, schema }: Field): Attribute {
  return { name, type, description, schema, mode: isRequired ? 'required' : 'optional' }
}

function computedFields(fields: ReadonlyMap<string, Field>, without: Left): Attribute[] {
  return [...fields]
    .filter(([name]) => !(name in without))
    .map(([name, { type, description }]) => ({ ...COMPUTED, name, type, description }))
}

function typesIn(fields: ReadonlyMap<string, Field>, without: Left) {
  return Object.fromEntries(
    [...fields].filter(([name]) => !(name in without)).map(([name, { type }]) => [name, type]),
  )
}

function byName(attributes: readonly Attribute[]): Attributes {
  return new Map(attributes.map((attribute) => [attribute.name, attribute]))
}
