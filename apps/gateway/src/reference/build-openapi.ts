import { ERRORS, OperationError, type ErrorCode } from '@bearing/contracts/errors'
import { needsClaims } from '@bearing/contracts/operation'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { VERSION } from '@bearing/contracts/version'
import { z } from 'zod'
import { geolocationErrorOf } from '../problems/geolocation-error.js'
import { hasPreconditions } from '../forward/preconditions.js'
import { takesBody } from '../forward/read-input.js'
import { statusOf } from '../problems/problem.js'
import { addDescriptions, parameter } from './add-descriptions.js'
import { contentOf, itemOf, mediaOf } from './content-of.js'
import { SESSION_COOKIE } from '../authenticate/browser/session-cookie.js'
import { IDEMPOTENCY_KEY, IF_MATCH, LOCATION_QUERY, TAGS, securityOf, tagOf } from './describe-route.js'
import {
  GEOLOCATION_ERROR_SCHEMA,
  OAUTH_ERROR_SCHEMA,
  SCIM_ERROR_SCHEMA,
  PROBLEM_SCHEMA,
} from './problem-schema.js'

type Json = Record<string, unknown>

/** Codes of every route. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_input',
  'headers_too_large',
  'credential_in_query',
  'internal',
  ...(['overloaded', 'service_unavailable', 'deadline_exceeded'] as const),
]
const WITH_CREDENTIAL: readonly ErrorCode[] = [
  'multiple_credentials',
  'credential_missing',
  ...(['credential_malformed', 'credential_invalid', 'credential_expired'] as const),
  'second_factor_required',
  'permission_denied',
]
/** Media type and schema of errors, by dialect. */
const PROBLEMS: Readonly<Record<Route['dialect'], readonly [media: string, schema: string]>> = {
  bearing: ['application/problem+json', 'Problem'],
  geolocation: ['application/json', 'GeolocationError'],
  oauth: ['application/json', 'OAuthError'],
  scim: ['application/scim+json', 'ScimError'],
}
/** Input fields that the gateway sets. */
const FILLED_IN = ['organization_id', 'project_id']
/** Media types of binary bodies. */
const BYTES = ['application/octet-stream', 'multipart/mixed']
const WITH_BODY: readonly ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type']

/**
 * Builds the API reference as an OpenAPI 3.1 document from the route table and the contracts.
 *
 * @param serverUrl URL of the gateway; empty for the URL that the document was read from
 * @param projectKeyHeader the first accepted name of the project-key header
 */
export function buildOpenApi(serverUrl: string, projectKeyHeader = 'Service-Project-Key'): Json {
  const schemas: Json = structuredClone({
    Problem: PROBLEM_SCHEMA,
    GeolocationError: GEOLOCATION_ERROR_SCHEMA,
    OAuthError: OAUTH_ERROR_SCHEMA,
    ScimError: SCIM_ERROR_SCHEMA,
  })
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(ROUTES) as [string, Route][]) {
    ;(paths[pathTemplate(route).template] ??= {})[route.method.toLowerCase()] = describe(name, route, schemas)
  }
  for (const schema of Object.values(schemas)) addDescriptions(schema)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bearing',
      version: VERSION,
      description: 'Organizations, projects, credentials, and positions from Wi-Fi scans.',
    },
    servers: [{ url: serverUrl === '' ? '/' : serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
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
          description: 'Email address, and a user API key (`brgu_…`) or the account password.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description:
            'Session of a browser; with `X-CSRF-Token` for changes. A command line sends the token of its session as `Authorization: Bearer` instead.',
        },
        projectKey: { type: 'apiKey', in: 'header', name: projectKeyHeader, description: 'Project key.' },
        projectKeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description: 'Project key, for clients of geolocation services.',
        },
      },
    },
  }
}

