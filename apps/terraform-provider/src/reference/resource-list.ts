import { DATA_SOURCES, EPHEMERAL_RESOURCES } from '../declarations/data-sources.js'
import { RESOURCES } from '../declarations/resources.js'
import { importIdOf } from '../engine/resources.js'
import { attributesOf, type Attribute, type Attributes } from '../schema/attributes.js'
import { ephemeralAttributes, sourceAttributes } from '../schema/source-attributes.js'
import type { Type } from '../wire/value.js'

/** Returns the list of docs/terraform.md: resources, data sources and ephemeral resources with their attributes. */
export function resourceList(): string {
  const resources = RESOURCES.map((resource) =>
    section(
      resource.name,
      attributesOf(resource),
      `${resource.summary} Import id: \`${importIdOf(resource)}\`.`,
    ),
  )
  const sources = DATA_SOURCES.map((source) => section(source.name, sourceAttributes(source), source.summary))
  const ephemeral = EPHEMERAL_RESOURCES.map((of) => section(of.name, ephemeralAttributes(of), of.summary))
  return [
    ...['## Resources', ...resources],
    ...['## Data sources', ...sources.map((text) => text.replace('### ', '### data.'))],
    ...['## Ephemeral resources', ...ephemeral.map((text) => text.replace('### ', '### ephemeral.'))],
  ].join('\n\n')
}

function section(name: string, attributes: Attributes, text: string): string {
  const rows = [...attributes.values()].map(row)
  const head = ['| attribute | type | | |', '| --- | --- | --- | --- |']
  return [`### bearing_${name}`, text, [...head, ...rows].join('\n')].join('\n\n')
}

function row(attribute: Attribute): string {
  const { name, type, description } = attribute
  const cells = [
    `\`${name}\``,
    typeText(type),
    kindOf(attribute),
    description.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'),
  ]
  return `| ${cells.join(' | ')} |`
}

function kindOf({ mode, byDefault, isWriteOnly, replaces }: Attribute): string {
  if (mode === 'computed') return 'read-only'
  const given =
    byDefault === undefined || byDefault === null ? '' : ` (default: \`${JSON.stringify(byDefault)}\`)`
  const kind = isWriteOnly ? 'write-only' : mode === 'required' ? '**required**' : `optional${given}`
  return replaces ? `${kind}, replaces` : kind
}

function typeText(type: Type): string {
  if (typeof type === 'string') return type
  const [kind, part] = type
  return kind === 'object' ? 'object' : `${kind} of ${typeText(part)}`
}
