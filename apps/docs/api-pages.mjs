// The API reference: Markdown of one page for each group of operations, from the OpenAPI document. The other pages are written by
// hand, and from there on all are treated alike.

/** Devices and what they ask for come first, since most readers connect one. */
const FIRST = ['Location', 'Devices', 'Projects', 'Organization auth tokens', 'Organizations']
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Depth to which fields of fields are listed: deeper ones are in `/openapi.json`. */
const DEPTH = 1
/** Examples of fields by name, where the schema has none. */
const EXAMPLES = {
  accessPoints: [
    { macAddress: '02:00:5e:00:1b:00', signalStrength: -52 },
    { macAddress: '02:00:5e:00:1c:00', signalStrength: -61 },
  ],
  description: 'nightly export',
  device_serial: 'DEV-1',
  email: 'ada@example.com',
  lte: [{ mcc: 262, mnc: 1, tac: 5126, eci: 16504 }],
  macAddress: '02:00:5e:00:1b:00',
  name: 'Trackers',
  slug: 'trackers',
  url: 'https://example.com/hook',
}
/** Fields that say what a look-up asks for, though none of them alone is needed. */
const ASKED = ['accessPoints', 'wifi', 'lte']
const CREDENTIALS = {
  organizationToken: 'organization auth token',
  user: 'user',
  session: 'session',
  projectKey: 'project key',
  projectKeyInQuery: 'project key in the query',
}

/**
 * @param document OpenAPI 3.1 of the gateway
 * @returns Markdown by path below docs/, of the index and of each group
 */
export function apiPages(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ ...item[method], method, path })),
  )
  const tags = document.tags.toSorted((one, other) => placeOf(one) - placeOf(other))
  const groups = tags.map(({ name, description }) => ({
    file: `api/${fileOf(name)}.md`,
    name,
    description,
    operations: operations.filter((operation) => operation.tags.includes(name)),
  }))
  return new Map([
    ['api/README.md', indexOf(groups)],
    ...groups.map((group) => [group.file, pageOf(group, document.components.schemas)]),
  ])
}

function placeOf({ name }) {
  const place = FIRST.indexOf(name)
  return place < 0 ? FIRST.length : place
}

function fileOf(name) {
  return name.toLowerCase().replaceAll(' ', '-')
}

function indexOf(groups) {
  const parts = groups.map(({ file, name, description, operations }) => {
    const page = file.replace('api/', '')
    const rows = operations.map(
      ({ method, path, summary }) =>
        `| \`${method.toUpperCase()} ${path}\` | [${summary}](${page}#${anchorOf(summary)}) |`,
    )
    return `## [${name}](${page})\n\n${description}\n\n| route | what it does |\n| --- | --- |\n${rows.join('\n')}`
  })
  return `# API reference

Every operation over HTTP, with its fields, errors and commands to copy. The same as OpenAPI 3.1: \`/openapi.json\` of your gateway.

Programs send an organization auth token (\`Authorization: Bearer brgo_…\`), people an email address with a user API key (Basic), devices the project key. Every error is a problem document with a \`code\`, which has [its page](../errors/README.md). [Roles and permissions](../permissions.md) says who may call what, and [limits](../limits.md) how often.

${parts.join('\n\n')}
`
}

function pageOf({ name, description, operations }, schemas) {
  return `# API: ${name}\n\n${description}\n\n${operations.map((operation) => sectionOf(operation, schemas)).join('\n\n')}\n`
}