function describe(name: string, route: Route, schemas: Json): Json {
  const { operation } = route
  const input = schemaOf(operation.input, 'input', schemas)
  addDescriptions(input)
  const properties = (input['properties'] ?? {}) as Json // JSON Schema of an object
  const required = (input['required'] ?? []) as string[]
  const inPath = pathTemplate(route).fields
  const fields = Object.entries(properties).filter(
    ([field, schema]) =>
      !route.signedAddress &&
      !isSetByGateway(schema) &&
      !(field in route.fixed) &&
      ![...FILLED_IN, ...(route.stream ? ['cursor'] : []), ...(route.download ? ['offset'] : [])].includes(
        field,
      ) &&
      ![...inPath.values()].includes(field),
  )
  const sends = takesBody(route)
  const hasBody = sends && !route.bytes
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    security: securityOf(route),
    parameters: [
      ...[...inPath].map(([name, field]) =>
        parameter(name, 'path', properties[field] ?? { $ref: '#/components/schemas/Slug' }, true),
      ),
      ...(hasBody
        ? []
        : fields.map(([name, schema]) => parameter(name, 'query', schema, required.includes(name)))),
      ...(route.locationQuery ? LOCATION_QUERY : []),
      ...(hasPreconditions(route) ? IF_MATCH : []),
      ...(route.idempotencyKey ? IDEMPOTENCY_KEY : []),
    ],
    ...(hasBody &&
      fields.length > 0 && {
        requestBody: {
          required: fields.some(([field]) => required.includes(field)),
          content: {
            [route.dialect === 'oauth' ? 'application/x-www-form-urlencoded' : 'application/json']: {
              schema: {
                type: 'object',
                properties: Object.fromEntries(fields),
                required: required.filter((field) => fields.some(([known]) => known === field)),
              },
            },
          },
        },
      }),
    ...(route.bytes && {
      requestBody: { content: Object.fromEntries(BYTES.map((type) => [type, { schema: {} }])) },
    }),
    responses: responsesOf(route, schemas, sends),
  }
}

function responsesOf(route: Route, schemas: Json, hasBody: boolean): Json {
  const output: Json =
    route.dialect === 'scim' ? { type: 'object' } : schemaOf(route.operation.output, 'output', schemas)
  const media = mediaOf(route)
  const schema: Json = route.download
    ? {}
    : route.stream
      ? itemOf(output)
      : route.envelope === 'data'
        ? {
            type: 'object',
            properties: { data: output, ...besideOf(route, schemas) },
            required: ['data'],
            additionalProperties: false,
          }
        : route.envelope === 'empty'
          ? { type: 'object' }
          : output
  const codes = [
    ...new Set([
      ...route.operation.errors,
      ...ALWAYS,
      ...(needsClaims(route.operation.permission) ? WITH_CREDENTIAL : []),
      // Requests without a credential are limited by their network.
      ...(route.signedAddress ? [] : (['rate_limited'] as const)),
      // A part of the path that no slug or id can be.
      ...(route.path.includes('/:') ? (['route_not_found'] as const) : []),
      ...(hasBody ? WITH_BODY : []),
      ...(route.method === 'GET' || route.device ? [] : (['csrf_refused'] as const)),
      ...(hasPreconditions(route) ? (['precondition_failed'] as const) : []),
      ...byScope(route),
    ]),
  ]
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status =
      route.dialect === 'geolocation'
        ? geolocationErrorOf(new OperationError(code, '')).error.code
        : statusOf(code, route)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  addDescriptions(schema)
  const problems = [...byStatus].sort(([a], [b]) => a - b)
  const [problemMedia, problemSchema] = PROBLEMS[route.dialect]
  return {
    [String(route.status)]: { description: 'Success', content: contentOf(route, media, schema) },
    ...(route.mayBeEmpty && { '204': { description: 'Success, without content' } }),
    ...Object.fromEntries(
      problems.map(([status, ofStatus]) => [
        String(status),
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
          content: { [problemMedia]: { schema: { $ref: `#/components/schemas/${problemSchema}` } } },
        },
      ]),
    ),
  }
}

/** Returns true if the contract marks it as set by the gateway: no part of the interface over HTTP. */
function isSetByGateway(schema: unknown): boolean {
  return (schema as Json)['setByGateway'] === true // JSON Schema with metadata of the contract
}

const OF_DEVICES: ErrorCode[] = [
  ...(['project_key_invalid', 'device_token_invalid'] as const),
  ...(['device_certificate_invalid', 'device_identity_required'] as const),
]

function byScope(route: Route): ErrorCode[] {
  return [
    ...(route.path.includes('/:organization')
      ? (['organization_not_found', 'sso_required', 'device_login_refused'] as const)
      : []),
    ...(route.path.includes('/:project') ? (['project_not_found'] as const) : []),
    ...(route.device ? OF_DEVICES : []),
  ]
}

function besideOf({ beside }: Route, schemas: Json): Json {
  return beside ? ((schemaOf(beside.schema, 'output', schemas)['properties'] ?? {}) as Json) : {} // JSON Schema of an object
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
