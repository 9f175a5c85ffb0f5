import type { Schema } from './chart-settings.js'
import { SERVICE_NAMES } from './settings-of-environment.js'
import type { ValuesFile } from './values-file.js'

/** What values with these names mean everywhere, as Kubernetes names them. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  annotations: 'Annotations of the object.',
  labels: 'Labels of the object.',
  enabled: 'Whether there is one.',
  minReplicas: 'Processes at least.',
  maxReplicas: 'Processes at most.',
  port: 'TCP port.',
  to: 'Peers.',
  references: 'Keys that come from other Secrets: {name, key}.',
  resources: 'Requests and limits of the container.',
  podLabels: 'Labels of pods, in addition.',
  podAnnotations: 'Annotations of pods.',
  nodeSelector: 'As in a pod.',
  tolerations: 'As in a pod.',
  affinity: 'As in a pod.',
  priorityClassName: 'As in a pod.',
  volumes: 'As in a pod, in addition.',
  volumeMounts: 'As in a container, in addition.',
}

interface Row {
  readonly path: string
  readonly schema: Schema
  readonly default: unknown
}

/**
 * The chart's README: every value with its default and description.
 *
 * @param schema of the values, with descriptions
 */
export function chartReadme(schema: Schema, { defaults }: ValuesFile): string {
  const services = new Set<string>(SERVICE_NAMES)
  const values = Object.entries(propertiesOf(schema)).filter(
    ([name]) => name !== 'global' && !services.has(name),
  )
  const plain = values.filter(([, value]) => isLeaf('', value))
  const sections = values.filter(([, value]) => !isLeaf('', value))
  const parts = [
    '# Bearing chart',
    'Gateway, identity, management and location of Bearing, and the Job that migrates their database. From an empty cluster to a first position: [docs/kubernetes.md](../../../docs/kubernetes.md). Upgrades: [docs/upgrading.md](../../../docs/upgrading.md).',
    '```sh\nhelm upgrade --install bearing oci://<registry>/charts/bearing --namespace bearing --values values.yaml\n```',
    'The chart creates no Secret, uses no hooks, and refuses values that it does not know. `pnpm chart` writes this page from `values.yaml` and `values.schema.json`.',
    '## Values',
    table(plain.flatMap(([name, value]) => rowsOf(name, value, valueAt(defaults, name)))),
    ...sections.flatMap(([name, value]) => [
      `### ${name}`,
      ...paragraph(value),
      table(rowsOf(name, value, valueAt(defaults, name))),
    ]),
    '### gateway, identity, management, location',
    `Each has these values below its name. Its settings, and those that several share (\`settings\`), are listed in [docs/configuration.md](../../../docs/configuration.md).`,
    table(rowsOfServices(schema, defaults)),
  ]
  return `${parts.join('\n\n')}\n`
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>> // as JSON Schema has it
}

/** Settings and references to Secrets have a property for each setting, which another page lists. */
function isLeaf(name: string, schema: Schema): boolean {
  return schema['properties'] === undefined || ['settings', 'references', 'digests'].includes(name)
}

function rowsOf(path: string, schema: Schema, value: unknown): Row[] {
  if (path === 'settings' || isLeaf(path.slice(path.lastIndexOf('.') + 1), schema))
    return [{ path, schema, default: value }]
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) =>
    rowsOf(`${path}.${name}`, property, valueAt(value, name)),
  )
}

/** One row for what services have in common: the first description, and a default for each where they differ. */
function rowsOfServices(schema: Schema, defaults: unknown): Row[] {
  const all = SERVICE_NAMES.flatMap((service) =>
    rowsOf(service, propertiesOf(schema)[service] ?? {}, valueAt(defaults, service)).map((row) => ({
      service,
      row: { ...row, path: row.path.replace(`${service}.`, '') },
    })),
  )
  return [...new Set(all.map(({ row }) => row.path))].map((path) => {
    const found = all.filter(({ row }) => row.path === path)
    const described = found.find(({ row }) => row.schema['description'] !== undefined) ?? found[0]
    const isSame = new Set(found.map(({ row }) => JSON.stringify(row.default))).size === 1
    return {
      path:
        found.length < SERVICE_NAMES.length
          ? `${path} (${found.map(({ service }) => service).join(', ')})`
          : path,
      schema: described?.row.schema ?? {},
      default: isSame
        ? found[0]?.row.default
        : Object.fromEntries(found.map(({ service, row }) => [service, row.default])),
    }
  })
}

function paragraph({ description }: Schema): string[] {
  return typeof description === 'string' ? [description] : []
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ path, schema, default: value }) => {
    const [name = '', only] = path.split(' (')
    const [own] = paragraph(schema)
    const description = own ?? WELL_KNOWN[name.slice(name.lastIndexOf('.') + 1)] ?? ''
    const where = only === undefined ? '' : ` (${only}`
    return `| \`${name}\`${where} | ${code(value)} | ${cell(description)} |`
  })
  return ['| value | default | description |', '| --- | --- | --- |', ...lines].join('\n')
}

function code(value: unknown): string {
  const text = value === '' || value === undefined ? '' : JSON.stringify(value).replaceAll(/^"|"$/g, '')
  return text === '' ? 'none' : `\`${cell(text)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}

function valueAt(values: unknown, name: string): unknown {
  return (values as Readonly<Record<string, unknown>> | undefined)?.[name] // a map of YAML
}