function sectionOf(operation, schemas) {
  const { method, path, summary, description, operationId, security, parameters, requestBody, responses } =
    operation
  const credentials = [...new Set(security.flatMap((one) => Object.keys(one)))].map((one) => CREDENTIALS[one])
  const body = requestBody?.content?.['application/json']?.schema
  const [status, success] = Object.entries(responses).find(([code]) => Number(code) < 400)
  const answer = success.content?.['application/json']?.schema
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    `Operation \`${operationId}\`. Credential: ${credentials.length === 0 ? 'none' : credentials.join(', ')}.`,
    tableOf('Parameters', [
      ...parameters.map((one) => rowOf(`${one.name} (${one.in})`, one.schema, one.required, one.description)),
    ]),
    body && tableOf('Body', fieldsOf(body, schemas)),
    `**Response** ${status}${answer ? '' : `: ${success.content ? `\`${Object.keys(success.content)[0]}\`` : 'empty'}`}`,
    answer && tableOf('', fieldsOf(answer, schemas)),
    errorsOf(responses),
    ...samplesOf(operation, body, schemas),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function tableOf(title, rows) {
  if (rows.length === 0) return undefined
  return `${title === '' ? '' : `**${title}**\n\n`}| field | type | is |\n| --- | --- | --- |\n${rows.join('\n')}`
}

function rowOf(name, schema, isRequired, description) {
  const said = description ?? schema.description ?? ''
  // Most descriptions say the range in their own words.
  const text = /\d/.test(said) ? said : [said, rangeOf(schema)].filter(Boolean).join(' ')
  return `| \`${name}\`${isRequired ? ' \\*' : ''} | ${typeOf(schema)} | ${text.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`
}

/** Returns rows of the fields of an object; those of objects in it below, with a dotted name. */
function fieldsOf(schema, schemas, prefix = '', depth = 0) {
  const object = objectOf(schema, schemas)
  if (object === undefined) return []
  return Object.entries(object.properties ?? {}).flatMap(([name, field]) => {
    const full = `${prefix}${name}`
    const described = field.description ?? resolve(field, schemas).description
    const own = rowOf(full, field, object.required?.includes(name), described)
    return depth < DEPTH ? [own, ...fieldsOf(field, schemas, `${full}.`, depth + 1)] : [own]
  })
}

/** Returns the object that a schema is, or that it has in a list or beside null; undefined if it is none. */
function objectOf(schema, schemas) {
  const part = resolve(schema, schemas)
  if (part.properties) return part
  if (part.items) return objectOf(part.items, schemas)
  const others = part.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 ? objectOf(others[0], schemas) : undefined
}

function resolve(schema, schemas) {
  return schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  return schema.type ?? 'any'
}

function rangeOf(schema) {
  const part = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  const { minimum, maximum, maxLength } = part
  const text =
    minimum !== undefined && maximum !== undefined && Math.abs(maximum) < Number.MAX_SAFE_INTEGER
      ? `${minimum} to ${maximum}.`
      : maxLength !== undefined
        ? `At most ${maxLength} characters.`
        : ''
  return schema.default === undefined || schema.default === null
    ? text
    : `${text} Default: \`${JSON.stringify(schema.default)}\`.`.trim()
}

function errorsOf(responses) {
  const errors = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => {
      const codes = [...description.matchAll(/`([a-z_]+)`:/g)].map(
        ([, code]) => `[\`${code}\`](../errors/${code}.md)`,
      )
      return `${status} ${codes.join(', ')}`
    })
  return errors.length === 0 ? undefined : `**Errors**: ${errors.join(' · ')}`
}

/** Returns the same request in three languages. Pages show one at a time. */
function samplesOf({ method, path, operationId, security, parameters }, body, schemas) {
  const url = path.replaceAll('{organization}', '$BEARING_ORG').replaceAll('{project}', '$BEARING_PROJECT')
  const sent = body && exampleOf(body, schemas)
  const json = sent && JSON.stringify(sent)
  const takes = security.flatMap((one) => Object.keys(one))
  const header = takes.includes('organizationToken')
    ? ['Authorization', 'Bearer $BEARING_ORG_TOKEN']
    : takes.includes('projectKey')
      ? ['Memfault-Project-Key', '$BEARING_PROJECT_KEY']
      : undefined
  const curl = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$BEARING_URL${url}"`,
    header && `  -H "${header.join(': ')}"`,
    takes.includes('user') && !header && '  -u "$BEARING_EMAIL:$BEARING_PASSWORD"',
    json && "  -H 'Content-Type: application/json'",
    json && `  -d '${json}'`,
  ].filter(Boolean)
  const input = {
    ...Object.fromEntries(parameters.filter((one) => one.in === 'path').map(({ name }) => [name, `…`])),
    ...sent,
  }
  const env = (text) => text.replaceAll(/\$([A-Z_]+)/g, "{os.environ['$1']}")
  const python = [
    'import os, requests',
    '',
    `response = requests.${method}(`,
    `    f"${env(`$BEARING_URL${url}`)}",`,
    header && `    headers={"${header[0]}": f"${env(header[1])}"},`,
    json && `    json=${pythonOf(sent)},`,
    ')',
    'response.raise_for_status()',
  ].filter((line) => line !== undefined && line !== false)
  return [
    `\`\`\`sh\n${curl.join(' \\\n')}\n\`\`\``,
    `\`\`\`ts\nconst reply = await bearing.call('${operationId}', ${JSON.stringify(input)})\n\`\`\``,
    `\`\`\`python\n${python.join('\n')}\n\`\`\``,
  ]
}

function pythonOf(value) {
  return JSON.stringify(value).replaceAll(/\b(true|false|null)\b/g, (word) => {
    return { true: 'True', false: 'False', null: 'None' }[word]
  })
}

/** Returns an input with the fields that are needed. */
function exampleOf(schema, schemas) {
  const part = resolve(schema, schemas)
  if (part.const !== undefined) return part.const
  if (part.default !== undefined && part.default !== null) return part.default
  if (part.enum) return part.enum[0]
  if (part.anyOf) return exampleOf(part.anyOf.find(({ type }) => type !== 'null') ?? part.anyOf[0], schemas)
  const type = Array.isArray(part.type) ? part.type[0] : part.type
  if (type === 'object' || part.properties)
    return Object.fromEntries(
      neededOf(part).map((name) => [name, EXAMPLES[name] ?? exampleOf(part.properties[name], schemas)]),
    )
  if (type === 'array') return [exampleOf(part.items ?? {}, schemas)]
  if (type === 'number' || type === 'integer') return Math.max(part.minimum ?? 1, 1)
  return type === 'boolean' ? true : '…'
}

function neededOf({ properties = {}, required = [] }) {
  const asked = ASKED.find((name) => name in properties)
  return required.length > 0 || asked === undefined ? required : [asked]
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}
