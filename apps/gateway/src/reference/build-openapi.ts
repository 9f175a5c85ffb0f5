import { PERMISSION_SCOPE } from '@bearing/access/roles'
import { ERRORS, type ErrorCode } from '@bearing/contracts/errors'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { VERSION } from '@bearing/contracts/version'
import { z } from 'zod'
import { PROBLEM_SCHEMA } from './problem-schema.js'

type Json = Record<string, unknown>

/** Codes that every route can answer with. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_input',
  'multiple_credentials',
  'credential_in_query',
  'credential_missing',
  'credential_malformed',
  'credential_invalid',
  'credential_expired',
  'permission_denied',
  'internal',
  'overloaded',
  'service_unavailable',
  'deadline_exceeded',
]
const WITH_BODY: readonly ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type']

/**
 * The API reference as an OpenAPI 3.1 document, made from the route table and the contracts.
 *
 * @param serverUrl address of the gateway; empty leaves it to the address the document was read from
 * @param projectKeyHeader the first accepted name of the project-key header
 */
export function buildOpenApi(serverUrl: string, projectKeyHeader = 'Service-Project-Key'): Json {
  const schemas: Json = { Problem: PROBLEM_SCHEMA }
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(ROUTES) as [string, Route][]) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}')
    ;(paths[path] ??= {})[route.method.toLowerCase()] = describe(name, route, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bearing',
      version: VERSION,
      description: 'Organizations, projects, credentials, and positions from Wi-Fi scans.',
    },
    servers: [{ url: serverUrl === '' ? '/' : serverUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        organizationToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Organization auth token (`brgo_…`).',
        },
        user: {
          type: 'http',
          scheme: 'basic',
          description: 'E-mail address, and a user API key (`brgu_…`) or the account password.',
        },
        projectKey: { type: 'apiKey', in: 'header', name: projectKeyHeader, description: 'Project key.' },
      },
    },
  }
}

function describe(name: string, route: Route, schemas: Json): Json {
  const { operation } = route
  const input = schemaOf(operation.input, 'input', schemas)
  const properties = (input['properties'] ?? {}) as Json // JSON Schema of an object
  const required = (input['required'] ?? []) as string[]
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] ?? '')
  const fields = Object.entries(properties).filter(
    ([field]) => !['organization_id', 'project_id'].includes(field) && !inPath.includes(field),
  )
  const hasBody = route.method === 'POST' || route.method === 'PUT'
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    security: securityOf(route),
    parameters: [
      ...inPath.map((parameter) => ({
        name: parameter,
        in: 'path',
        required: true,
        schema: properties[parameter] ?? { $ref: '#/components/schemas/Slug' },
      })),
      ...(hasBody ? [] : fields.map(([field, schema]) => ({ name: field, in: 'query', schema }))),
    ],
    ...(hasBody &&
      fields.length > 0 && {
        requestBody: {
          required: fields.some(([field]) => required.includes(field)),
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: Object.fromEntries(fields),
                required: required.filter((field) => fields.some(([known]) => known === field)),
              },
            },
          },
        },
      }),
    responses: responsesOf(route, schemas, hasBody),
  }
}

function responsesOf(route: Route, schemas: Json, hasBody: boolean): Json {
  const output = schemaOf(route.operation.output, 'output', schemas)
  const schema =
    route.envelope === 'data' ? { type: 'object', properties: { data: output }, required: ['data'] } : output
  const codes = [
    ...new Set([...route.operation.errors, ...ALWAYS, ...(hasBody ? WITH_BODY : []), ...byScope(route)]),
  ]
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes)
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code])
  const problems = [...byStatus].sort(([a], [b]) => a - b)
  return {
    [String(route.status)]: { description: 'Success', content: { 'application/json': { schema } } },
    ...Object.fromEntries(
      problems.map(([status, ofStatus]) => [
        String(status),
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
    ),
  }
}

function byScope(route: Route): ErrorCode[] {
  return [
    ...(route.path.includes('/:organization') ? (['organization_not_found', 'sso_required'] as const) : []),
    ...(route.path.includes('/:project') ? (['project_not_found'] as const) : []),
    ...(route.device ? (['project_key_invalid'] as const) : []),
  ]
}

/** What is about oneself is for users; the rest takes any kind of credential whose permissions reach. */
function securityOf(route: Route): Json[] {
  const { permission } = route.operation
  const ownThings =
    permission !== 'internal' && permission !== 'principal:read' && PERMISSION_SCOPE[permission] === 'self'
  return ownThings ? [{ user: [] }] : [{ organizationToken: [] }, { user: [] }, { projectKey: [] }]
}

function tagOf(route: Route): string {
  if (route.path.includes('/location/')) return 'Location'
  if (route.path.startsWith('/auth/')) return 'The caller'
  if (route.path.includes('/auth_tokens')) return 'Organization auth tokens'
  if (route.path.includes('/projects')) return 'Projects'
  return 'Organizations'
}

/** JSON Schema of a contract; named parts move to the document's components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json }
  for (const [name, part] of Object.entries($defs ?? {})) components[name] ??= relink(part)
  const { id } = json as { id?: string }
  if (id === undefined) return relink(json) as Json
  components[id] ??= relink(json)
  return { $ref: `#/components/schemas/${id}` }
}

function relink(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/')) as unknown
}
