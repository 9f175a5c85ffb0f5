import type { z } from 'zod'
import { needsClaims, type Operation } from './operation.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Dialect = 'bearing' | 'geolocation' | 'oauth' | 'scim'

export interface RouteOptions {
  /** Status of success (default: 200). */
  readonly status?: 200 | 201 | 202 | 204 | 302
  /**
   * `data` wraps the output as `{ "data": … }` (default). `none` sends it unchanged: lists have their own envelope, and the
   * location service has none. `empty` sends `{}`.
   */
  readonly envelope?: 'data' | 'none' | 'empty'
  /**
   * True if devices use the route. An `Authorization` beside a project key is ignored, because HTTP clients add one from
   * `.netrc`; and an unknown project key is 403, because devices erase their key on 401.
   */
  readonly device?: boolean
  /** True if legacy location tokens are accepted. */
  readonly legacyTokens?: boolean
  /** Largest body in bytes (default: 64 KiB, or 8 KiB on public routes). */
  readonly bodyLimit?: number
  /** True if the gateway has a controller for the route: for cookies, redirects and bytes. */
  readonly hasController?: boolean
  /** The body is bytes, and the input is in the path and the query. */
  readonly bytes?: boolean
  /** The reply is bytes. */
  readonly download?: boolean
  /**
   * The reply is NDJSON: the gateway calls the operation, which returns `data` and `next`, again with `cursor` until `next` is
   * null.
   */
  readonly stream?: boolean
  /** True if the header `Idempotency-Key` is the input field `idempotency_key`. */
  readonly idempotencyKey?: boolean
  /** True if the operation may return null, which becomes 204. */
  readonly mayBeEmpty?: boolean
  /**
   * `geolocation`: for clients of public geolocation services. The project key may be `?key=` of the URL, and errors have the
   * format of those services. `oauth`: the body may be a form, and errors have the format of RFC 6749. `scim`: as RFC 7644 has it.
   */
  readonly dialect?: Dialect
  /** Input that the route defines. It replaces fields of the request. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** True if the signed URL itself authorizes the request: no credential, and no limit of requests. */
  readonly signedAddress?: boolean
  /** Fields of the reply beside `data`, for clients that expect them there. */
  readonly beside?: Beside
  /** True if the query may contain `hiConf` (95 % instead of 68 %) and `doReply` (`0`: answer 204). */
  readonly locationQuery?: boolean
  /** Input field with a list whose items each count as a request: the limits of requests count all of them. */
  readonly countsEach?: string
  /** True if `format=geojson` returns GeoJSON: the output is then the second one of a union. */
  readonly geoJson?: boolean
}

/** Fields beside `data`: their schema, and how they follow from the output. */
export interface Beside {
  readonly schema: z.ZodObject
  readonly from: (output: unknown) => Readonly<Record<string, unknown>>
}

/** An HTTP route. */
export interface Route<O extends Operation = Operation> {
  readonly method: Method
  /**
   * `:organization` and `:project` are slugs, resolved to the input fields `organization_id` and `project_id`. Every other
   * parameter is the input field of its name.
   */
  readonly path: string
  readonly operation: O
  readonly status: 200 | 201 | 202 | 204 | 302
  readonly envelope: 'data' | 'none' | 'empty'
  readonly device: boolean
  readonly legacyTokens: boolean
  readonly bodyLimit: number
  readonly hasController: boolean
  readonly bytes: boolean
  readonly download: boolean
  readonly stream: boolean
  readonly idempotencyKey: boolean
  readonly mayBeEmpty: boolean
  readonly dialect: Dialect
  readonly fixed: Readonly<Record<string, unknown>>
  readonly signedAddress: boolean
  readonly beside: Beside | undefined
  readonly locationQuery: boolean
  readonly countsEach: string | undefined
  readonly geoJson: boolean
}

export const KIB = 1024

export const ORGANIZATION = '/api/v0/organizations/:organization'
export const PROJECT = `${ORGANIZATION}/projects/:project`

export function route<O extends Operation>(
  method: Method,
  path: string,
  operation: O,
  options: RouteOptions = {},
): Route<O> {
  return {
    method,
    path,
    operation,
    status: 200,
    envelope: 'data',
    device: false,
    legacyTokens: false,
    hasController: false,
    bytes: false,
    download: false,
    bodyLimit: (needsClaims(operation.permission) ? 64 : 8) * KIB,
    stream: false,
    idempotencyKey: false,
    mayBeEmpty: false,
    dialect: 'bearing',
    fixed: {},
    signedAddress: false,
    beside: undefined,
    locationQuery: false,
    countsEach: undefined,
    geoJson: false,
    ...options,
  }
}

/**
 * Returns the path of a route as OpenAPI writes it, `/organizations/{organization}`, and the field of the input that each
 * parameter fills. OpenAPI allows one name of a parameter for each place, so a slug that the handler resolves itself
 * (`project_slug`) is named like the one that the gateway resolves.
 */
export function pathTemplate({ path }: Pick<Route, 'path'>): {
  readonly template: string
  readonly fields: ReadonlyMap<string, string>
} {
  const fields = new Map<string, string>()
  const template = path.replaceAll(/:([a-z_]+)/g, (_, field: string) => {
    const name = field.replace(/_slug$/, '')
    fields.set(name, field)
    return `{${name}}`
  })
  return { template, fields }
}
